// least: process
// want: exit=3 exceeded=none
// The program has ended when its first process has.
#include <unistd.h>
int main(void) {
	if (fork() == 0)
		for (volatile unsigned n = 0;; n++)
			;
	return 3;
}
