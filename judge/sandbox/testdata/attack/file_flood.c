// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none
// Empty files, pipes and folders, until there are no more to be had.
#include "attack.h"
int main(int argc, char **argv) {
	char name[64];
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *dir = (const char *const[]){".", "/tmp", "/dev/shm", NULL}; *dir; dir++) {
		snprintf(name, sizeof name, "%s/1", *dir);
		if (access(name, F_OK) == 0)
			managed("find %s of the run before", name);
		int n = 0, made = 0;
		while (act == 1 && n < 200000 && made == 0) {
			snprintf(name, sizeof name, "%s/%d", *dir, ++n);
			made = n % 3 == 0 ? mkdir(name, 0700) : mknod(name, n % 3 == 1 ? S_IFIFO | 0600 : S_IFREG | 0600, 0);
		}
		if (n >= 200000)
			managed("make files without end in %s", *dir);
	}
	return verdict();
}
