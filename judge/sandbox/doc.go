// Package sandbox runs one program under limits and reports what happened.
//
// It knows no verdicts. An Outcome contains facts, and for limits it says only
// which one was exceeded first. An error means that the judge failed and nothing
// is known about the program: for example, the program could not be started, or
// a reader or writer failed.
//
// A [Sandbox] uses the highest level of protection that the machine supports.
// The levels range from a box, which a hostile program cannot leave, down to a
// plain child process. [Sandbox.Protection] describes what the level enforces and
// what it does not. Every level takes the same Cmd and returns the same Outcome.
//
// # Theory of operation on Linux (amd64, arm64)
//
// Three kinds of processes take part:
//
//	judge ── launcher ── program ── the program's children
//
// The judge is the process that imports this package. A launcher is another
// process of the judge's own executable file. The init function of this package
// sees an environment variable, serves requests and never returns, so launchers
// work from any test binary, too. A launcher runs one program at a time and is
// reused. There are as many launchers as there were concurrent runs, and a few
// more (see take).
//
// Why launchers. Some process must kill the descendants of a program and count
// their CPU time, and the program's rights must be reduced before its first
// instruction. A library should do neither in the judge's process. Also, vfork
// from a small running process is the fastest way to fork and exec. The kernel
// initializes a program's peak memory (ru_maxrss) with that of the process that
// forked it, so a launcher frees the memory that it needed to start and produces
// no garbage afterwards.
//
// The levels. On [Process], the launcher only limits, kills and reaps its
// descendants. On [Guarded], Landlock also protects the judge's files and other
// processes, and a filter refuses the system calls that no submission needs (see
// package syscalls). In a box, the launcher is process 1 of new namespaces. Root
// creates them for [RootBox]; a new user namespace permits them for [UserBox]. The
// launcher drops groups, the capability bounding set and the possibility to gain
// privileges once, for all its programs. What each program must do for itself is
// in vforkExec.
//
// The box (see box). The root of a box is a file system in memory. It contains
// read-only views of the machine's programs and libraries, selected files of
// /etc, five devices, and a /proc that shows a process only to itself and shows
// nothing of the machine. The paths of a Cmd are mounted at the same paths in the
// box, so a path means the same inside and outside. These mounts are a view (see
// view). A box keeps its view until a run needs another one. /tmp, /dev/shm and
// the scratch copy of the working folder are separate file systems in memory. If
// a program has written to one, the launcher replaces it instead of cleaning it;
// this takes constant time. Everything else in the box is read-only, so a run
// leaves nothing for the next run.
//
// Starting a program. The judge starts a launcher in a new session, with stdin from
// /dev/null and one end of a SOCK_SEQPACKET socket. A show message sets the view of
// the box. An order message names the program, folder, arguments, environment and
// limits, and carries descriptors. The launcher's child shares the launcher's
// memory until it executes the program. With raw system calls, the child begins a
// session, changes to the folder, makes the descriptors 0, 1 and 2, sets its resource
// limits, changes to an unprivileged user, and applies the Landlock ruleset. The CPU
// time of these steps is subtracted from the program's CPU time.
//
// What a child inherits. The thread of the launcher that starts a program runs on the
// program's processors, has the filter of submissions, which it loads once, and in a box
// is in cgroup and IPC namespaces for the program. The filter notifies the launcher before
// a program creates an object in its IPC namespace; after that run, the launcher enters a
// new one. The filter refuses some calls that the launcher makes for each program. These
// carry a random key where the kernel expects no argument, which the filter permits. A
// second thread of the launcher has no filter: it builds the box, and starts the programs
// that may lock files. Such a child loads its own filter.
//
// Descriptors. Stdout and stderr are new pipes for every run, so whatever a
// program does to a pipe ends with the run. Stdin is /dev/null, a sealed copy in
// memory, or a pipe, but never the judge's file (see input). All other descriptors
// are closed on exec, and the launcher closes those that it inherited.
//
// Interaction of two programs. A pipe of the caller is passed to the program
// directly, as a new open file description, so the judge copies no data between
// two programs that two pipes connect; it only waits. The caller keeps an end of
// each pipe until it has recorded which program ended first (see Cmd.Started).
// The judge does not see the data in such a pipe. Limits.Written therefore limits
// the number of bytes that processes passed to write(2) and similar calls, to any
// file, as the kernel counts them. The launcher reads this number every few
// milliseconds, and again when the program has ended but was not yet waited for.
// Splicing is not counted: the system call filter refuses it, but the level
// Process has no filter. Two more cases are not counted: processes that the
// launcher may not inspect, which are ended processes if the launcher is not root,
// and children that start and end between two looks without being waited for. The
// limits on wall time and CPU time bound these cases.
//
// Waiting. One thread of the launcher polls for three events: the end of the
// program (a pidfd), a message from the judge, and the time of the next look (see
// watch). When the program has ended or exceeded a limit, the launcher kills all
// descendants, waits for them, answers, and only then prepares the box for the next
// run. In a box, one kill(-1) by process 1 kills them all, and no process can fork
// during that call; if process 1 has no children, no process is left. Without a
// box, the launcher searches for descendants and kills them until none is left. The
// judge's goroutine polls the socket and, after the first 2 ms, the two pipes. It
// counts output and stops the program if there is too much. After the answer it
// reads what is left in the pipes. No process writes to them any more, so the judge
// does not wait for end of file, which another process could delay.
//
// Which limit was exceeded. If the judge or the launcher killed the program for a
// limit, it is that limit. Otherwise the cgroup's counts of OOM kills and of refused
// forks decide, and then the final numbers. A signal never decides, because a
// program can send signals to itself. If the kernel kills the launcher after the
// program has reached its memory limit, that limit was exceeded: see atLimit.
//
// Accounting with cgroups (see cgroup). The launcher lives in the same cgroup as
// its programs, and its own usage is subtracted. The kernel counts CPU time and
// memory and enforces the limits on memory and processes. The watch only has to
// predict when CPU time may run out. Version 1 and version 2 both work, and so
// does a delegated subtree of version 2. A cgroup that keeps memory charged after
// a run is replaced before the next run. The reported memory is the peak charge,
// minus the charge before the run, minus the files read up to the peak (see look).
// The kernel charges memory in batches of 256 KiB.
//
// Accounting without cgroups. CPU time is the sum that wait4 reports for all
// reaped processes. If a parent ignores SIGCHLD, its children are missing from
// that sum, so the launcher also sums the CPU time that looks have found for each
// process; the larger sum counts. Memory is the larger of ru_maxrss and the total
// of all processes in a look. For several processes, a second thread counts
// shared pages once, because the kernel computes this under a lock that a hostile
// program can hold (see auditor). If a program is smaller than its launcher, about
// 3 MiB, or more where the kernel maps large parts of an executable file at once,
// ru_maxrss shows only the launcher's size. Then the result of a look counts, or
// the launcher's size if the program ended before the first look.
// RLIMIT_AS is never used, because it counts memory that Go and the JVM reserve
// and never touch. Processes are limited by looks and, in a box, by RLIMIT_NPROC,
// which counts only the processes of the box there. Without a box it counts all
// processes of the user, so while one program multiplies and is being killed, other
// programs of that user may be unable to start a process.
//
// Wall time. The wall-clock limit stops programs that sleep, but a busy machine must
// not stop other programs. So every 50 ms, and when the limit is reached, the
// launcher reads from the scheduler (/proc/PID/task/TID/schedstat) how long threads
// were runnable without a processor. The program gets that much more time, up to
// ten times its limit in total. The CPU time that the program itself used during the
// wait is subtracted, so a program gains no time from threads that compete with each
// other (see delays). Waits of threads that start and end between two looks are not
// counted.
//
// Cleaning up. In a box, every program dies with process 1, and every namespace
// and mount disappears with it. On the other levels, every program dies with its
// launcher (PR_SET_PDEATHSIG), and a launcher whose socket is closed kills all its
// descendants before it exits. So even if the judge is killed, only an empty
// cgroup remains, which the next judge removes. If a launcher is killed or
// stopped, the judge detects it, kills the descendants that it can find, and
// returns an error.
//
// Adding a step between fork and exec: planCalls adds a system call to the plan, and
// the child makes it. The child may not allocate, lock or grow its stack.
//
// # Other systems
//
// A Sandbox runs programs with os/exec. Limits on wall time and output are
// enforced; CPU time and memory are compared with their limits when the program
// has ended.
package sandbox
