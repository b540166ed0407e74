// least: process
// want: signal=SIGKILL exceeded=none exit=-1
#include <signal.h>
int main(void) { return raise(SIGKILL); }
