// least: process
// want: signal=SIGSYS exceeded=none exit=-1
#include <signal.h>
int main(void) { return raise(SIGSYS); }
