// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Calls that no program here needs, and that reach a part of the kernel or of
// the machine that is not the program's.
#include "attack.h"
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
	char name[64];
	struct stat root;
	aim(argv);
#ifdef SYS_sysfs
	allowed("list the kernel's file systems", syscall(SYS_sysfs, 2, 0, name));
	allowed("count the kernel's file systems", syscall(SYS_sysfs, 3));
#endif
#ifdef SYS_ustat
	if (stat("/dev", &root) == 0)
		allowed("ask for a device by its number", syscall(SYS_ustat, root.st_dev, name));
#endif
	struct {
		unsigned long offset, length;
	} range = {0, 4096};
	unsigned long cached[5];
	allowed("see which pages others have read", syscall(451 /* SYS_cachestat */, open("/bin/sh", O_RDONLY), &range, cached, 0));
	// A version of Landlock, and the names of security modules: facts of the host.
	allowed("ask for the version of Landlock", syscall(444, NULL, 0, 1));
	// What a file's driver understands is the driver's to decide; no program here
	// needs more than a stream's own requests.
	int own = memfd_create("own", 0), flags = 0;
	allowed("ask for a file's flags", ioctl(own, 0x80086601 /* FS_IOC_GETFLAGS */, &flags));
	allowed("mark a file", ioctl(own, 0x40086602 /* FS_IOC_SETFLAGS */, &flags));
	struct {
		char name[16];
		int index, rest[4];
	} interface = {.index = 1};
	allowed("ask for a network interface", ioctl(socket(AF_UNIX, SOCK_STREAM, 0), 0x8910 /* SIOCGIFNAME */, &interface));
	char *pages = mmap(0, 8192, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	allowed("map pages out of order", syscall(SYS_remap_file_pages, pages, 4096, 0, 1, 0));
	return verdict();
}
