// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// All devices but those that hold and give nothing, and new ones.
#include "attack.h"
#include <sys/sysmacros.h>
static void search(const char *dir) {
	char path[4096];
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		struct stat s;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (lstat(path, &s) != 0 || e->d_name[0] == '.')
			continue;
		if (S_ISDIR(s.st_mode))
			search(path);
		if (!S_ISCHR(s.st_mode) && !S_ISBLK(s.st_mode))
			continue;
		if (strstr(" /dev/null /dev/zero /dev/full /dev/random /dev/urandom ", path))
			continue;
		// A tape would be wound and a watchdog started by being opened.
		int fd = access(path, R_OK) == 0 && !strstr(path, "watchdog") ? open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) : -1;
		if (fd >= 0)
			managed("open %s", path);
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
}
int main(int argc, char **argv) {
	aim(argv);
	search("/dev");
	for (const char *const *path = (const char *const[]){"device", "/tmp/device", "/dev/shm/device", NULL}; *path; path++) {
		unlink(*path);
		if (mknod(*path, S_IFCHR | 0600, makedev(1, 1)) == 0)
			managed("make the memory's device");
		int fd = open(*path, O_RDONLY);
		if (fd >= 0)
			managed("open the memory's device");
		unlink(*path);
		if (mknod(*path, S_IFBLK | 0600, makedev(254, 0)) == 0)
			managed("make a disk's device");
		unlink(*path);
	}
	return verdict();
}
