// cmd: scratch
// limits: filesize=1M
// least: process
// want: exceeded=file_size signal=SIGXFSZ
#include <stdio.h>
int main(void) {
	FILE *f = fopen("large", "w");
	while (f && fputs("0123456789", f) >= 0)
		;
	return 0;
}
