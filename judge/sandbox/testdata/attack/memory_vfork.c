// limits: memory=100M
// least: process
// want: exit=0 exceeded=none memory>=60M memory<=99M
// Innocent: a child lives in its parent's memory until it executes.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	memset(malloc(60 << 20), 1, 60 << 20);
	for (int i = 0; i < 20; i++) {
		if (vfork() == 0) {
			usleep(10000);
			execl("/bin/true", "true", (char *)0);
			_exit(1);
		}
		int status;
		wait(&status);
		if (status != 0)
			return 1;
	}
	return 0;
}
