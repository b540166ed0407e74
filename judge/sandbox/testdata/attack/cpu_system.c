// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// Burns the kernel's time, hardly any of its own.
#include <fcntl.h>
#include <unistd.h>
int main(void) {
	int zero = open("/dev/zero", O_RDONLY);
	static char buffer[1 << 20];
	for (;;)
		if (read(zero, buffer, sizeof buffer) < 0)
			return 1;
}
