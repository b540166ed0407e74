// limits: memory=32M
// least: process
// want: exceeded=memory memory>=32M
// Over the limit for so short a time that a look may miss it.
#include <string.h>
#include <sys/mman.h>
int main(void) {
	char *p = mmap(0, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 1, 48 << 20);
	return munmap(p, 48 << 20);
}
