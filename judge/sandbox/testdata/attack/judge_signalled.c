// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// May it send signals to the judge, or to anyone? Signal 0 asks.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	if (kill(judge, 0) == 0)
		managed("signal the judge");
	if (syscall(SYS_tgkill, judge, judge, 0) == 0)
		managed("signal a thread of the judge");
	union sigval value = {0};
	if (sigqueue(judge, 0, value) == 0)
		managed("queue a signal for the judge");
	int handle = syscall(SYS_pidfd_open, judge, 0);
	if (handle >= 0 && syscall(SYS_pidfd_send_signal, handle, 0, NULL, 0) == 0)
		managed("signal the judge by a handle");
	if (kill(getppid(), 0) == 0)
		managed("signal its parent");
	int others = 0;
	for (pid_t pid = 1; pid < 1 << 17; pid++)
		if (pid != getpid() && kill(pid, 0) == 0)
			others++;
	if (others > 0)
		managed("signal %d others", others);
	return verdict();
}
