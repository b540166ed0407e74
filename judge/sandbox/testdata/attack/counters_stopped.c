// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Switches off the judge's counters, which are the program's own in this.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	allowed("switch off all counters", prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0));
	allowed("switch on all counters", prctl(PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0));
	return verdict();
}
