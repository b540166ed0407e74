// limits: memory=64M filesize=1M
// acts: 6
// least: box
// needs: memory
// want: signal=SIGXFSZ exceeded=none
// Leaves so many files that the launcher has little memory to find out whether
// one of them is too large, and to take them away.
#include "attack.h"
int main(int argc, char **argv) {
	char path[256];
	aim(argv);
	if (!boxed())
		return 2;
	int files = act == 6 ? 10 : 28000 + 3000 * act;
	memset(path, 'x', sizeof path);
	memcpy(path, "/tmp/", 5);
	for (int i = 0; i < files; i++) {
		sprintf(path + 200, "%08d", i);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	raise(SIGXFSZ);
	return 1;
}
