// limits: cpu=300ms
// least: process
// want: exceeded=cpu output=6
// That stdout is at its end is not the end of the program.
#include <stdio.h>
#include <unistd.h>
int main(void) {
	puts("hello");
	fflush(stdout);
	close(1);
	close(2);
	for (volatile unsigned n = 0;; n++)
		;
}
