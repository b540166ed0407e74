// limits: cpu=300ms
// least: process
// want: exceeded=cpu cpu>=300ms
// A thread other than the first becomes the program, after time was used.
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>
static char **arguments;
static void *become(void *p) {
	while (clock() < CLOCKS_PER_SEC / 100)
		;
	execv(arguments[0], arguments);
	return p;
}
int main(int argc, char **argv) {
	pthread_t t;
	arguments = argv;
	pthread_create(&t, NULL, become, NULL);
	pthread_join(t, NULL);
	return 1;
}
