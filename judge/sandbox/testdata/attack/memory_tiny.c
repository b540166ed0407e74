// limits: memory=65536
// least: process
// needs: memory
// want: exceeded=memory memory>=262144
// Needs more than its limit to begin at all.
#include <string.h>
static char block[1 << 20];
int main(void) {
	memset(block, 1, sizeof block);
	return 0;
}
