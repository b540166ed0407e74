// What the attacks on reach have in common. See attack_linux_test.go.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The arguments of every attack.
static int act;                // 1, 2, ...
static const char *answer;     // a file that the judge has open
static pid_t judge;            // as numbered outside
static int judge_fd;           // the answer, in the judge
static int port;               // the judge listens at 127.0.0.1
static const char *unix_path;  // and here
static const char *unix_name;  // and here, in the abstract name space
static int failures;

static inline void aim(char **argv) {
	act = atoi(argv[1]);
	answer = argv[2];
	judge = atoi(argv[3]);
	judge_fd = atoi(argv[4]);
	port = atoi(argv[5]);
	unix_path = argv[6];
	unix_name = argv[7];
}

// managed tells that something was not held.
__attribute__((format(printf, 1, 2))) static inline void managed(const char *format, ...) {
	va_list args;
	va_start(args, format);
	fputs("managed to ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	failures++;
}

// allowed tells of a call that went through.
static inline int allowed(const char *what, long result) {
	if (result == -1)
		return 0;
	managed("%s", what);
	return 1;
}

// reached tells of a call that was not refused for what it is, though it may
// have failed for its arguments.
static inline int reached(const char *what, long result) {
	if (result == -1 && (errno == EPERM || errno == EACCES || errno == ENOSYS || errno == EAFNOSUPPORT))
		return 0;
	managed("get through %s: %s", what, result == -1 ? strerror(errno) : "it works");
	return 1;
}

// boxed reports whether it runs in a box. What would harm the machine if it were
// not held must ask before it tries: someone may start it by hand, as root.
static inline int boxed(void) { return getppid() == 1 && access("/proc/1", F_OK) != 0; }

static inline int verdict(void) { return failures ? 1 : 0; }

// tells reports whether an open file has the answer in it.
static inline int tells(int fd) {
	char text[4096];
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	if (n <= 0)
		return 0;
	text[n] = 0;
	return memmem(text, n, "the answer is ", 14) != NULL;
}

// tell reports whether the answer can be read at a path, and says so.
static inline int tell(const char *path) {
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int yes = fd >= 0 && tells(fd);
	if (fd >= 0)
		close(fd);
	if (yes)
		managed("read the answer at %s", path);
	return yes;
}

// spill writes a word to a file, and returns -1 if it cannot.
static inline long spill(const char *path, const char *word) {
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	long n = write(fd, word, strlen(word));
	close(fd);
	return n;
}

// slurp reads the beginning of a file, without a newline at its end.
static inline long slurp(const char *path, char *text, size_t size) {
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	long n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = 0;
	return n;
}

// everyone calls search for the judge, for the parent, for process 1, and for
// every process that there is to be seen.
static inline void everyone(const char *judge_pid, void (*search)(const char *pid)) {
	char number[16];
	search(judge_pid);
	snprintf(number, sizeof number, "%d", getppid());
	search(number);
	search("1");
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));)
		if (atoi(e->d_name) > 0)
			search(e->d_name);
}
