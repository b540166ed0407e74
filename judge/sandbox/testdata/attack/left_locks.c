// acts: 2
// cmd: locks
// least: process
// want: exit=0 exceeded=none
// A daemon that was to outlive the run holds locks on what all can read.
#include "attack.h"
#include <sys/file.h>
int main(int argc, char **argv) {
	static const char *const files[] = {"/usr/bin/env", "/bin/sh", "/etc/passwd", "/usr", ".", NULL};
	int ready[2];
	aim(argv);
	if (act == 1 && pipe(ready) == 0 && fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		signal(SIGTERM, SIG_IGN);
		for (const char *const *file = files; *file && boxed(); file++)
			flock(open(*file, O_RDONLY), LOCK_EX | LOCK_NB);
		flock(open(argv[0], O_RDONLY), LOCK_EX | LOCK_NB);
		struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
		fcntl(open(argv[0], O_RDONLY), F_SETLK, &lock);
		fcntl(open(argv[0], O_RDONLY), F_SETLEASE, F_RDLCK);
		close(ready[0]);
		close(ready[1]);
		for (;;)
			pause();
	}
	if (act == 1) {
		char c;
		close(ready[1]);
		read(ready[0], &c, 1); // until it has its locks
		return 0;
	}
	// Nobody else runs this file, so nobody has a lock on it.
	if (flock(open(argv[0], O_RDONLY), LOCK_EX | LOCK_NB) != 0)
		managed("find a lock of the run before");
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
	if (fcntl(open(argv[0], O_RDONLY), F_SETLK, &lock) != 0)
		managed("find a lock by fcntl of the run before");
	return verdict();
}
