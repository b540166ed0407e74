// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Not to kill the judge but to hold it up: by priority, processors, limits. Each
// call but one sets what is there already.
#include "attack.h"
#include <linux/ioprio.h>
static void hold(const char *who, pid_t pid) {
	cpu_set_t cores;
	struct sched_param param = {0};
	errno = 0;
	int nice = getpriority(PRIO_PROCESS, pid);
	if (errno == 0 && setpriority(PRIO_PROCESS, pid, nice) == 0)
		managed("set the priority of %s", who);
	if (sched_getaffinity(pid, sizeof cores, &cores) == 0 && sched_setaffinity(pid, sizeof cores, &cores) == 0)
		managed("set the processors of %s", who);
	// The call may succeed and do nothing, so this one sets something else, and asks.
	if (sched_setscheduler(pid, SCHED_BATCH, &param) == 0 && sched_getscheduler(pid) == SCHED_BATCH && sched_setscheduler(pid, SCHED_OTHER, &param) == 0)
		managed("set the scheduling of %s", who);
	struct rlimit limit;
	if (prlimit(pid, RLIMIT_NOFILE, NULL, &limit) == 0 && prlimit(pid, RLIMIT_NOFILE, &limit, NULL) == 0)
		managed("set the limits of %s", who);
	long io = syscall(SYS_ioprio_get, 1, pid);
	if (io >= 0 && syscall(SYS_ioprio_set, 1, pid, io) == 0)
		managed("set the disk priority of %s", who);
	char path[64], value[64];
	for (const char *const *name = (const char *const[]){"oom_score_adj", "autogroup", "timerslack_ns", "coredump_filter", "clear_refs", NULL}; *name; name++) {
		snprintf(path, sizeof path, "/proc/%d/%s", pid, *name);
		if (slurp(path, value, sizeof value) > 0 && spill(path, value) > 0)
			managed("write to %s", path);
	}
}
int main(int argc, char **argv) {
	aim(argv);
	hold("the judge", judge);
	hold("its parent", getppid());
	hold("process 1", 1);
	// Of a user who has no processes: it would be done if there were any. In a box
	// that root made it has a user of its own.
	if (setpriority(PRIO_USER, 0x6ffffffe, 0) == -1 && errno == ESRCH && getuid() < 0x70000000)
		managed("set the priority of all processes of a user");
	return verdict();
}
