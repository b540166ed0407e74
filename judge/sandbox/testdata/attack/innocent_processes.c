// least: process
// want: exit=0 exceeded=none output=25
// The ways to start another program and to hear from it.
#include "attack.h"
#include <spawn.h>
int main(int argc, char **argv) {
	extern char **environ;
	char text[64] = "";
	int status;
	puts("system:");
	fflush(stdout);
	if (system("echo shell") != 0)
		return 1;
	FILE *f = popen("cat", "w");
	if (!f || fputs("popen\n", f) < 0 || pclose(f) != 0)
		return 2;
	f = popen("echo $((6 * 7))", "r");
	if (!f || !fgets(text, sizeof text, f) || strcmp(text, "42\n") != 0 || pclose(f) != 0)
		return 3;
	pid_t child;
	if (posix_spawnp(&child, "true", NULL, NULL, (char *[]){"true", NULL}, environ) != 0 || waitpid(child, &status, 0) != child || status != 0)
		return 4;
	if ((child = fork()) == 0) {
		execl("/usr/bin/env", "env", "-i", "A=1", "/bin/sh", "-c", "test \"$A\" = 1 && exit 7", (char *)0);
		_exit(99);
	}
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
		return 5;
	if ((child = vfork()) == 0) {
		execl("/bin/true", "true", (char *)0);
		_exit(99);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return 6;
	puts("end.");
	return 0;
}
