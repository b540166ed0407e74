// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Readable memory becomes executable, page 0 can be had, and so on.
#include "attack.h"
#include <sys/mman.h>
#include <sys/personality.h>
int main(int argc, char **argv) {
	aim(argv);
	for (const unsigned long *p = (const unsigned long[]){READ_IMPLIES_EXEC, MMAP_PAGE_ZERO, ADDR_COMPAT_LAYOUT, PER_LINUX32, UNAME26, 0}; *p; p++)
		if (personality(*p) != -1)
			managed("take personality %#lx", *p);
	if (mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == 0)
		managed("map page 0");
	return verdict();
}
