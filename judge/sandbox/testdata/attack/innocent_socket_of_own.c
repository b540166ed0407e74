// cmd: scratch
// least: process
// except: guarded
// want: exit=0 exceeded=none
// Server and client by a name in its own folder, and by an abstract one. Without
// a box nobody can tell them from those of the machine.
#include "attack.h"
#include <sys/un.h>
static int talk(const char *name, size_t n) {
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	memcpy(at.sun_path, name, n);
	socklen_t size = sizeof at.sun_family + n;
	int server = socket(AF_UNIX, SOCK_STREAM, 0), status;
	if (server < 0 || bind(server, (void *)&at, size) != 0 || listen(server, 5) != 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		int s = socket(AF_UNIX, SOCK_STREAM, 0);
		_exit(s >= 0 && connect(s, (void *)&at, size) == 0 && write(s, "x", 1) == 1 ? 0 : 1);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return 2;
	char c;
	int s = accept(server, NULL, NULL);
	return s >= 0 && read(s, &c, 1) == 1 ? 0 : 3;
}
int main(int argc, char **argv) {
	int failed = talk("socket", 7);
	return failed ? failed : 10 * talk("\0own-socket", 11);
}
