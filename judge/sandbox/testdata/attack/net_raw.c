// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
#include "attack.h"
#include <net/ethernet.h>
#include <netinet/in.h>
int main(int argc, char **argv) {
	aim(argv);
	allowed("open a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
	allowed("open a raw socket for ICMP", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
	allowed("open a socket for ping", socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
	allowed("open a packet socket", socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
	return verdict();
}
