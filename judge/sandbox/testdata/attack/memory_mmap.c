// limits: memory=64M
// least: process
// want: exceeded=memory memory>=64M
// By shared anonymous maps, which are files in memory to the kernel.
#include <string.h>
#include <sys/mman.h>
int main(void) {
	for (;;) {
		char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			return 1;
		memset(p, 1, 1 << 20);
	}
}
