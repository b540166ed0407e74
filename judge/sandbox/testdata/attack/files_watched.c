// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Runs at the same time see the same programs and libraries: watching who opens
// one, or holding it so that others wait, is a way to signal.
#include "attack.h"
#include <sys/inotify.h>
int main(int argc, char **argv) {
	aim(argv);
	int watch = inotify_init1(IN_CLOEXEC);
	if (!allowed("make a watch", watch))
		watch = 0;
#ifdef SYS_inotify_init
	allowed("make a watch the old way", syscall(SYS_inotify_init));
#endif
	allowed("watch who reads in /usr/lib", inotify_add_watch(watch, "/usr/lib", IN_ALL_EVENTS));
	reached("inotify_rm_watch", inotify_rm_watch(watch, 12345));
	reached("fanotify_init", syscall(SYS_fanotify_init, 0x200 /* FAN_REPORT_FID */, O_RDONLY));
	reached("fanotify_mark", syscall(SYS_fanotify_mark, -1, 0, 0, AT_FDCWD, NULL));
	int dir = open("/usr/lib", O_RDONLY | O_DIRECTORY);
	signal(SIGIO, SIG_IGN);
	allowed("be notified of what is done in /usr/lib", fcntl(dir, F_NOTIFY, DN_ACCESS | DN_MULTISHOT));
	int mine = memfd_create("mine", 0);
	allowed("hold a file by a lease", fcntl(open(argv[0], O_RDONLY), F_SETLEASE, F_RDLCK));
	unsigned long long hint = 2; // RWH_WRITE_LIFE_SHORT
	allowed("leave a hint on a file", fcntl(mine, 1036 /* F_SET_RW_HINT */, &hint));
	return verdict();
}
