// cmd: scratch
// acts: 2
// limits: files=64M
// least: guarded
// want: exit=0 exceeded=none files<=1M
// Would leave a core as large as its memory, in each of many processes.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_CORE, &most);
	if (act == 1) {
		memset(malloc(8 << 20), 1, 8 << 20);
		for (int i = 0; i < 10; i++)
			if (fork() == 0)
				abort();
	}
	while (wait(0) > 0)
		;
	for (const char *const *dir = (const char *const[]){".", "/tmp", "/var/crash", "/", NULL}; *dir; dir++) {
		DIR *d = opendir(*dir);
		for (struct dirent *e; d && (e = readdir(d));)
			if (strncmp(e->d_name, "core", 4) == 0)
				managed("leave %s/%s", *dir, e->d_name);
	}
	return verdict();
}
