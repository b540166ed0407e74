// limits: memory=64M
// least: process
// want: exceeded=memory memory>=64M
#include <string.h>
int eat(int n) {
	char frame[4096];
	memset(frame, n, sizeof frame);
	return eat(n + 1) + frame[n & 4095];
}
int main(void) { return eat(0); }
