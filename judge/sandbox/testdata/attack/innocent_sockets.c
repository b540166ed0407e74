// least: process
// want: exit=0 exceeded=none
// Pipes, pairs of sockets and event files between its own processes, and looking
// for a name server in vain.
#include "attack.h"
#include <netdb.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/un.h>
int main(int argc, char **argv) {
	int pair[2], status;
	char text[8] = "";
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		write(pair[1], "hello", 5);
		shutdown(pair[1], SHUT_WR);
		_exit(read(pair[1], text, 5) == 3 ? 0 : 1);
	}
	if (recv(pair[0], text, 5, MSG_WAITALL) != 5 || strcmp(text, "hello") != 0 || send(pair[0], "bye", 3, 0) != 3)
		return 2;
	if (waitpid(child, &status, 0) != child || status != 0)
		return 3;
	int event = eventfd(0, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0), many = epoll_create1(0);
	struct epoll_event e = {EPOLLIN};
	struct itimerspec soon = {{0}, {0, 1000000}};
	if (timerfd_settime(timer, 0, &soon, NULL) != 0 || epoll_ctl(many, EPOLL_CTL_ADD, event, &e) != 0 || epoll_ctl(many, EPOLL_CTL_ADD, timer, &e) != 0)
		return 4;
	if (epoll_wait(many, &e, 1, 5000) != 1)
		return 5;
	int in = socket(AF_INET, SOCK_STREAM, 0); // may fail, may not kill
	if (in >= 0)
		close(in);
	return 0;
}
