// limits: processes=16
// least: process
// want: exceeded=processes
// Always one step ahead: every process forks and ends, so that a number that
// was just read is that of a dead one.
#include "bounded.h"
int main(void) {
	bounded();
	for (int i = 0; i < 32; i++)
		if (fork() == 0) {
			setsid();
			while (trying())
				switch (fork()) {
				case 0:
					born();
				case -1:
					break;
				default:
					_exit(0);
				}
			linger();
		}
	linger();
}
