// least: guarded
// want: exit=0 exceeded=none
#include "attack.h"
#include <linux/bpf.h>
#include <linux/perf_event.h>
int main(int argc, char **argv) {
	aim(argv);
	union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
	allowed("make a map of BPF", syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr));
	reached("bpf", syscall(SYS_bpf, BPF_PROG_LOAD, 0, 0));
	struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK};
	allowed("count events of its own", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
	allowed("count events of the judge", syscall(SYS_perf_event_open, &event, judge, -1, -1, 0));
	allowed("count events of a processor", syscall(SYS_perf_event_open, &event, -1, 0, -1, 0));
	return verdict();
}
