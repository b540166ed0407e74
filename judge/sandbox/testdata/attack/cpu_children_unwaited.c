// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// The kernel adds the time of children to nobody's when SIGCHLD is ignored.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		if (fork() == 0) {
			while (clock() < CLOCKS_PER_SEC / 10)
				;
			_exit(0);
		}
		wait(0);
	}
}
