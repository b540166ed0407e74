// least: process
// want: exit=0 exceeded=none
// More open files than the usual limit of 256, which it first tries to raise.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (rlim_t n = 1 << 20; n > 256; n /= 2) {
		struct rlimit more = {n, n};
		setrlimit(RLIMIT_NOFILE, &more);
		struct rlimit soft = {n, 256};
		setrlimit(RLIMIT_NOFILE, &soft);
	}
	int opened = 3;
	while (opened < 300 && open("/dev/null", O_RDONLY) >= 0)
		opened++;
	if (opened >= 300)
		managed("have 300 files open");
	else if (errno != EMFILE)
		managed("be refused file %d for another reason: %s", opened, strerror(errno));
	else if (opened != 256)
		managed("be refused file %d", opened);
	return verdict();
}
