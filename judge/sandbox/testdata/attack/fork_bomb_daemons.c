// least: process
// want: exceeded=processes
// No child has its parent for long.
#include "bounded.h"
int main(void) {
	bounded();
	while (trying()) {
		if (fork() == 0) {
			born();
			setsid();
			if (fork() != 0)
				_exit(0);
			fork();
			linger();
		}
		usleep(100);
	}
	linger();
}
