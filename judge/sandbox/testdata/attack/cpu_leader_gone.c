// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// The first thread has ended, so the process looks dead, and the others burn.
#include <pthread.h>
#include <stddef.h>
static void *burn(void *p) {
	for (volatile unsigned n = 0;; n++)
		;
	return p;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, burn, NULL);
	pthread_exit(NULL);
}
