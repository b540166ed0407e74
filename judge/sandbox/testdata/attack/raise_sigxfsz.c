// limits: filesize=1M
// least: process
// want: signal=SIGXFSZ exceeded=none exit=-1
#include <signal.h>
int main(void) { return raise(SIGXFSZ); }
