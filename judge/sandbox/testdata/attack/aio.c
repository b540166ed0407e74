// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// The machine has 65,536 asynchronous requests for all, and one program took
// 64,000 of them.
#include "attack.h"
#include <linux/aio_abi.h>
int main(int argc, char **argv) {
	aio_context_t context = 0;
	aim(argv);
	allowed("take a share of the machine's asynchronous requests", syscall(SYS_io_setup, 4, &context));
	reached("io_submit", syscall(SYS_io_submit, context, 0, NULL));
	reached("io_getevents", syscall(SYS_io_getevents, context, 0, 0, NULL, NULL));
	reached("io_cancel", syscall(SYS_io_cancel, context, NULL, NULL));
	reached("io_pgetevents", syscall(SYS_io_pgetevents, context, 0, 0, NULL, NULL, NULL));
	reached("io_destroy", syscall(SYS_io_destroy, context));
	return verdict();
}
