// acts: 2
// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Shared memory, semaphores and queues of System V, and POSIX queues, belong to
// nobody and stay.
#include "attack.h"
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(int argc, char **argv) {
	enum { key = 0x61747463 };
	aim(argv);
	int make = act == 1 ? IPC_CREAT | 0666 : 0;
	int memory = shmget(key, 4096, make), semaphore = semget(key, 1, make), queue = msgget(key, make);
	mqd_t named = mq_open("/attack", act == 1 ? O_CREAT | O_RDWR : O_RDWR, 0666, NULL);
	if (act == 1)
		return 0;
	if (memory >= 0) {
		managed("find shared memory of the run before");
		shmctl(memory, IPC_RMID, 0);
	}
	if (semaphore >= 0) {
		managed("find a semaphore of the run before");
		semctl(semaphore, 0, IPC_RMID);
	}
	if (queue >= 0) {
		managed("find a queue of the run before");
		msgctl(queue, IPC_RMID, 0);
	}
	if (named != (mqd_t)-1) {
		managed("find a POSIX queue of the run before");
		mq_unlink("/attack");
	}
	// Anyone's.
	for (int id = 0; id < 1000; id++) {
		struct shmid_ds ds;
		if (shmctl(id, SHM_STAT, &ds) >= 0)
			managed("find shared memory %d", id);
	}
	return verdict();
}
