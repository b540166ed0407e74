// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	for (int i = 0; i < 3; i++)
		if (fork() == 0)
			for (volatile unsigned n = 0;; n++)
				;
	while (wait(0) > 0)
		;
	return 0;
}
