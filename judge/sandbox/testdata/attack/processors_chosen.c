// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Under --pin a program has the processors that it was given. It may ask which
// they are and must not choose others, nor whom it shares a core with.
#include "attack.h"
int main(int argc, char **argv) {
	cpu_set_t cores, all;
	aim(argv);
	if (sched_getaffinity(0, sizeof cores, &cores) != 0)
		return 2;
	memset(&all, 0xff, sizeof all);
	allowed("take all processors", sched_setaffinity(0, sizeof all, &all));
	allowed("take the processors that it has", sched_setaffinity(0, sizeof cores, &cores));
	allowed("keep the rest of its core idle", prctl(62 /* PR_SCHED_CORE */, 1 /* PR_SCHED_CORE_CREATE */, 0, 0, 0));
	return verdict();
}
