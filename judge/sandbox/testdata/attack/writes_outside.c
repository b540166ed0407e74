// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Makes a file in every folder that others would look into.
#include "attack.h"
static void make(const char *dir) {
	char path[8192];
	snprintf(path, sizeof path, "%s/.attack-%d", dir, getpid());
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		managed("make %s", path);
		close(fd);
		unlink(path);
	}
	fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0) {
		managed("make a file without a name in %s", dir);
		close(fd);
	}
	if (mkdir(path, 0700) == 0) {
		managed("make the folder %s", path);
		rmdir(path);
	}
}
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *dir = (const char *const[]){"/", "/etc", "/usr", "/usr/bin", "/usr/local/bin", "/usr/lib", "/bin", "/lib", "/sbin", "/var", "/var/log",
	         "/var/lock", "/run", "/run/lock", "/root", "/home", "/opt", "/srv", "/dev", "/dev/mqueue", "/proc", "/sys", "/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/work", ".", NULL}; *dir; dir++)
		make(*dir);
	// What is there already.
	for (const char *const *path = (const char *const[]){"/etc/passwd", "/etc/ld.so.cache", "/usr/bin/env", "/bin/sh", argv[0], answer, NULL}; *path; path++) {
		int fd = open(*path, O_WRONLY | O_CLOEXEC);
		if (fd >= 0) {
			managed("open %s for writing", *path);
			close(fd);
		}
		struct stat s;
		if (stat(*path, &s) == 0 && truncate(*path, s.st_size) == 0)
			managed("truncate %s", *path);
		if (strncmp(*path, "/tmp", 4) != 0)
			continue;
		char other[4096];
		snprintf(other, sizeof other, "%s.moved", *path);
		if (rename(*path, other) == 0) {
			managed("rename %s", *path);
			rename(other, *path);
		}
	}
	return verdict();
}
