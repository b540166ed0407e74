// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
#include <pthread.h>
#include <stddef.h>
static void *burn(void *p) {
	for (volatile unsigned n = 0;; n++)
		;
	return p;
}
int main(void) {
	pthread_t t;
	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, burn, NULL);
	pthread_join(t, NULL);
	return 0;
}
