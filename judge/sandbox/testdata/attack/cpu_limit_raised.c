// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
#include <sys/resource.h>
int main(void) {
	struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_CPU, &none);
	for (volatile unsigned n = 0;; n++)
		;
}
