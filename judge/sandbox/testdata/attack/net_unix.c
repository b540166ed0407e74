// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// The judge listens at a file and at an abstract name. On a usual machine D-Bus,
// containers and X do.
#include "attack.h"
#include <sys/un.h>
static int connects(const char *path, size_t n, int kind) {
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	memcpy(at.sun_path, path, n);
	int s = socket(AF_UNIX, kind, 0);
	int yes = s >= 0 && connect(s, (void *)&at, sizeof at.sun_family + n) == 0;
	if (s >= 0)
		close(s);
	return yes;
}
int main(int argc, char **argv) {
	char name[108] = "";
	aim(argv);
	strcpy(name + 1, unix_name);
	if (connects(name, 1 + strlen(unix_name), SOCK_STREAM))
		managed("connect to the judge's abstract name");
	if (connects(unix_path, strlen(unix_path) + 1, SOCK_STREAM))
		managed("connect to the judge's socket");
	for (const char *const *path = (const char *const[]){"/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/systemd/private", "/run/systemd/journal/socket", "/dev/log", "/tmp/.X11-unix/X0", NULL}; *path; path++)
		if (connects(*path, strlen(*path) + 1, SOCK_STREAM) || connects(*path, strlen(*path) + 1, SOCK_DGRAM))
			managed("connect to %s", *path);
	// A datagram socket needs no connection.
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	strcpy(at.sun_path, unix_path);
	int s = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (s >= 0 && (sendto(s, "x", 1, 0, (void *)&at, sizeof at) == 1 || errno == EPROTOTYPE))
		managed("send to the judge's socket");
	return verdict();
}
