// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Comes before everyone on the machine, the judge included.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	errno = 0;
	if (nice(-1) != -1 || errno == 0)
		managed("be nice to a negative degree");
	for (const int *policy = (const int[]){SCHED_FIFO, SCHED_RR, 0}; *policy; policy++) {
		struct sched_param param = {1};
		if (sched_setscheduler(0, *policy, &param) == 0) {
			managed("be scheduled in real time");
			param.sched_priority = 0;
			sched_setscheduler(0, SCHED_OTHER, &param);
		}
	}
	struct {
		unsigned size, policy;
		unsigned long flags;
		int nice;
		unsigned priority;
		unsigned long runtime, deadline, period;
	} deadline = {48, 6 /* SCHED_DEADLINE */, 0, 0, 0, 10000000, 20000000, 20000000};
	allowed("be given deadlines", syscall(SYS_sched_setattr, 0, &deadline, 0));
	if (syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0)
		managed("have the disk to itself");
	return verdict();
}
