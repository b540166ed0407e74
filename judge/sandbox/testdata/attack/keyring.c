// acts: 2
// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// Keys belong to a user, not to a process, and stay.
#include "attack.h"
#include <linux/keyctl.h>
int main(int argc, char **argv) {
	static const int rings[] = {KEY_SPEC_USER_KEYRING, KEY_SPEC_USER_SESSION_KEYRING, KEY_SPEC_SESSION_KEYRING};
	aim(argv);
	for (int i = 0; i < 3; i++) {
		long key = syscall(SYS_keyctl, KEYCTL_SEARCH, rings[i], "user", "attack", 0);
		if (act == 2 && key >= 0) {
			managed("find a key of the run before in keyring %d", rings[i]);
			syscall(SYS_keyctl, KEYCTL_UNLINK, key, rings[i]);
		}
		if (act == 1)
			syscall(SYS_add_key, "user", "attack", "answer", 6, rings[i]);
		reached("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, rings[i], 0));
	}
	reached("request_key", syscall(SYS_request_key, "user", "no such", 0, 0) == -1 && errno != ENOKEY ? -1 : 0);
	return act == 2 ? verdict() : 0;
}
