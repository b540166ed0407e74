// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Opens the kernel's settings for writing, and writes what is there already.
#include "attack.h"
int main(int argc, char **argv) {
	char text[4096];
	aim(argv);
	for (const char *const *path = (const char *const[]){"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/kernel/panic", "/proc/sys/kernel/modprobe",
	         "/proc/sys/kernel/shmmax", "/proc/sys/kernel/msgmax", "/proc/sys/kernel/sem", "/proc/sys/kernel/threads-max", "/proc/sys/kernel/ns_last_pid", "/proc/sys/kernel/randomize_va_space", "/proc/sys/vm/overcommit_memory",
	         "/proc/sys/fs/file-max", "/proc/sys/fs/mqueue/msg_max", "/proc/sys/user/max_user_namespaces", "/proc/sys/net/ipv4/ip_forward", "/proc/self/oom_score_adj",
	         "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs", "/sys/fs/cgroup/memory/release_agent", NULL}; *path; path++) {
		long n = slurp(*path, text, sizeof text);
		int fd = open(*path, O_WRONLY);
		if (fd < 0)
			continue;
		close(fd);
		// A number in the list of a cgroup would move someone, and a choice is shown
		// as a list.
		if (n <= 0 || n > 100 || strstr(*path, "cgroup") || strchr(text, '['))
			managed("open %s for writing", *path);
		else if (spill(*path, text) > 0)
			managed("write to %s", *path);
	}
	for (const char *const *path = (const char *const[]){"/proc/sysrq-trigger", "/proc/kcore", "/proc/self/uid_map", "/proc/self/setgroups", "/proc/bus/pci/00/00.0", "/sys/power/state", NULL}; *path; path++) {
		int fd = open(*path, O_WRONLY);
		if (fd >= 0)
			managed("open %s for writing", *path);
	}
	return verdict();
}
