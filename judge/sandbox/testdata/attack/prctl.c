// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Settings of its own that would undo what holds it.
#include "attack.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <stddef.h>
int main(int argc, char **argv) {
	aim(argv);
	prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		managed("be allowed new privileges");
	prctl(PR_SET_SECCOMP, 0, 0, 0, 0);
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2)
		managed("run without a filter");
	allowed("set securebits", prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS | SECBIT_NO_SETUID_FIXUP, 0, 0, 0));
	allowed("move its code", prctl(PR_SET_MM, PR_SET_MM_START_CODE, main, 0, 0));
	// A filter of its own that allows everything is only one more.
	struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog all = {1, allow};
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0);
	if (unshare(CLONE_NEWNS) == 0)
		managed("lift the filter by another one");
	// The program dies with its launcher unless it takes that back; then it must be
	// found otherwise. So it leaves someone.
	prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	prctl(PR_SET_NAME, ") R 1 1 1", 0, 0, 0); // reads like a line of /proc/PID/stat
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			for (;;)
				pause();
		_exit(0);
	}
	return verdict();
}
