// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none
// Folders in folders, deeper than any path is long: who removes them by name
// fails, and who recurses falls.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *dir = (const char *const[]){".", "/tmp", "/dev/shm", NULL}; *dir; dir++) {
		if (chdir(*dir) != 0)
			return 2;
		if (access("d", F_OK) == 0)
			managed("find %s/d of the run before", *dir);
		int n = 0;
		while (act == 1 && n < 2500 && mkdir("d", 0700) == 0 && chdir("d") == 0)
			n++;
	}
	return verdict();
}
