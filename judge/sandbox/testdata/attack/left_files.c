// cmd: scratch
// acts: 2
// least: box
// want: exit=0 exceeded=none files<=1M
// bare: user
// without: exit=1
// Leaves files wherever it can, for the next run to find.
#include "attack.h"
#include <sys/mman.h>
int main(int argc, char **argv) {
	char path[4096];
	aim(argv);
	const char *const dirs[] = {".", "/tmp", "/var/tmp", "/dev/shm", getenv("HOME"), getenv("TMPDIR"), "/dev/mqueue", "/run/lock", "/run", "/var/lock", "/dev", "/", "/etc", "/usr", "/usr/lib", "/proc", NULL};
	for (const char *const *dir = dirs; *dir && (boxed() || dir == dirs); dir++)
		for (int kind = 0; kind < 5; kind++) {
			snprintf(path, sizeof path, "%s/.attack-left-%d", *dir, kind);
			struct stat s;
			if (act == 2) {
				if (lstat(path, &s) == 0) {
					managed("find %s of the run before", path);
					remove(path);
				}
				continue;
			}
			switch (kind) {
			case 0:
				close(open(path, O_CREAT | O_WRONLY, 0666));
				break;
			case 1:
				mkdir(path, 0);
				break;
			case 2:
				symlink(answer, path);
				break;
			case 3:
				mkfifo(path, 0666);
				break;
			case 4:
				link(argv[0], path);
			}
		}
	if (!boxed())
		return verdict();
	int fd = shm_open("/attack", act == 1 ? O_CREAT | O_RDWR : O_RDWR, 0600);
	if (act == 2 && fd >= 0) {
		managed("find shared memory of the run before");
		shm_unlink("/attack");
	}
	return verdict();
}
