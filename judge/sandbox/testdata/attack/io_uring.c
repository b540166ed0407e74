// least: guarded
// want: exit=0 exceeded=none
// What a ring does for a program passes by its filter.
#include "attack.h"
#include <linux/io_uring.h>
int main(int argc, char **argv) {
	aim(argv);
	struct io_uring_params params = {0};
	allowed("make a ring", syscall(SYS_io_uring_setup, 4, &params));
	reached("io_uring_register", syscall(SYS_io_uring_register, -1, 0, 0, 0));
	reached("io_uring_enter", syscall(SYS_io_uring_enter, -1, 0, 0, 0, 0, 0));
	return verdict();
}
