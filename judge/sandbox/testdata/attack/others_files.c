// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Other programs, their folders, inputs and outputs lie near its own.
#include "attack.h"
static struct stat own;
static void search(const char *dir, int depth) {
	char path[4096];
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		struct stat s;
		if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= (int)sizeof path || lstat(path, &s) != 0)
			continue;
		if (S_ISDIR(s.st_mode) && depth > 0)
			search(path, depth - 1);
		if (!S_ISREG(s.st_mode) || (s.st_ino == own.st_ino && s.st_dev == own.st_dev))
			continue;
		char text[16];
		if (failures < 10 && slurp(path, text, sizeof text) > 0)
			managed("read %s", path);
	}
	if (d)
		closedir(d);
}
int main(int argc, char **argv) {
	char dir[4096];
	aim(argv);
	strcpy(dir, argv[0]);
	stat(argv[0], &own);
	for (int up = 0; up < 2; up++) {
		*strrchr(dir, '/') = 0;
		search(dir, 3);
	}
	search("/tmp", 3);
	search("/dev/shm", 3);
	search("..", 3);
	search("../..", 3);
	return verdict();
}
