// least: guarded
// want: exit=0 exceeded=none
// The kernel also takes calls in the manner of other machines, with other
// numbers.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
#ifdef __x86_64__
	long result;
	pid_t child = fork();
	if (child == 0) {
		__asm__ volatile("int $0x80" : "=a"(result) : "a"(20L /* getpid */) : "memory", "r8", "r9", "r10", "r11");
		_exit(result == getpid());
	}
	int status;
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
		managed("call the kernel as a program of 32 bits");
	if (syscall(0x40000000 | SYS_getpid) == getpid())
		managed("call the kernel as a program of the kind x32");
	if (syscall(0x40000000 | SYS_unshare, CLONE_NEWNS) == 0)
		managed("unshare as a program of the kind x32");
#endif
	// Numbers that are not there yet, and such that wrap around.
	for (long number = 480; number < 4096; number++)
		if (syscall(number, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS)
			managed("get through call %ld", number);
	if (syscall(0x100000000 | SYS_getpid) == getpid())
		fputs("the kernel takes half of a number\n", stderr);
	if (syscall(0x100000000 | SYS_unshare, CLONE_NEWNS) == 0)
		managed("unshare by a longer number");
	return verdict();
}
