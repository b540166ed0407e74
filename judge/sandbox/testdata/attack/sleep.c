// limits: wall=200ms
// least: process
// want: exceeded=wall signal=SIGKILL
#include <unistd.h>
int main(void) {
	for (;;)
		pause();
}
