// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// The burner is nobody's child, in a session of its own.
#include <unistd.h>
int main(void) {
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		for (volatile unsigned n = 0;; n++)
			;
	}
	for (;;)
		pause();
}
