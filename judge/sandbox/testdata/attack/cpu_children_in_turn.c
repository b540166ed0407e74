// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// No child comes near the limit; each is waited for.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
	for (;;) {
		if (fork() == 0) {
			while (clock() < CLOCKS_PER_SEC / 50)
				;
			_exit(0);
		}
		wait(0);
	}
}
