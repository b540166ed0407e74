// limits: memory=64M filesize=1M processes=16
// least: guarded
// want: exit=0 exceeded=none
// Raises every limit above what is fixed.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit was, more, now;
		if (getrlimit(i, &was) != 0 || was.rlim_max == RLIM_INFINITY)
			continue;
		more = (struct rlimit){was.rlim_max + 1, was.rlim_max + 1};
		setrlimit(i, &more);
		prlimit(0, i, &more, NULL);
		prlimit(getpid(), i, &more, NULL);
		getrlimit(i, &now);
		if (now.rlim_max > was.rlim_max)
			managed("raise limit %d", i);
	}
	return verdict();
}
