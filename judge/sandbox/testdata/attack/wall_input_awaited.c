// limits: wall=200ms
// least: process
// want: exceeded=wall signal=SIGKILL
// Waits for input from a pipe of its own that nobody fills.
#include <unistd.h>
int main(void) {
	int p[2];
	char c;
	return pipe(p) == 0 && read(p[0], &c, 1) == 1;
}
