// least: process
// want: exit=0 exceeded=none output=6
// Who holds the pipe open does not hold the judge.
#include <stdio.h>
#include <unistd.h>
int main(void) {
	puts("hello");
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		for (;;)
			pause();
	}
	return 0;
}
