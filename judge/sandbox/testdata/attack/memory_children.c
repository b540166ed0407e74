// limits: memory=100M
// least: process
// want: exceeded=memory memory>=100M
// Each process is far below the limit, all together are not.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			memset(malloc(20 << 20), 1, 20 << 20);
			for (;;)
				pause();
		}
	while (wait(0) > 0)
		;
	return 0;
}
