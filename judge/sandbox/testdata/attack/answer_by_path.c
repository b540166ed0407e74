// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// The plain way, and a guess that the answer lies beside the input.
#include "attack.h"
int main(int argc, char **argv) {
	char path[4096];
	aim(argv);
	tell(answer);
	snprintf(path, sizeof path, "/proc/self/root%s", answer);
	tell(path);
	snprintf(path, sizeof path, "/proc/thread-self/root%s", answer);
	tell(path);
	ssize_t n = readlink("/proc/self/fd/0", path, sizeof path - 5);
	if (n > 0 && path[0] == '/') {
		path[n] = 0;
		char *dot = strrchr(path, '.');
		strcpy(dot ? dot : path + n, ".ans");
		tell(path);
	}
	DIR *dir = opendir("/tmp");
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (strncmp(e->d_name, "judge", 5) == 0) {
			snprintf(path, sizeof path, "/tmp/%s/1.ans", e->d_name);
			tell(path);
		}
	return verdict();
}
