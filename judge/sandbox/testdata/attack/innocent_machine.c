// least: process
// want: exit=0 exceeded=none
// What runtimes ask of a machine when they start.
#include "attack.h"
#include <locale.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <dlfcn.h>
#include <wchar.h>
int main(int argc, char **argv) {
	char text[4096];
	struct sysinfo info;
	struct utsname name;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 1 || sysconf(_SC_PAGESIZE) < 4096 || sysinfo(&info) != 0 || uname(&name) != 0)
		return 1;
	if (getrandom(text, 16, 0) != 16 || slurp("/dev/urandom", text, 16) != 15 || slurp("/dev/zero", text, 16) != 15)
		return 2;
	if (spill("/dev/null", "x") != 1 || open("/dev/null", O_RDWR) < 0)
		return 3;
	for (const char *const *path = (const char *const[]){"/proc/self/maps", "/proc/self/status", "/proc/self/stat", "/proc/self/cmdline", "/proc/self/auxv", "/proc/self/limits", "/proc/self/smaps", "/proc/self/cgroup", "/proc/self/mountinfo", "/proc/thread-self/stat", NULL}; *path; path++)
		if (slurp(*path, text, sizeof text) <= 0) {
			fprintf(stderr, "%s\n", *path);
			return 4;
		}
	if (readlink("/proc/self/exe", text, sizeof text) <= 0 || readlink("/proc/self/cwd", text, sizeof text) <= 0)
		return 5;
	if (setlocale(LC_ALL, "C.UTF-8") == NULL || btowc('x') == WEOF || getenv("PATH") == NULL || getenv("HOME") == NULL)
		return 6;
	struct passwd *user = getpwuid(getuid());
	if ((boxed() && user == NULL) || getpwnam("root") == NULL)
		return 7;
	// A compiler at run time writes code and runs it.
	unsigned char *code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return 8;
#ifdef __x86_64__
	memcpy(code, "\xb8\x2a\0\0\0\xc3", 6); // mov eax, 42; ret
#else
	memcpy(code, "\x40\x05\x80\x52\xc0\x03\x5f\xd6", 8); // mov w0, 42; ret
#endif
	__builtin___clear_cache((char *)code, (char *)code + 8);
	if (mprotect(code, 4096, PROT_READ | PROT_EXEC) != 0 || ((int (*)(void))code)() != 42)
		return 9;
	int fd = memfd_create("code", 0);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 10;
	if (dlopen("libm.so.6", RTLD_NOW) == NULL)
		return 11;
	if (madvise(code, 4096, MADV_DONTNEED) != 0 || mlock(code, 4096) != 0)
		return 12;
	return prctl(PR_SET_NAME, "innocent", 0, 0, 0) == 0 ? 0 : 13;
}
