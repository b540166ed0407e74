// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// The judge listens at 127.0.0.1.
#include "attack.h"
#include <netinet/in.h>
int main(int argc, char **argv) {
	aim(argv);
	int s = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (s >= 0 && connect(s, (void *)&at, sizeof at) == 0)
		managed("connect to the judge");
	int fast = socket(AF_INET, SOCK_STREAM, 0);
	if (fast >= 0 && sendto(fast, "x", 1, MSG_FASTOPEN, (void *)&at, sizeof at) >= 0)
		managed("send to the judge with TCP Fast Open");
	struct sockaddr_in6 at6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	memcpy(&at6.sin6_addr, "\0\0\0\0\0\0\0\0\0\0\377\377\177\0\0\1", 16);
	int s6 = socket(AF_INET6, SOCK_STREAM, 0);
	if (s6 >= 0 && connect(s6, (void *)&at6, sizeof at6) == 0)
		managed("connect to the judge by IPv6");
	int server = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in any = {.sin_family = AF_INET};
	if (server >= 0 && bind(server, (void *)&any, sizeof any) == 0 && listen(server, 1) == 0)
		managed("listen for connections");
	return verdict();
}
