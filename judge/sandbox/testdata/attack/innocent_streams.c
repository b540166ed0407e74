// stdin: 65M
// least: process
// want: exit=0 exceeded=none output>=1 output<=100
// Opens its three streams by name. So much input comes by a pipe.
#include "attack.h"
int main(int argc, char **argv) {
	char text[8];
	FILE *in = fopen("/dev/stdin", "r"), *out = fopen("/dev/stdout", "w"), *err = fopen("/dev/stderr", "a");
	if (!in || !out || !err) {
		perror("a stream");
		return 1;
	}
	if (fread(text, 1, sizeof text, in) != sizeof text || fputs("out\n", out) < 0 || fputs("err\n", err) < 0)
		return 2;
	return fclose(out) != 0 || fclose(err) != 0 ? 3 : 0;
}
