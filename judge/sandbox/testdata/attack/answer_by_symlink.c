// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Makes links, follows them itself, and has others follow them.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *dir = (const char *const[]){".", "/tmp", "/dev/shm", NULL}; *dir; dir++) {
		char link[64], deep[64], text[4096];
		snprintf(link, sizeof link, "%s/attack-link", *dir);
		if (symlink(answer, link) != 0)
			continue;
		tell(link);
		snprintf(deep, sizeof deep, "%s/attack-link-to-link", *dir);
		if (symlink("attack-link", deep) == 0)
			tell(deep);
		unlink(deep);
		if (symlink("/proc/self/root/", deep) == 0) {
			snprintf(text, sizeof text, "%s/%s", deep, answer);
			tell(text);
		}
		unlink(deep);
		unlink(link);
		// Of another process.
		snprintf(text, sizeof text, "/proc/%d/root", judge);
		if (symlink(text, deep) == 0) {
			snprintf(text, sizeof text, "%s/%s", deep, answer);
			tell(text);
		}
		unlink(deep);
	}
	return verdict();
}
