// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Up from every folder that it has, and down again.
#include "attack.h"
static void from(const char *start) {
	char path[8192] = "";
	if (chdir(start) != 0)
		return;
	for (int up = 0; up < 20; up++) {
		strcat(path, "../");
		char full[16384];
		snprintf(full, sizeof full, "%s%s", path, answer + 1);
		tell(full);
	}
	int dir = open(".", O_PATH | O_DIRECTORY);
	for (int up = 0; up < 20 && dir >= 0; up++) {
		int fd = openat(dir, answer + 1, O_RDONLY);
		if (fd >= 0 && tells(fd))
			managed("read the answer %d folders above %s", up, start);
		int above = openat(dir, "..", O_PATH | O_DIRECTORY);
		close(dir);
		dir = above;
	}
}
int main(int argc, char **argv) {
	aim(argv);
	char own[4096];
	strcpy(own, argv[0]);
	*strrchr(own, '/') = 0;
	from(".");
	from(own);
	from("/tmp");
	from("/dev/shm");
	from("/proc/self");
	from("/usr/lib");
	from("/proc/self/cwd");
	from("/proc/self/root");
	return verdict();
}
