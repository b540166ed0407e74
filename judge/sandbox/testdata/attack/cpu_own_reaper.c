// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// Takes the place of the one to whom orphans fall.
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (fork() == 0) {
		if (fork() != 0)
			_exit(0);
		for (volatile unsigned n = 0;; n++)
			;
	}
	for (;;)
		pause();
}
