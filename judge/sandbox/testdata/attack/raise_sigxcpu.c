// least: process
// want: signal=SIGXCPU exceeded=none exit=-1
#include <signal.h>
int main(void) { return raise(SIGXCPU); }
