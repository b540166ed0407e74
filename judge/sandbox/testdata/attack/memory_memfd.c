// limits: memory=64M
// least: process
// needs: memory
// want: exceeded=memory memory>=64M
// A file in memory without a name, which is mapped by nobody.
#include "attack.h"
#include <sys/mman.h>
int main(int argc, char **argv) {
	static char block[1 << 20];
	int fd = memfd_create("large", 0);
	memset(block, 1, sizeof block);
	for (int i = 0; i < 300 && write(fd, block, sizeof block) > 0; i++)
		;
	return 0;
}
