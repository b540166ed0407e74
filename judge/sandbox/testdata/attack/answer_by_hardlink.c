// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Gives the file a second name in a folder of its own.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *dir = (const char *const[]){".", "/tmp", "/dev/shm", NULL}; *dir; dir++) {
		char name[64];
		snprintf(name, sizeof name, "%s/attack-second-name", *dir);
		if (link(answer, name) == 0 || linkat(AT_FDCWD, answer, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
			managed("link the answer to %s", name);
			tell(name);
			unlink(name);
		}
		int fd = open(answer, O_PATH);
		if (fd >= 0 && linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0) {
			managed("link what it holds");
			unlink(name);
		}
	}
	// The input is no file of the judge's that could get a name.
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/0");
	if (linkat(AT_FDCWD, path, AT_FDCWD, "attack-input", AT_SYMLINK_FOLLOW) == 0) {
		managed("give the input a name");
		unlink("attack-input");
	}
	return verdict();
}
