// least: process
// want: signal=SIGABRT exceeded=none exit=-1
#include <stdlib.h>
int main(void) { abort(); }
