// limits: cpu=300ms
// least: process
// want: exceeded=cpu signal=SIGKILL
#include <signal.h>
int main(void) {
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	for (int i = 1; i < 65; i++)
		signal(i, SIG_IGN);
	for (volatile unsigned n = 0;; n++)
		;
}
