// cmd: scratch
// limits: filesize=1M
// least: guarded
// want: exceeded=file_size signal=SIGXFSZ
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_FSIZE, &none);
	prlimit(0, RLIMIT_FSIZE, &none, NULL);
	FILE *f = fopen("large", "w");
	while (f && fputs("0123456789", f) >= 0)
		;
	return verdict();
}
