// limits: output=64M
// least: guarded
// want: exit=0 exceeded=none output<=0
// bare: user
// without: exit=1
// Passes data on by reference, which no count of written bytes sees: an
// interaction's limit of 8 MiB let 1024 MiB through.
#include "attack.h"
#include <sys/uio.h>
int main(int argc, char **argv) {
	static char block[4096];
	struct iovec part = {block, sizeof block};
	int full[2], other[2];
	aim(argv);
	if (pipe(full) != 0 || pipe(other) != 0 || write(full[1], block, sizeof block) != sizeof block)
		return 2;
	allowed("put memory into stdout by vmsplice", vmsplice(1, &part, 1, 0));
	allowed("copy a pipe to stdout by tee", tee(full[0], 1, sizeof block, SPLICE_F_NONBLOCK));
	allowed("move a file to stdout by splice", splice(open("/dev/zero", O_RDONLY), NULL, 1, NULL, sizeof block, 0));
	allowed("move a pipe to another by splice", splice(full[0], NULL, other[1], NULL, sizeof block, SPLICE_F_NONBLOCK));
	return verdict();
}
