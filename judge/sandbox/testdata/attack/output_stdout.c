// least: process
// want: exceeded=output output>=1M
#include <stdio.h>
int main(void) {
	for (;;)
		puts("0123456789012345678901234567890123456789012345678901234567890123456789");
}
