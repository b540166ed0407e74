// least: process
// want: exit=0 exceeded=none
// Parent and child send each other signals, wait for them, and end by them.
#include "attack.h"
#include <sys/signalfd.h>
#include <time.h>
static volatile sig_atomic_t seen;
static void handle(int number) { seen++; }
int main(int argc, char **argv) {
	int status;
	sigset_t set, old;
	signal(SIGUSR1, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		kill(parent, SIGUSR1);
		sigsuspend(&old);
		_exit(seen == 1 ? 5 : 6);
	}
	sigsuspend(&old);
	kill(child, SIGUSR1);
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 5 || seen != 1)
		return 1;
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	kill(child, SIGTERM);
	if (waitpid(child, &status, 0) != child || WTERMSIG(status) != SIGTERM)
		return 2;
	if (kill(0, 0) != 0 || kill(getpid(), 0) != 0 || raise(0) != 0)
		return 3;
	alarm(1);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	timer_t timer;
	if (timer_create(CLOCK_MONOTONIC, NULL, &timer) != 0)
		return 4;
	struct itimerspec soon = {{0}, {0, 1000000}};
	timer_settime(timer, 0, &soon, NULL);
	if (sigwaitinfo(&set, NULL) != SIGALRM)
		return 5;
	kill(getpid(), SIGUSR1);
	struct signalfd_siginfo info;
	if (read(signalfd(-1, &set, 0), &info, sizeof info) != sizeof info || info.ssi_signo != SIGUSR1)
		return 6;
	return 0;
}
