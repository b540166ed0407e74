// limits: output=1M
// least: process
// want: exceeded=output output>=1M
// Each child writes a little, and none is waited for.
#include "attack.h"
int main(int argc, char **argv) {
	static char block[4096];
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 20000; i++) {
		if (fork() == 0) {
			write(1 + (i & 1), block, sizeof block);
			_exit(0);
		}
		if (i % 8 == 0)
			wait(0);
	}
	return 0;
}
