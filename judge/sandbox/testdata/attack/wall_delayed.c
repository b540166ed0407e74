// limits: wall=200ms
// least: process
// want: exceeded=wall signal=SIGKILL
// Sleeps, while threads of it, last in every queue, want all processors and let
// everyone else have them: so that it waits for one all the time.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static void *wait_for_a_processor(void *unused) {
	struct sched_param param = {0};
	sched_setscheduler(0, SCHED_IDLE, &param);
	for (;;)
		sched_yield();
}
int main(void) {
	pthread_t thread;
	for (int i = 0; i < 8; i++)
		pthread_create(&thread, 0, wait_for_a_processor, 0);
	for (;;)
		pause();
}
