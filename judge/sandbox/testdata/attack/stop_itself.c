// limits: wall=200ms
// least: process
// want: exceeded=wall signal=SIGKILL
#include <signal.h>
int main(void) {
	raise(SIGSTOP);
	return 0;
}
