// cmd: scratch
// acts: 2
// least: process
// want: exit=0 exceeded=none files<=1M
// Files that are large only by their names: who copies or counts them naively
// fills a disk.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (int i = 0; i < 4; i++) {
		char name[16];
		snprintf(name, sizeof name, "sparse-%d", i);
		int fd = open(name, O_CREAT | O_RDWR, 0600);
		if (fd < 0 || ftruncate(fd, 1L << 40) != 0 || pwrite(fd, "x", 1, (1L << 40) - 1) != 1)
			return 1;
	}
	return 0;
}
