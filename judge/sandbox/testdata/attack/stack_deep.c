// limits: memory=300M
// least: process
// want: exit=0 exceeded=none memory>=200M
// Innocent: 200 MiB of stack under a larger memory limit.
#include <string.h>
int deep(int n) {
	char frame[1024];
	memset(frame, n, sizeof frame);
	return n == 0 ? 0 : deep(n - 1) + (frame[n & 1023] == (char)n ? 0 : 1);
}
int main(void) { return deep(200 * 1024); }
