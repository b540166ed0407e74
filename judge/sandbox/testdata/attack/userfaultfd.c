// least: guarded
// want: exit=0 exceeded=none
// Holds up the kernel in the middle of reading its memory.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	allowed("handle page faults", syscall(SYS_userfaultfd, O_CLOEXEC));
	allowed("handle its own page faults", syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */));
	if (open("/dev/userfaultfd", O_RDWR) >= 0)
		managed("open /dev/userfaultfd");
	return verdict();
}
