// limits: memory=64M
// least: process
// want: exceeded=memory memory>=64M
#include <stdlib.h>
#include <string.h>
int main(void) {
	for (;;) {
		char *p = malloc(1 << 20);
		memset(p, 1, 1 << 20);
	}
}
