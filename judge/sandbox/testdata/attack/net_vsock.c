// least: guarded
// want: exit=0 exceeded=none
// Whether a machine has such a road to its host is another matter.
#include "attack.h"
#include <linux/vm_sockets.h>
int main(int argc, char **argv) {
	aim(argv);
	int s = socket(AF_VSOCK, SOCK_STREAM, 0);
	allowed("open a socket to the machine's host", s);
	struct sockaddr_vm at = {.svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_HOST, .svm_port = 1024};
	if (s >= 0 && (connect(s, (void *)&at, sizeof at) == 0 || errno == ECONNRESET))
		managed("reach the machine's host");
	if (open("/dev/vsock", O_RDONLY) >= 0)
		managed("open /dev/vsock");
	return verdict();
}
