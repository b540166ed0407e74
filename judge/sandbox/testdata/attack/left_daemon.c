// acts: 2
// least: process
// want: exit=0 exceeded=none
// Leaves processes of all kinds, which listen at names and would write.
#include "attack.h"
#include <sys/un.h>
static int at_name(int (*what)(int, const struct sockaddr *, socklen_t)) {
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0attack-daemon"};
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	if (what(s, (void *)&at, sizeof at.sun_family + 14) != 0)
		return -1;
	return s;
}
int main(int argc, char **argv) {
	char c;
	int ready[2];
	aim(argv);
	if (act == 1) {
		if (pipe(ready) != 0)
			return 2;
		for (int i = 0; i < 8; i++)
			if (fork() == 0) {
				if (i & 1)
					setsid();
				if ((i & 2) && fork() != 0)
					_exit(0);
				for (int j = 1; j < 65; j++)
					signal(j, SIG_IGN);
				prctl(PR_SET_NAME, (i & 4) ? "(kworker) Z 1" : "\n", 0, 0, 0);
				if (i == 7)
					listen(at_name(bind), 1);
				close(ready[0]);
				close(ready[1]);
				for (;;)
					if (i & 4)
						raise(SIGSTOP);
					else
						pause();
			}
		close(ready[1]);
		read(ready[0], &c, 1);
		return 0;
	}
	if (at_name(connect) >= 0)
		managed("reach a daemon of the run before");
	char path[300], link[4096];
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));) {
		snprintf(path, sizeof path, "/proc/%s/exe", e->d_name);
		ssize_t n = readlink(path, link, sizeof link - 1);
		link[n > 0 ? n : 0] = 0;
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid() && strcmp(link, argv[0]) == 0)
			managed("find process %s of the run before", e->d_name);
	}
	return verdict();
}
