// cmd: scratch
// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
#include "attack.h"
#include <sys/mount.h>
#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fspick 433
#define SYS_mount_setattr 442
#endif
int main(int argc, char **argv) {
	aim(argv);
	mkdir("hill", 0700);
	if (allowed("mount a tmpfs", mount("none", "hill", "tmpfs", 0, "size=4k")))
		umount2("hill", MNT_DETACH);
	if (allowed("bind the root", mount("/", "hill", 0, MS_BIND, 0)))
		umount2("hill", MNT_DETACH);
	if (allowed("mount a /proc", mount("none", "hill", "proc", 0, 0)))
		umount2("hill", MNT_DETACH);
	reached("remount of its folder", mount("none", "hill", 0, MS_REMOUNT | MS_BIND, 0));
	reached("umount", umount2("hill", MNT_DETACH | UMOUNT_NOFOLLOW));
	allowed("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* OPEN_TREE_CLONE */ | O_CLOEXEC));
	allowed("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
	allowed("fspick", syscall(SYS_fspick, AT_FDCWD, "/proc", 0));
	reached("move_mount", syscall(SYS_move_mount, -1, "", -1, "", 0));
	reached("mount_setattr", syscall(SYS_mount_setattr, -1, "", 0, 0, 0));
	rmdir("hill");
	return verdict();
}
