// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// What the machine's master may do. Where it may, nothing comes of it: the
// arguments are wrong, or what is there already.
#include "attack.h"
#include <sys/timex.h>
#include <time.h>
int main(int argc, char **argv) {
	char name[256];
	aim(argv);
	reached("reboot", syscall(SYS_reboot, 0, 0, 0, 0));
	reached("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, ~0ul));
	reached("kexec_file_load", syscall(SYS_kexec_file_load, -1, -1, 0, 0, ~0ul));
	reached("init_module", syscall(SYS_init_module, 0, 0, ""));
	reached("finit_module", syscall(SYS_finit_module, -1, "", 0));
	reached("delete_module", syscall(SYS_delete_module, "no such", O_NONBLOCK));
	reached("swapon", syscall(SYS_swapon, "/no/such", 0));
	reached("swapoff", syscall(SYS_swapoff, "/no/such"));
	reached("acct", syscall(SYS_acct, "/no/such"));
	reached("syslog", syscall(SYS_syslog, 10, 0, 0));
	reached("quotactl", syscall(SYS_quotactl, 0x80000700u, "/no/such", 0, 0));
	reached("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
	gethostname(name, sizeof name);
	reached("sethostname", sethostname(name, strlen(name)));
	getdomainname(name, sizeof name);
	reached("setdomainname", setdomainname(name, strlen(name)));
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	reached("clock_settime", clock_settime(CLOCK_REALTIME, &now));
	struct timex clock = {.modes = 0};
	adjtimex(&clock);
	clock.modes = ADJ_TICK;
	reached("adjtimex", adjtimex(&clock));
	reached("migrate_pages", syscall(SYS_migrate_pages, judge, 0, 0, 0));
	reached("move_pages", syscall(SYS_move_pages, judge, 0, 0, 0, 0, 0));
#ifdef __x86_64__
	reached("iopl", syscall(SYS_iopl, 0));
	reached("ioperm", syscall(SYS_ioperm, 0x80, 1, 0));
#endif
	return verdict();
}
