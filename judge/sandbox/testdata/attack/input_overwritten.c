// least: process
// want: exit=0 exceeded=none
// Opens its input anew, for writing. That the file is as before is checked for
// every attack.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
	int fd = open("/proc/self/fd/0", O_RDWR);
	if (fd < 0)
		return 0;
	if (write(fd, "wrong", 5) > 0 || ftruncate(fd, 0) == 0)
		return 1;
	return mmap(0, 6, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? 0 : 2;
}
