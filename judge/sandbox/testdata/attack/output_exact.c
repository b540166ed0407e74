// limits: output=1M
// least: process
// want: exit=0 exceeded=none output=1048576
// Innocent: writes just as much as it may, by halves to both.
#include "attack.h"
int main(int argc, char **argv) {
	static char half[1 << 19];
	for (int fd = 1; fd <= 2; fd++)
		for (size_t at = 0; at < sizeof half;) {
			ssize_t n = write(fd, half + at, sizeof half - at);
			if (n < 0)
				return 1;
			at += n;
		}
	return 0;
}
