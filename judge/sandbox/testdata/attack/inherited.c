// least: process
// want: exit=0 exceeded=none
// A program begins with three open files, in a session of its own, with no
// signal blocked or ignored, and may leave no core.
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
	DIR *dir = opendir("/proc/self/fd");
	for (struct dirent *e; (e = readdir(dir));)
		if (e->d_name[0] != '.' && atoi(e->d_name) > 2 && atoi(e->d_name) != dirfd(dir))
			return 1;
	if (getsid(0) != getpid() || getpgrp() != getpid())
		return 2;
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, 0, &blocked);
	for (int i = 1; i < 32; i++) {
		struct sigaction a;
		sigaction(i, 0, &a);
		if (sigismember(&blocked, i) || a.sa_handler != SIG_DFL)
			return 3;
	}
	struct rlimit core;
	getrlimit(RLIMIT_CORE, &core);
	// 1 keeps a core from a program of the machine, too, if cores go there.
	return core.rlim_max <= 1 ? 0 : 4;
}
