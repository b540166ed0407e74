// limits: output=1M
// least: process
// want: exceeded=output output>=1M
// Not by write where that can be avoided: by splicing, with a pipe made larger,
// that does not block.
#include "attack.h"
#include <poll.h>
#include <sys/uio.h>
int main(int argc, char **argv) {
	static char block[1 << 16];
	struct iovec part = {block, sizeof block};
	fcntl(1, F_SETPIPE_SZ, 1 << 20);
	fcntl(1, F_SETFL, O_NONBLOCK);
	for (;;) {
		struct pollfd ready = {1, POLLOUT, 0};
		poll(&ready, 1, -1);
		if (vmsplice(1, &part, 1, 0) < 0 && errno != EAGAIN && write(1, block, sizeof block) < 0 && errno != EAGAIN)
			return 1;
	}
}
