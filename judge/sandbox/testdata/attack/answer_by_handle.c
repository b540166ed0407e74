// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// A file handle names a file without a path, and so leads out of any root.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	struct {
		struct file_handle h;
		unsigned char bytes[128];
	} handle = {.h.handle_bytes = 128};
	int mount_id;
	for (const char *const *at = (const char *const[]){".", "/usr", "/", argv[0], NULL}; *at; at++) {
		handle.h.handle_bytes = 128;
		reached("name_to_handle_at", name_to_handle_at(AT_FDCWD, *at, &handle.h, &mount_id, 0));
		int mount = open(*at, O_RDONLY);
		reached("open_by_handle_at", open_by_handle_at(mount, &handle.h, O_RDONLY));
		close(mount);
	}
	return verdict();
}
