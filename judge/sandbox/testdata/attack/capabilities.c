// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// What may it, and can it become more?
#include "attack.h"
#include <grp.h>
#include <linux/capability.h>
int main(int argc, char **argv) {
	char text[4096];
	aim(argv);
	if (slurp("/proc/self/status", text, sizeof text) <= 0)
		return 2;
	for (const char *const *line = (const char *const[]){"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", NULL}; *line; line++) {
		char *at = strstr(text, *line);
		// Without the right to it the bound cannot be lowered; without new privileges
		// it means nothing.
		if (strcmp(*line, "CapBnd") == 0 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
			continue;
		if (!at || strtoull(at + 7, 0, 16) != 0)
			managed("have capabilities in its %s", *line);
	}
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct all[2] = {{~0u, ~0u, ~0u}, {0x1ff, 0x1ff, 0x1ff}}, some[2] = {{1u << CAP_CHOWN, 1u << CAP_CHOWN, 0}};
	allowed("set all capabilities", syscall(SYS_capset, &header, all));
	allowed("set one capability", syscall(SYS_capset, &header, some));
	for (int cap = 0; cap < 41; cap++)
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) == 0)
			managed("keep capability %d", cap);
	allowed("set its groups", setgroups(0, NULL));
	if (getuid() != 0) {
		allowed("become root", setuid(0));
		allowed("become root by setresuid", setresuid(0, 0, 0));
	}
	allowed("become another user", setresuid(12345, 12345, 12345));
	allowed("become of another group", setresgid(12345, 12345, 12345));
	return verdict();
}
