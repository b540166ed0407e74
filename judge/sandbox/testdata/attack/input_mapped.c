// least: process
// want: exit=0 exceeded=none
// Innocent: maps its input, and goes back in it.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
	char first[6], again[6];
	char *p = mmap(0, 6, PROT_READ, MAP_SHARED, 0, 0);
	if (p == MAP_FAILED || memcmp(p, "input\n", 6) != 0)
		return 1;
	if (read(0, first, 6) != 6 || lseek(0, 0, SEEK_SET) != 0 || read(0, again, 6) != 6)
		return 2;
	return memcmp(first, again, 6) == 0 ? 0 : 3;
}
