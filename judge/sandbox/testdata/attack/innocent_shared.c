// least: process
// except: guarded
// want: exit=0 exceeded=none
// Named semaphores and shared memory: in a box they are its own.
#include "attack.h"
#include <semaphore.h>
#include <sys/mman.h>
int main(int argc, char **argv) {
	char name[64];
	int status;
	snprintf(name, sizeof name, "/innocent-%d-%s", getpid(), argv[7]);
	sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	if (s == SEM_FAILED)
		return 1;
	sem_unlink(name);
	int fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
	if (fd < 0 || shm_unlink(name) != 0 || ftruncate(fd, 4096) != 0)
		return 2;
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 3;
	pid_t child = fork();
	if (child == 0) {
		p[0] = 'x';
		sem_post(s);
		_exit(0);
	}
	sem_wait(s);
	waitpid(child, &status, 0);
	return p[0] == 'x' ? 0 : 4;
}
