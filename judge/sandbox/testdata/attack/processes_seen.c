// least: box
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Whom and what does it see in /proc?
#include "attack.h"
int main(int argc, char **argv) {
	char path[300], text[1 << 16];
	aim(argv);
	if (getpid() == 1)
		managed("be process 1, which signals do not reach");
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));)
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid())
			managed("see process %s", e->d_name);
	for (const char *const *name = (const char *const[]){"kallsyms", "kcore", "kmsg", "keys", "key-users", "sysrq-trigger", "sched_debug", "timer_list",
	         "modules", "iomem", "ioports", "vmallocinfo", "slabinfo", "pagetypeinfo", "kpagecount", "kpageflags", "interrupts", "bus/pci/devices",
	         "config.gz", "cmdline", "partitions", "sys/kernel/random/boot_id", "sys/kernel/hostname", "sys/kernel/ns_last_pid", "locks", NULL}; *name; name++) {
		snprintf(path, sizeof path, "/proc/%s", *name);
		int fd = open(path, O_RDONLY | O_NONBLOCK);
		if (fd >= 0)
			managed("open %s", path);
	}
	// Mounts must not tell where the judge keeps its things.
	char folder[4096];
	strcpy(folder, answer);
	*strrchr(folder, '/') = 0;
	if (slurp("/proc/self/mountinfo", text, sizeof text) > 0 && strstr(text, folder))
		managed("find the judge's folder among its mounts");
	return verdict();
}
