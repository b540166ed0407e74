// least: guarded
// want: exit=0 exceeded=none
// Types commands into the terminal that the judge was started from.
#include "attack.h"
#include <sys/ioctl.h>
#ifndef TIOCLINUX
#define TIOCLINUX 0x541c
#endif
int main(int argc, char **argv) {
	char path[64], paste = 3, c = '\n';
	aim(argv);
	for (int i = -4; i < 64; i++) {
		if (i < 0)
			strcpy(path, (const char *[]){"/dev/tty", "/dev/console", "/dev/ptmx", "/dev/pts/ptmx"}[i + 4]);
		else
			snprintf(path, sizeof path, "/dev/pts/%d", i);
		int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
		if (fd >= 0)
			managed("open %s", path);
	}
	for (int fd = 0; fd < 3; fd++)
		if (isatty(fd))
			managed("find a terminal at descriptor %d", fd);
	errno = 0;
	if (ioctl(0, TIOCSTI, &c) == 0 || errno != EPERM)
		managed("get through TIOCSTI: %s", strerror(errno));
	if (ioctl(0, TIOCLINUX, &paste) == 0 || errno != EPERM)
		managed("get through TIOCLINUX: %s", strerror(errno));
	// The kernel takes the lower half of the number only.
	if (syscall(SYS_ioctl, 0, 0x100000000 | TIOCSTI, &c) == 0 || errno != EPERM)
		managed("get through TIOCSTI with a longer number: %s", strerror(errno));
	return verdict();
}
