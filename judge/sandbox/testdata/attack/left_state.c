// acts: 2
// least: guarded
// want: exit=0 exceeded=none
// What a process can set, of itself and of those that are before it: does the
// next one begin with it? Act 1 prints what it finds, and act 2 reads that.
#include "attack.h"
#include <sys/personality.h>
#include <sys/utsname.h>
#include <time.h>
static void state(FILE *out) {
	char text[4096];
	mode_t mask = umask(0);
	umask(mask);
	fprintf(out, "umask %o nice %d policy %d personality %d slack %d\n", mask, getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), personality(-1), prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	fprintf(out, "dumpable %d ioprio %ld\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), syscall(SYS_ioprio_get, 1, 0));
	cpu_set_t cores;
	sched_getaffinity(0, sizeof cores, &cores);
	fprintf(out, "cores %d\n", CPU_COUNT(&cores));
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit;
		getrlimit(i, &limit);
		if (i != RLIMIT_NPROC) // is set by how many there are
			fprintf(out, "limit %d %lx %lx\n", i, (long)limit.rlim_cur, (long)limit.rlim_max);
	}
	struct utsname name;
	uname(&name);
	fprintf(out, "host %s %s\n", name.nodename, name.domainname);
	if (slurp("/proc/self/oom_score_adj", text, sizeof text) > 0)
		fprintf(out, "oom %s\n", text);
	if (slurp("/proc/self/coredump_filter", text, sizeof text) > 0)
		fprintf(out, "filter %s\n", text);
	sigset_t set;
	sigprocmask(SIG_BLOCK, NULL, &set);
	fprintf(out, "blocked %lx pending ", *(unsigned long *)&set);
	sigpending(&set);
	fprintf(out, "%lx flags %d %d %d %d\n", *(unsigned long *)&set, fcntl(0, F_GETFL), fcntl(1, F_GETFL), fcntl(2, F_GETFL), getsid(0) == getpid());
	if (getcwd(text, sizeof text))
		fprintf(out, "folder %s\n", text);
	extern char **environ;
	for (char **e = environ; *e; e++)
		fprintf(out, "%s\n", *e);
}
static void change(pid_t pid) {
	struct rlimit low = {0, 0};
	prlimit(pid, RLIMIT_CORE, &low, NULL);
	low = (struct rlimit){123, 234};
	prlimit(pid, RLIMIT_MSGQUEUE, &low, NULL);
	prlimit(pid, RLIMIT_SIGPENDING, &low, NULL);
	low = (struct rlimit){1 << 20, 1 << 20};
	prlimit(pid, RLIMIT_STACK, &low, NULL);
	setpriority(PRIO_PROCESS, pid, 7);
	syscall(SYS_ioprio_set, 1, pid, 3 << 13);
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(pid, sizeof one, &one);
	struct sched_param param = {0};
	sched_setscheduler(pid, SCHED_BATCH, &param);
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
	spill(path, "500");
	snprintf(path, sizeof path, "/proc/%d/coredump_filter", pid);
	spill(path, "0");
	snprintf(path, sizeof path, "/proc/%d/timerslack_ns", pid);
	spill(path, "1000000");
}
int main(int argc, char **argv) {
	static char now[1 << 16], before[1 << 16];
	aim(argv);
	FILE *out = fmemopen(now, sizeof now, "w");
	state(out);
	fclose(out);
	if (act == 1) {
		fputs(now, stdout);
		fflush(stdout);
		change(getppid());
		if (boxed())
			change(1);
		setpriority(PRIO_PGRP, getpgid(getppid()), 7);
		umask(0777);
		fcntl(0, F_SETFL, O_NONBLOCK | O_APPEND);
		fcntl(1, F_SETFL, O_NONBLOCK | O_APPEND);
		fcntl(1, F_SETPIPE_SZ, 4096);
		change(0);
		return 0;
	}
	read(0, before, sizeof before - 1);
	if (strcmp(now, before) != 0)
		managed("begin differently after the run before:\n%s\nnow:\n%s", before, now);
	return verdict();
}
