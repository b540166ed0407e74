// least: box
// want: exit=0 exceeded=none
// In a box it has nobody but its children to kill.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	if (!boxed())
		return 2;
	pid_t child = fork();
	if (child == 0)
		for (;;)
			pause();
	kill(-1, SIGKILL);
	kill(-1, SIGSTOP);
	int status;
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
		return 3;
	return 0;
}
