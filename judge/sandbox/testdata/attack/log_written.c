// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// A filter of its own can have the kernel write a line into the machine's log
// for each call, and can hold a call up for another process to answer.
#include "attack.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
int main(int argc, char **argv) {
	aim(argv);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog all = {1, allow};
	allowed("make a filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all));
	allowed("make a filter by prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0));
	allowed("make a filter with a listener", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 8 /* SECCOMP_FILTER_FLAG_NEW_LISTENER */, &all));
	return verdict();
}
