// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: error=launcher
// Sends every signal to its parent, and dies of none itself.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	pid_t parent = getppid();
	for (int round = 0; round < 2; round++)
		for (int i = 1; i <= 64; i++) {
			int number = round == 0 && i == SIGSTOP ? SIGCONT : i; // first those that could end it
			kill(parent, number);
			syscall(SYS_tgkill, parent, parent, number);
			usleep(100);
		}
	usleep(20000);
	return getppid() == parent ? 0 : 1;
}
