// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// In a user namespace of its own it would have all capabilities, and could
// mount.
#include "attack.h"
#include <linux/sched.h>
#include <sys/mount.h>
static const struct {
	const char *name;
	unsigned long flag;
} worlds[] = {{"user", CLONE_NEWUSER}, {"mount", CLONE_NEWNS}, {"net", CLONE_NEWNET}, {"pid", CLONE_NEWPID}, {"ipc", CLONE_NEWIPC}, {"uts", CLONE_NEWUTS}, {"cgroup", CLONE_NEWCGROUP}, {"time", 0x80}};
int main(int argc, char **argv) {
	char path[64];
	aim(argv);
	for (int i = 0; i < 8; i++) {
		pid_t child = fork();
		if (child == 0) {
			failures = 0;
			if (unshare(worlds[i].flag) == 0)
				managed("unshare a %s namespace", worlds[i].name);
			if (unshare(CLONE_NEWUSER | worlds[i].flag) == 0)
				managed("unshare a user and a %s namespace", worlds[i].name);
			if (failures && mount("none", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=4k") == 0) {
				managed("mount in there");
				umount("/dev/shm");
			}
			_exit(verdict());
		}
		int status;
		waitpid(child, &status, 0);
		failures += status != 0;
		child = worlds[i].flag == 0x80 ? -1 : syscall(SYS_clone, worlds[i].flag | SIGCHLD, 0, 0, 0, 0);
		if (child == 0)
			_exit(0);
		if (child > 0)
			managed("clone into a new %s namespace", worlds[i].name);
		struct clone_args args = {.flags = worlds[i].flag | CLONE_NEWUSER, .exit_signal = SIGCHLD};
		child = syscall(SYS_clone3, &args, sizeof args);
		if (child == 0)
			_exit(0);
		if (child > 0)
			managed("clone3 into a new user and %s namespace", worlds[i].name);
		for (int j = 0; j < 3; j++) {
			snprintf(path, sizeof path, "/proc/%d/ns/%s", (pid_t[]){judge, getppid(), getpid()}[j], (const char *[]){"user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"}[i]);
			int fd = open(path, O_RDONLY);
			if (fd >= 0 && setns(fd, 0) == 0)
				managed("enter %s", path);
			if (fd >= 0)
				close(fd);
		}
	}
	return verdict();
}
