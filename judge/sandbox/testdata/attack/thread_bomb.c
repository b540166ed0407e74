// least: process
// want: exceeded=processes
#include "bounded.h"
#include <pthread.h>
static void *wait_forever(void *p) {
	born();
	linger();
	return p;
}
int main(void) {
	pthread_t t;
	bounded();
	while (trying())
		pthread_create(&t, 0, wait_forever, 0);
	linger();
}
