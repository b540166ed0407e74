// least: process
// want: exit=0 exceeded=none
// The judge has left the answer open for its children.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (int fd = 0; fd < 1 << 16; fd++)
		if (tells(fd))
			managed("read the answer from descriptor %d", fd);
	// As they are in /proc, one that was opened for nothing could be opened anew.
	char path[64];
	for (int fd = 0; fd < 1024; fd++) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		tell(path);
	}
	// A socket to someone who has more.
	for (int fd = 0; fd < 1024; fd++) {
		struct stat s;
		if (fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode))
			managed("find a socket at descriptor %d", fd);
		if (fd > 2 && fstat(fd, &s) == 0)
			managed("find descriptor %d open", fd);
	}
	return verdict();
}
