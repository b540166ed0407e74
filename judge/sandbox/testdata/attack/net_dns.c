// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// A question to a name server carries a secret out as well as any.
#include "attack.h"
#include <netdb.h>
#include <netinet/in.h>
int main(int argc, char **argv) {
	aim(argv);
	struct addrinfo *found, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	if (getaddrinfo("example.org", "80", &hints, &found) == 0)
		managed("resolve a name");
	static const char query[] = "\1\2\1\0\0\1\0\0\0\0\0\0\7example\3org\0\0\1\0\1";
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (s >= 0 && sendto(s, query, sizeof query - 1, 0, (void *)&at, sizeof at) > 0)
		managed("send a question to a name server");
	return verdict();
}
