// least: process
// want: exceeded=processes
// The dead that nobody waits for fill the process table, too.
#include "bounded.h"
int main(void) {
	bounded();
	while (trying())
		if (fork() == 0) {
			born();
			_exit(0);
		}
	linger();
}
