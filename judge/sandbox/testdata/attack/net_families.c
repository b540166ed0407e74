// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// Each family of sockets is a piece of the kernel that was meant for few.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (int family = 0; family < 64; family++)
		for (int kind = 1; kind <= 5; kind++)
			if (family != AF_UNIX) {
				int pair[2], s = socket(family, kind, 0);
				if (s >= 0)
					managed("open a socket of family %d, kind %d", family, kind);
				if (s >= 0)
					close(s);
				if (socketpair(family, kind, 0, pair) == 0)
					managed("open a pair of sockets of family %d, kind %d", family, kind);
			}
	for (int protocol = 0; protocol < 24; protocol++)
		allowed("open a netlink socket", socket(AF_NETLINK, SOCK_RAW, protocol));
	return verdict();
}
