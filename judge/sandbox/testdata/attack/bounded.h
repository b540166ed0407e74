// Should a sandbox fail to stop an attack that multiplies, it must not take the
// tester's machine with it. So each newborn calls born(), and the 2000th says
// "escaped" to the tester and multiplies no more; trying() is true for the first
// 100 000 tries of all; and linger() ends a process after a minute.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	int births, tries;
} *bounds;

static void bounded(void) {
	bounds = mmap(0, sizeof *bounds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (bounds == MAP_FAILED)
		_exit(99);
}

static void linger(void) {
	sleep(60);
	_exit(98);
}

static int trying(void) { return __sync_fetch_and_add(&bounds->tries, 1) < 100000; }

static void born(void) {
	if (__sync_fetch_and_add(&bounds->births, 1) < 2000)
		return;
	write(2, "escaped\n", 8);
	linger();
}
