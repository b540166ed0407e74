// cmd: scratch
// least: process
// want: exit=0 exceeded=none
// What is usual with files: in its folder, temporary ones, maps, locks, links.
#include "attack.h"
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
int main(int argc, char **argv) {
	char name[] = "work-XXXXXX", text[64] = "";
	FILE *f = fopen("notes", "w+");
	if (!f || fputs("one\ntwo\n", f) < 0 || fclose(f) != 0)
		return 1;
	int fd = mkstemp(name);
	if (fd < 0 || write(fd, "x", 1) != 1 || unlink(name) != 0)
		return 2;
	if (ftruncate(fd, 1 << 20) != 0)
		return 3;
	char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || p[0] != 'x')
		return 4;
	p[1 << 19] = 'y';
	if (msync(p, 1 << 20, MS_SYNC) != 0 || munmap(p, 1 << 20) != 0 || pread(fd, text, 1, 1 << 19) != 1 || text[0] != 'y')
		return 5;
	if (mkdir("sub", 0755) != 0 || rename("notes", "sub/notes") != 0 || symlink("sub/notes", "link") != 0 || link("sub/notes", "again") != 0)
		return 6;
	if (slurp("link", text, sizeof text) != 8 || access("again", W_OK) != 0 || chmod("again", 0600) != 0)
		return 7;
	if (flock(fd, LOCK_EX) != 0 || fallocate(fd, 0, 0, 4096) != 0 || utimensat(AT_FDCWD, "again", NULL, 0) != 0)
		return 8;
	FILE *t = tmpfile();
	char *dir = getenv("TMPDIR"), path[4096];
	if (!dir)
		return 9;
	snprintf(path, sizeof path, "%s/tmp-XXXXXX", dir);
	if (mkstemp(path) < 0 || unlink(path) != 0)
		return 10;
	if (t)
		fclose(t);
	int self = open(argv[0], O_RDONLY);
	if (self < 0 || pread(self, text, 4, 0) != 4 || memcmp(text, "\177ELF", 4) != 0)
		return 11;
	struct statvfs room;
	if (statvfs(".", &room) != 0 || room.f_bavail == 0)
		return 12;
	if (unlink("link") != 0 || unlink("again") != 0 || unlink("sub/notes") != 0 || rmdir("sub") != 0)
		return 13;
	// install and cp -p do without attributes if there are none.
	if (setxattr(".", "user.innocent", "x", 1, 0) != 0 && errno != ENOTSUP)
		return 15;
	return getcwd(path, sizeof path) ? 0 : 14;
}
