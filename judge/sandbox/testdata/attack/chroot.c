// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// The classical way out of a changed root: a working folder that is outside of
// the next one.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	mkdir("cell", 0700);
	int here = open("/", O_RDONLY | O_DIRECTORY);
	if (chroot("cell") == 0) {
		managed("change its root");
		if (fchdir(here) == 0) {
			for (int i = 0; i < 100; i++)
				if (chdir("..") != 0)
					break;
			if (chroot(".") == 0)
				tell(answer);
		}
	}
	reached("pivot_root", syscall(SYS_pivot_root, "/", "/no such"));
	rmdir("cell");
	return verdict();
}
