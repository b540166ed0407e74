// cmd: scratch
// limits: files=8M
// least: box
// want: exit=0 exceeded=files files>=20M files<=25M
// Writes to files without end. There is an end to the room, and what it had is
// counted.
#include "attack.h"
int main(int argc, char **argv) {
	static char block[1 << 16];
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *path = (const char *const[]){"large", "/tmp/large", "/dev/shm/large", NULL}; *path; path++) {
		int fd = open(*path, O_CREAT | O_WRONLY, 0600), n = 0;
		if (fd < 0)
			managed("lose a folder that it can write to: %s", *path);
		while (n < 1000 && write(fd, block, sizeof block) > 0)
			n++;
		if (n * sizeof block > 9 << 20) // a little more, so that the limit is passed
			managed("write %d blocks to %s", n, *path);
	}
	return verdict();
}
