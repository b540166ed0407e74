// limits: memory=100M
// least: process
// needs: memory
// want: exceeded=memory memory>=100M
// Data in pipes and sockets is in no process's memory. A write can also fail at the
// limit, without an end of the program; then 50 MiB of its own exceed it.
#include "attack.h"
#include <sys/socket.h>
int main(int argc, char **argv) {
	static char block[1 << 16];
	memset(block, 1, sizeof block);
	for (int child = 0; child < 3; child++)
		if (fork() == 0)
			break;
	int pair[2];
	while (pipe2(pair, O_NONBLOCK) == 0) {
		fcntl(pair[1], F_SETPIPE_SZ, 1 << 20);
		while (write(pair[1], block, sizeof block) > 0)
			;
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0)
			while (write(pair[1], block, sizeof block) > 0)
				;
	}
	memset(malloc(50 << 20), 1, 50 << 20);
	while (wait(0) > 0)
		;
	return 0;
}
