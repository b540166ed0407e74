// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// Becomes a new program again and again, each time for a short time.
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
	struct timespec from, now;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec == from.tv_sec && now.tv_nsec - from.tv_nsec < 5000000);
	execv(argv[0], argv);
	return 1;
}
