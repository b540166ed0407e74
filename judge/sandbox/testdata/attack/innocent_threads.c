// limits: processes=32
// least: process
// want: exit=0 exceeded=none
#include "attack.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static _Thread_local int own;
static int sum;
static void *work(void *p) {
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		sum++;
		pthread_mutex_unlock(&mutex);
		own++;
	}
	sem_post(&semaphore);
	return own == 1000 ? p : NULL;
}
int main(int argc, char **argv) {
	pthread_t threads[16];
	void *result;
	pthread_barrier_init(&barrier, NULL, 16);
	sem_init(&semaphore, 0, 0);
	for (int round = 0; round < 20; round++) {
		for (long i = 0; i < 16; i++)
			if (pthread_create(&threads[i], NULL, work, (void *)(i + 1)) != 0)
				return 1;
		for (long i = 0; i < 16; i++) {
			sem_wait(&semaphore);
			if (pthread_join(threads[i], &result) != 0 || result != (void *)(i + 1))
				return 2;
		}
	}
	pthread_setname_np(pthread_self(), "innocent");
	cpu_set_t cores;
	if (pthread_getaffinity_np(pthread_self(), sizeof cores, &cores) != 0 || CPU_COUNT(&cores) < 1)
		return 3;
	pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
	thrd_yield();
	return sum == 20 * 16 * 1000 ? 0 : 4;
}
