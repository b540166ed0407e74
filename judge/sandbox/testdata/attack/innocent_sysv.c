// least: process
// except: guarded
// needs: memory
// want: exit=0 exceeded=none
// Shared memory of System V, which a cgroup counts.
#include "attack.h"
#include <sys/ipc.h>
#include <sys/shm.h>
int main(int argc, char **argv) {
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	char *p = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
	if (p == (void *)-1)
		return 1;
	shmctl(id, IPC_RMID, NULL);
	if (fork() == 0) {
		p[0] = 'x';
		_exit(0);
	}
	wait(0);
	return p[0] == 'x' ? 0 : 2;
}
