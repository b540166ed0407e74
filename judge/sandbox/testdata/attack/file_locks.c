// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// A lock on a file that others see as well says something to them: its own
// program, which is the same file in all runs, and those of the machine.
#include "attack.h"
#include <sys/file.h>
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *path = (const char *const[]){argv[0], boxed() ? "/usr" : ".", NULL}; *path; path++) {
		int fd = open(*path, O_RDONLY), other = open(*path, O_RDONLY);
		if (fd < 0 || other < 0)
			return 2;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && flock(other, LOCK_EX | LOCK_NB) != 0)
			managed("show others a lock on %s", *path);
		// A process is not shown its own locks, but those of open files are others'.
		for (const int *set = (const int[]){F_SETLK, F_OFD_SETLK, 0}; *set; set++) {
			struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET}, seen = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
			if (fcntl(fd, *set, &lock) == 0 && fcntl(other, *set == F_SETLK ? F_OFD_GETLK : F_GETLK, &seen) == 0 && seen.l_type == F_RDLCK)
				managed("show others a lock on %s by command %d of fcntl", *path, *set);
			lock.l_type = F_UNLCK;
			fcntl(fd, *set, &lock);
		}
		if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0 || fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
			managed("have a lease of %s", *path);
	}
	return verdict();
}
