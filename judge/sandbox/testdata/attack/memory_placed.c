// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Chooses the node whose memory is used, its own or another process's.
#include "attack.h"
#include <sys/mman.h>
int main(int argc, char **argv) {
	unsigned long node = 1;
	int mode, where = 0, status;
	aim(argv);
	char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 2;
	page[0] = 1;
	void *pages[] = {page};
	allowed("ask for the policy", syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0));
	allowed("set the policy", syscall(SYS_set_mempolicy, 2 /* MPOL_BIND */, &node, 8));
	allowed("set the policy of a page", syscall(SYS_mbind, page, 4096, 2, &node, 8, 0));
	reached("set_mempolicy_home_node", syscall(450 /* SYS_set_mempolicy_home_node */, page, 4096, 0, 0));
	allowed("move a page", syscall(SYS_move_pages, 0, 1, pages, &where, &status, 2 /* MPOL_MF_MOVE */));
	allowed("move all its pages", syscall(SYS_migrate_pages, 0, 8, &node, &node));
	reached("move_pages of the judge", syscall(SYS_move_pages, judge, 0, NULL, NULL, NULL, 0));
	return verdict();
}
