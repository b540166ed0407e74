// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// The program has long slept when a burner has come and gone.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
	int done[2];
	char byte;
	if (pipe(done) != 0)
		return 1;
	if (fork() == 0) {
		if (fork() != 0)
			_exit(0);
		while (clock() < CLOCKS_PER_SEC * 4 / 10)
			;
		_exit(0);
	}
	close(done[1]);
	wait(0);
	return read(done[0], &byte, 1) != 0;
}
