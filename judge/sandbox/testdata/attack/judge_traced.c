// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Looks into the judge, the launcher and whoever else is there, by the means of
// debuggers.
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
static void look(pid_t pid) {
	char path[64], byte;
	struct iovec to = {&byte, 1}, from = {(void *)0x400000, 1};
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0)
		managed("trace process %d", pid);
	if (process_vm_readv(pid, &to, 1, &from, 1, 0) >= 0 || errno == EFAULT)
		managed("read the memory of process %d", pid);
	snprintf(path, sizeof path, "/proc/%d/mem", pid);
	if (open(path, O_RDWR) >= 0)
		managed("open %s", path);
	if (syscall(SYS_kcmp, pid, getpid(), 3, 0, 0) >= 0)
		managed("compare itself with process %d", pid);
	int handle = syscall(SYS_pidfd_open, pid, 0);
	for (int fd = 0; handle >= 0 && fd < 64; fd++) {
		int copy = syscall(SYS_pidfd_getfd, handle, fd, 0);
		if (copy < 0)
			continue;
		managed("take descriptor %d of process %d%s", fd, pid, tells(copy) ? ", which is the answer" : "");
		close(copy);
	}
	if (handle >= 0 && syscall(SYS_process_madvise, handle, &from, 1, 20 /* MADV_COLD */, 0) >= 0)
		managed("advise about the memory of process %d", pid);
}
int main(int argc, char **argv) {
	aim(argv);
	look(judge);
	look(getppid());
	if (getppid() != 1)
		look(1);
	return verdict();
}
