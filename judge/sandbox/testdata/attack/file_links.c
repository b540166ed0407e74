// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none files<=1M
// One file by as many names as it can have.
#include "attack.h"
int main(int argc, char **argv) {
	char name[64];
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *dir = (const char *const[]){".", "/tmp", NULL}; *dir; dir++) {
		snprintf(name, sizeof name, "%s/0", *dir);
		if (access(name, F_OK) == 0)
			managed("find %s of the run before", name);
		int fd = act == 1 ? open(name, O_CREAT | O_WRONLY, 0600) : -1;
		if (fd < 0)
			continue;
		char first[64];
		strcpy(first, name);
		int n = 0;
		do
			snprintf(name, sizeof name, "%s/%d", *dir, ++n);
		while (n < 200000 && link(first, name) == 0);
		if (n >= 200000)
			managed("link without end in %s", *dir);
	}
	return verdict();
}
