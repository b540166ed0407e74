// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none
// Leaves what whoever looks at it later is to stumble over: folders that nobody
// may enter, loops of links, pipes that nobody fills.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *dir = (const char *const[]){"/tmp", "/dev/shm", NULL}; *dir; dir++) {
		if (chdir(*dir) != 0)
			managed("lose %s", *dir);
		if (mkdir("closed", 0700) != 0)
			managed("find a folder of the run before");
		close(open("closed/file", O_CREAT | O_WRONLY, 0));
		chmod("closed", 0);
		symlink("loop", "loop");
		mkfifo("pipe", 0600);
		mkdir("\n\33[2J\xff", 0700);
		chmod(".", 0);
	}
	return verdict();
}
