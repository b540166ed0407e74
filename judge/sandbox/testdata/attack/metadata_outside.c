// least: box
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Not what is in files but modes, owners, times and attributes; it sets what is
// there already.
#include "attack.h"
#include <sys/xattr.h>
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *path = (const char *const[]){"/", "/etc", "/etc/passwd", "/etc/ld.so.cache", "/usr", "/usr/bin/env", "/bin/sh", "/tmp/..", ".", argv[0], answer, NULL}; *path; path++) {
		struct stat s;
		if (stat(*path, &s) != 0)
			continue;
		if (chmod(*path, s.st_mode & 07777) == 0)
			managed("change the mode of %s", *path);
		if (chown(*path, s.st_uid, s.st_gid) == 0)
			managed("change the owner of %s", *path);
		if (utimensat(AT_FDCWD, *path, (struct timespec[]){s.st_atim, s.st_mtim}, 0) == 0)
			managed("change the times of %s", *path);
		if (setxattr(*path, "user.attack", "x", 1, 0) == 0) {
			managed("give %s an attribute", *path);
			removexattr(*path, "user.attack");
		}
	}
	return verdict();
}
