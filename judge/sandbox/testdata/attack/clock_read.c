// least: process
// want: exit=0 exceeded=none
// Innocent: whoever reads the clocks may see that he is judged.
#include "attack.h"
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
int main(int argc, char **argv) {
	static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE};
	struct timespec t, resolution;
	for (int i = 0; i < 8; i++)
		if (clock_gettime(clocks[i], &t) != 0 || clock_getres(clocks[i], &resolution) != 0)
			return 1 + i;
	struct timeval v;
	struct tms used;
	struct rusage usage;
	if (gettimeofday(&v, NULL) != 0 || times(&used) == (clock_t)-1 || getrusage(RUSAGE_SELF, &usage) != 0 || clock() == (clock_t)-1)
		return 20;
	time_t now = time(NULL);
	if (now < 1700000000 || localtime(&now) == NULL)
		return 21;
	struct itimerval timer = {{0, 0}, {0, 1000}};
	signal(SIGALRM, SIG_IGN);
	return setitimer(ITIMER_REAL, &timer, NULL) == 0 && usleep(3000) == 0 ? 0 : 22;
}
