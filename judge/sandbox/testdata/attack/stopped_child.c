// least: process
// want: exit=0 exceeded=none
// Leaves children that are stopped, and some that wait for their own children.
#include "attack.h"
int main(int argc, char **argv) {
	for (int i = 0; i < 10; i++)
		if (fork() == 0) {
			if (fork() == 0 || i % 2)
				raise(SIGSTOP);
			wait(0);
			_exit(0);
		}
	usleep(5000);
	return 0;
}
