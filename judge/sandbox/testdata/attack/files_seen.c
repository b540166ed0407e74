// least: box
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// What of the machine's files can be found or read that tells of users, hosts
// and secrets?
#include "attack.h"
int main(int argc, char **argv) {
	aim(argv);
	for (const char *const *path = (const char *const[]){"/root", "/home", "/var/log", "/var/lib", "/var/spool", "/var/cache", "/run", "/boot", "/opt", "/srv", "/mnt", "/media",
	         "/sys", "/sys/fs/cgroup", "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/fstab",
	         "/etc/machine-id", "/etc/crontab", "/etc/ssl/private", "/proc/1", "/proc/sys", "/dev/mem", "/dev/tty", "/dev/console", "/dev/pts", "/dev/ptmx",
	         "/dev/mqueue", "/work", "/lost+found", "/.dockerenv", NULL}; *path; path++)
		if (access(*path, F_OK) == 0)
			managed("find %s", *path);
	if (access(answer, F_OK) == 0)
		managed("ask about the answer");
	if (open(answer, O_PATH) >= 0)
		managed("hold the answer's place");
	char text[4096];
	if (slurp("/etc/passwd", text, sizeof text) > 0 && (strstr(text, "nobody") || strstr(text, "/home")))
		managed("read the machine's users");
	// In its root there is nothing else either.
	DIR *root = opendir("/");
	for (struct dirent *e; root && (e = readdir(root));)
		if (!strstr(" . .. bin dev etc lib lib32 lib64 libx32 proc sbin tmp usr var work ", e->d_name))
			managed("see /%s", e->d_name);
	return verdict();
}
