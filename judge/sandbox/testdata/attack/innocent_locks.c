// cmd: scratch
// cmd: locks
// least: process
// want: exit=0 exceeded=none
// A compiler's locks on files of its own keep its other processes out.
#include "attack.h"
#include <sys/file.h>
int main(int argc, char **argv) {
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open("lock", O_CREAT | O_RDWR, 0600), other = open("lock", O_RDWR), status;
	if (fd < 0 || other < 0 || flock(fd, LOCK_EX) != 0)
		return 1;
	if (flock(other, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 2;
	if (flock(fd, LOCK_UN) != 0 || flock(other, LOCK_EX | LOCK_NB) != 0)
		return 3;
	if (fcntl(fd, F_SETLKW, &lock) != 0)
		return 4;
	pid_t child = fork();
	if (child == 0) {
		if (fcntl(other, F_SETLK, &lock) == 0)
			_exit(1);
		_exit(fcntl(other, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK && lock.l_pid == getppid() ? 0 : 2);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return 5;
	lock.l_type = F_UNLCK;
	if (fcntl(fd, F_SETLK, &lock) != 0)
		return 6;
	lock.l_type = F_WRLCK;
	if (fcntl(fd, F_OFD_SETLK, &lock) != 0 || fcntl(other, F_OFD_SETLK, &lock) == 0)
		return 7;
	return 0;
}
