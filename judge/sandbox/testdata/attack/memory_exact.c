// limits: memory=100M
// least: process
// want: exit=0 exceeded=none memory>=64M memory<=68M
// The peak of a single process is exact, also where no look saw it.
#include <stdlib.h>
#include <string.h>
int main(void) {
	char *p = malloc(64 << 20);
	memset(p, 1, 64 << 20);
	return p[12345] - 1;
}
