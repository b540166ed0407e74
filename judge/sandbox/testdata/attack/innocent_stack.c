// limits: memory=700M
// least: process
// want: exit=0 exceeded=none memory>=512M
// Half a GiB of stack under a larger memory limit.
#include <string.h>
static int deep(int n) {
	char frame[4096];
	memset(frame, n, sizeof frame);
	return n == 0 ? 0 : deep(n - 1) + (frame[n & 4095] == (char)n ? 0 : 1);
}
int main(void) { return deep(128 * 1024); }
