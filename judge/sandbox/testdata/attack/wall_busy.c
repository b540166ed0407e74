// limits: wall=300ms
// least: process
// want: exceeded=wall signal=SIGKILL
// Now and then a little work, and never so much that it counts.
#include <time.h>
#include <unistd.h>
int main(void) {
	for (;;) {
		for (volatile int n = 0; n < 1000; n++)
			;
		usleep(1000);
	}
}
