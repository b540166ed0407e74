// limits: memory=64M files=1000M
// least: box
// needs: memory
// want: exceeded=memory memory>=64M
// What lies in files in memory is memory.
#include "attack.h"
int main(int argc, char **argv) {
	static char block[1 << 20];
	aim(argv);
	if (!boxed())
		return 2;
	memset(block, 1, sizeof block);
	for (const char *const *path = (const char *const[]){"/dev/shm/large", "/tmp/large", NULL}; *path; path++) {
		int fd = open(*path, O_CREAT | O_WRONLY, 0600);
		for (int i = 0; i < 200 && write(fd, block, sizeof block) > 0; i++)
			;
	}
	return 0;
}
