// least: process
// want: exit=0 exceeded=none
// As many open files as it may have, and as many again on their way through
// sockets.
#include "attack.h"
int main(int argc, char **argv) {
	int opened = 0, pair[2];
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < 20000 ? limit.rlim_max : 20000;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair) == 0 && opened < 20000) {
		opened++;
		for (int i = 0; i < 10; i++) {
			char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
			struct iovec part = {&byte, 1};
			struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
			struct cmsghdr *c = CMSG_FIRSTHDR(&m);
			c->cmsg_level = SOL_SOCKET;
			c->cmsg_type = SCM_RIGHTS;
			c->cmsg_len = CMSG_LEN(sizeof(int));
			memcpy(CMSG_DATA(c), &pair[1], sizeof(int)); // each holds itself open
			if (sendmsg(pair[0], &m, 0) < 0)
				break;
		}
		if (opened == 500)
			break;
	}
	return 0;
}
