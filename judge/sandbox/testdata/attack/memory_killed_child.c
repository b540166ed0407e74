// limits: memory=64M
// least: process
// want: exceeded=memory memory>=64M
// The parent waits for a child that takes too much, and exits with 0 itself.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	if (fork() == 0)
		for (;;) {
			char *p = malloc(1 << 20);
			memset(p, 1, 1 << 20);
		}
	wait(0);
	_exit(0);
}
