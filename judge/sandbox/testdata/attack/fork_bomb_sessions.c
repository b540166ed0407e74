// least: process
// want: exceeded=processes
// Each child leaves the process group, so that no single kill reaches all, and
// where sessions are scheduled against each other, it has a share of its own.
#include "bounded.h"
int main(void) {
	bounded();
	while (trying())
		if (fork() == 0) {
			born();
			setsid();
		}
	linger();
}
