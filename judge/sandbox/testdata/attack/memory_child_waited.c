// least: process
// want: exit=0 exceeded=none memory>=50M memory<=60M
// The peak of a child that has ended counts.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	if (fork() == 0) {
		memset(malloc(50 << 20), 1, 50 << 20);
		_exit(0);
	}
	wait(0);
	return 0;
}
