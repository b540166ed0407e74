// limits: output=256M
// least: process
// want: exit=0 exceeded=none output=200M
// Correct output may be large.
#include <stdio.h>
int main(void) {
	static char line[1 << 20];
	for (int i = 0; i < 1 << 20; i++)
		line[i] = i % 80 == 79 ? '\n' : '0';
	for (int i = 0; i < 200; i++)
		if (fwrite(line, 1, sizeof line, stdout) != sizeof line)
			return 1;
	return fflush(stdout) == 0 ? 0 : 1;
}
