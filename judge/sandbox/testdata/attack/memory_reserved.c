// limits: memory=64M
// least: process
// want: exit=0 exceeded=none memory<=20M
// Innocent: reserves 64 GiB, as Go, the JVM and sanitizers do, and uses little.
#include <sys/mman.h>
int main(void) {
	char *p = mmap(0, 64L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return 1;
	// Where huge pages are given to all who touch one byte, that would be 2 GiB.
	madvise(p, 64L << 30, MADV_NOHUGEPAGE);
	for (int i = 0; i < 1000; i++)
		p[(long)i << 20] = 1;
	return 0;
}
