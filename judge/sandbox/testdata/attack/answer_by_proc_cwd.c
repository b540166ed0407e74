// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Other processes have a root and a working folder, from which files can be
// reached.
#include "attack.h"
static void search(const char *pid) {
	char path[8192];
	snprintf(path, sizeof path, "/proc/%s/root%s", pid, answer);
	tell(path);
	snprintf(path, sizeof path, "/proc/%s/cwd/../../../../../../../../../..%s", pid, answer);
	tell(path);
	snprintf(path, sizeof path, "/proc/%s/cwd", pid);
	if (atoi(pid) != getpid() && chdir(path) == 0)
		managed("enter the working folder of process %s", pid);
	for (const char *const *name = (const char *const[]){"environ", "maps", "mem", "auxv", "syscall", "stack", "exe", NULL}; *name; name++) {
		snprintf(path, sizeof path, "/proc/%s/%s", pid, *name);
		if (atoi(pid) != getpid() && slurp(path, path + 4096, 4096) > 0)
			managed("read %s", path);
	}
}
int main(int argc, char **argv) {
	aim(argv);
	everyone(argv[3], search);
	return verdict();
}
