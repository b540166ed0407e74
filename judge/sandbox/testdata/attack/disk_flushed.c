// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Has the machine write all that it holds to its disks, again and again: that
// takes the program no CPU time, and others their disk.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	int root = open("/", O_RDONLY | O_DIRECTORY);
	allowed("flush the disk that the root is on", syncfs(root));
	if (syscall(SYS_sync) == 0)
		managed("flush all disks");
	return verdict();
}
