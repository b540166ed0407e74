// least: guarded
// want: exit=0 exceeded=none
// In another cgroup than its own it would be counted nowhere.
#include "attack.h"
static void leave(const char *root) {
	char path[8192], own[32];
	snprintf(own, sizeof own, "%d", getpid());
	snprintf(path, sizeof path, "%s/cgroup.procs", root);
	if (spill(path, own) > 0)
		managed("enter %s", path);
	snprintf(path, sizeof path, "%s/attack", root);
	if (mkdir(path, 0700) == 0) {
		managed("make %s", path);
		rmdir(path);
	}
}
int main(int argc, char **argv) {
	char path[600];
	aim(argv);
	leave("/sys/fs/cgroup");
	DIR *dir = opendir("/sys/fs/cgroup");
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] != '.') {
			snprintf(path, sizeof path, "/sys/fs/cgroup/%s", e->d_name);
			leave(path);
		}
	return verdict();
}
