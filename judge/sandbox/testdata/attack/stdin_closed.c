// stdin: 50M
// least: process
// want: exit=0 exceeded=none
// Closes everything that it was given, and goes on.
#include "attack.h"
int main(int argc, char **argv) {
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	usleep(10000);
	return open("/dev/null", O_RDWR) == 0 ? 0 : 1;
}
