// cmd: setuid
// least: guarded
// want: exit=0 exceeded=none
// bare: guest
// without: exit=1
// The program's file says to run as its owner, who is root.
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	uid_t real, effective, saved;
	getresuid(&real, &effective, &saved);
	if (effective != real || saved != real)
		managed("become user %d by being started", effective);
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		managed("be allowed new privileges");
	if (argc > 8)
		return verdict();
	char *again[10] = {0};
	memcpy(again, argv, 8 * sizeof *argv);
	again[8] = "again";
	pid_t child = fork();
	if (child == 0) {
		execv(argv[0], again);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	failures += status != 0;
	// As those of the machine do.
	for (const char *const *path = (const char *const[]){"/bin/su", "/usr/bin/sudo", "/usr/bin/newgrp", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/pkexec", NULL}; *path && real != 0; path++) {
		int in[2];
		if (pipe(in) != 0)
			return 2;
		child = fork();
		if (child == 0) {
			dup2(in[0], 0);
			close(in[1]);
			execl(*path, *path, (char *)0);
			_exit(0);
		}
		usleep(3000);
		char file[64], text[4096];
		snprintf(file, sizeof file, "/proc/%d/status", child);
		unsigned id[2];
		if (slurp(file, text, sizeof text) > 0 && strstr(text, "\nUid:") && sscanf(strstr(text, "\nUid:"), "\nUid: %u %u", id, id + 1) == 2 && id[1] != real)
			managed("run %s as user %u", *path, id[1]);
		kill(child, SIGKILL);
		close(in[0]);
		close(in[1]);
		waitpid(child, 0, 0);
	}
	return verdict();
}
