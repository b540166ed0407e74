// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// A container was once left by writing to the program that had started it.
#include "attack.h"
int main(int argc, char **argv) {
	char path[64], head[64];
	aim(argv);
	for (pid_t pid = getppid();; pid = judge) {
		snprintf(path, sizeof path, "/proc/%d/exe", pid);
		int fd = open(path, O_WRONLY);
		if (fd >= 0)
			managed("open %s for writing", path);
		if (slurp(path, head, sizeof head) > 0)
			managed("read %s", path);
		if (pid == judge)
			break;
	}
	// Its own, by the same way.
	int fd = open("/proc/self/exe", O_WRONLY);
	if (fd >= 0)
		managed("open its own program for writing");
	return verdict();
}
