// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// The judge has the answer open: so do its entries in /proc, for whoever may
// look there.
#include "attack.h"
static void search(const char *pid) {
	char path[600];
	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof path, "/proc/%s/fd/%d", pid, fd);
		tell(path);
	}
	snprintf(path, sizeof path, "/proc/%s/task", pid);
	DIR *tasks = opendir(path);
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		snprintf(path, sizeof path, "/proc/%s/task/%s/fd/%d", pid, e->d_name, judge_fd);
		tell(path);
	}
	if (tasks)
		closedir(tasks);
}
int main(int argc, char **argv) {
	aim(argv);
	everyone(argv[3], search);
	return verdict();
}
