// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none
// Leaves no file, but modes, times and attributes of the folders that are there.
#include "attack.h"
#include <sys/xattr.h>
#include <time.h>
int main(int argc, char **argv) {
	static const char *const dirs[] = {".", "/tmp", "/dev/shm", "/proc/self/fd", "/", "/dev", "/dev/null", "/dev/zero", "/usr", "/etc", NULL};
	aim(argv);
	if (!boxed())
		return 2;
	for (const char *const *dir = dirs; *dir; dir++) {
		struct stat s;
		char value[16];
		if (stat(*dir, &s) != 0)
			continue;
		if (act == 1) {
			chmod(*dir, 0711);
			chown(*dir, getuid(), 54321);
			utimensat(AT_FDCWD, *dir, (struct timespec[]){{12345, 0}, {12345, 0}}, 0);
			setxattr(*dir, "user.attack", "left", 4, 0);
			setxattr(*dir, "trusted.attack", "left", 4, 0);
			continue;
		}
		if ((s.st_mode & 07777) == 0711)
			managed("find the mode that the run before gave %s", *dir);
		if (s.st_gid == 54321)
			managed("find the group that the run before gave %s", *dir);
		if (s.st_mtim.tv_sec == 12345 || s.st_atim.tv_sec == 12345)
			managed("find the time that the run before gave %s", *dir);
		if (getxattr(*dir, "user.attack", value, sizeof value) > 0)
			managed("find the attribute that the run before gave %s", *dir);
	}
	return verdict();
}
