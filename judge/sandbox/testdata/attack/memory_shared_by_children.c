// limits: memory=100M
// least: process
// want: exit=0 exceeded=none memory>=60M memory<=99M
// Innocent: four processes share 60 MiB.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	char *p = malloc(60 << 20);
	memset(p, 1, 60 << 20);
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			volatile long sum = 0;
			for (int round = 0; round < 20; round++) {
				for (int at = 0; at < 60 << 20; at += 64)
					sum += p[at];
				usleep(5000);
			}
			_exit(0);
		}
	while (wait(0) > 0)
		;
	return 0;
}
