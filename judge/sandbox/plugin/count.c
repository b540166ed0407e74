/*
 * A plugin of QEMU's user-mode emulation that counts the instructions that a program
 * executes, into a file that the judge reads: instructions (in count.go) explains it.
 *
 *   qemu-x86_64 -plugin count.so,out=FILE PROGRAM
 *
 * Debian has no package with qemu-plugin.h, so the declarations that the plugin needs
 * are here. QEMU documents the interface in docs/devel/tcg-plugins.rst. Its API version
 * 1 (QEMU 6.0 to 8.2) adds to a variable. Later versions add to a counter of each
 * virtual processor, which is read when the program exits.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define OPTIONAL __attribute__((weak))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_scoreboard;
typedef struct { struct qemu_plugin_scoreboard *score; size_t offset; } counter;

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*call)(plugin_id id, struct qemu_plugin_tb *tb));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);

/* API version 1 */
OPTIONAL void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int operation, void *variable, uint64_t n);
/* API version 2 and later */
OPTIONAL struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
OPTIONAL void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb, int operation, counter c, uint64_t n);
OPTIONAL uint64_t qemu_plugin_u64_sum(counter c);
OPTIONAL void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id id, void *data), void *data);

EXPORT int qemu_plugin_version = API;

enum { add = 0 }; /* QEMU_PLUGIN_INLINE_ADD_U64 */

static uint64_t *count; /* the file */
static counter each;

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	if (each.score)
		qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, add, each, n);
	else
		qemu_plugin_register_vcpu_tb_exec_inline(tb, add, count, n);
}

static void exited(plugin_id id, void *data)
{
	*count += qemu_plugin_u64_sum(each);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fprintf(stderr, "count.so: expected out=FILE\n");
		return 1;
	}
	int fd = open(argv[0] + 4, O_RDWR);
	if (fd < 0) {
		perror(argv[0] + 4);
		return 1;
	}
	count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (count == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	if (qemu_plugin_scoreboard_new) {
		each.score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
		qemu_plugin_register_atexit_cb(id, exited, NULL);
	} else if (!qemu_plugin_register_vcpu_tb_exec_inline) {
		fprintf(stderr, "count.so: this QEMU has no function that counts\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
