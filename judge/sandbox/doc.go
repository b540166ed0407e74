// Package sandbox runs one program under limits and states what became of it.
// It has never heard of a verdict: an Outcome holds facts, and says of a limit
// only whether it was passed. An error means that nothing was learned, because
// the judge failed: a program that cannot be started, a reader or writer that
// fails.
//
// A [Sandbox] takes the highest rung of protection that the machine has, from a
// box that a hostile program does not leave down to a plain child process;
// [Sandbox.Protection] says in words what is held and what is not. Every rung
// takes the same Cmd and gives the same Outcome.
//
// # Theory of operation on Linux (amd64, arm64)
//
// Three kinds of processes take part:
//
//	judge ── launcher ── program ── what the program starts
//
// The judge is whoever imports this package. A launcher is the judge's own
// executable file, started anew; the package's init notices an environment
// variable, serves, and never returns, so this works from any test binary, too.
// A launcher runs one program at a time and is kept between runs; there are as
// many as there have been runs at once, and a few more (see take).
//
// Why launchers. What a program leaves behind must fall to someone who kills it
// and counts its CPU time, and what it may do must be settled before its first
// instruction: a library should do neither in the judge's process. And vfork
// from a small process that is already running is as fast as a fork and exec can
// be. The kernel begins a program's peak memory (ru_maxrss) with that of the
// process that forked it: so a launcher sheds what it needed to start, and leaves
// no garbage afterwards.
//
// The rungs. On [Process] the launcher is the reaper of its descendants, no more.
// On [Guarded] its programs are kept from the judge's files by Landlock, from
// other processes and from system calls that no submission needs by a filter
// (see package syscalls). In a box the launcher was started in new namespaces, as
// process 1 of them: [RootBox] if root made them, [UserBox] if a new user
// namespace allowed it. Capabilities, groups and the hope for new privileges the
// launcher gives up for its programs once; what each program must do for itself is
// in vforkExec.
//
// The box (see box). Its root is a file system in memory with read-only views of
// the machine's programs and libraries, a chosen part of /etc, five devices, and
// a /proc that shows a process itself and nothing of the machine. What a Cmd names
// is mounted at its own path, so that paths mean the same inside and outside: a
// view (see view). A box shows a view until a run wants another. /tmp, /dev/shm
// and the scratch copy of the working folder are file systems in memory of their
// own; one that a program has written to is not cleaned but replaced, which takes
// the same time whatever was done to it. Everything else in the box is read-only,
// so nothing of a run is there for the next.
//
// Who starts whom. The judge starts a launcher in a session of its own, with
// stdin from /dev/null and one end of a SOCK_SEQPACKET socket. A scene tells the
// launcher what its box is to show; an order names program, folder, arguments,
// environment and limits, and carries descriptors. The launcher's child shares
// its memory until it executes the program; by raw system calls it begins a
// session, takes a new IPC and cgroup namespace, enters the folder, makes the
// descriptors 0, 1 and 2, sets its resource limits, becomes a user that has
// nothing, and restricts itself by ruleset and filter. What CPU time that takes is
// taken off the program's.
//
// Descriptors. Stdout and stderr are pipes, new for every run: what a program
// does to one is gone with it. Stdin is /dev/null, a sealed copy in memory, or a
// pipe, never the judge's file (see input). All else is closed on exec, and the
// launcher closes what it inherited itself.
//
// Two programs that talk. A pipe of the caller's goes to the program as it is, in
// a description of its own, so that nothing copies between two programs that are
// joined by two pipes; the judge only waits. Whoever joins them keeps an end of
// each pipe as long as it takes to have noted who ended first (see Cmd.Started).
// What goes through such a pipe nobody sees: Limits.Written counts what the kernel
// says that processes have handed to write(2) and its like, wherever it went. It
// is looked at every few milliseconds, and once more when the program has ended
// but was not yet waited for. Splicing is not counted: the filter of system calls
// refuses it, but the rung Process has no filter. It is missing for those whom
// the launcher may not ask, which is the dead where it is not root, and for
// children that came and went unwaited between two looks; real time and CPU time
// bound those.
//
// Who waits for whom. One thread of the launcher waits for three things at once,
// by poll: the program's end (a pidfd), a word from the judge, and the time when
// it must look next (see watch). When the program has ended, or passed a limit,
// all descendants are killed and waited for; then the launcher answers, and only
// then makes the box ready for the next run. In a box the killing is one call,
// kill(-1) by process 1, which the kernel carries out before anyone else is born;
// without one they are found and killed again until none is left. The judge's
// goroutine polls the two pipes and the socket. It counts output, has the program
// killed when that is too much, and after the answer takes what is left in the
// pipes: nobody is there any more to write, so it never waits for an end of file
// that a stranger might hold off.
//
// Who decides which limit was passed: whoever had the program killed for it, the
// cgroup's own counts of kills for memory and of refused births, or else the
// numbers at the end. Never the signal, which a program can send to itself.
//
// What is counted, with cgroups (see cgroup): the launcher lives in a cgroup with
// its programs, and what it uses itself is taken off. Its CPU time and memory are
// the kernel's own, its limits on memory and processes are held by the kernel,
// and the watch has little to do but foresee when CPU time may run out. Version 1
// and 2 will do, also a delegated part of version 2. A cgroup to which memory
// stays charged is replaced by a new one between runs. Memory is what was charged
// at the peak, less what was charged before the run and less files that were read
// until then (see look); it comes in batches of 256 KiB.
//
// Without cgroups: CPU time is what wait4 tells of everyone who was reaped. Where
// a parent ignores SIGCHLD that misses its children, so what looks have seen of
// each process is summed as well, and the larger sum counts. Memory is the larger
// of ru_maxrss and what looks have seen of all processes together; for several at
// once, pages that they share are counted once, by a second thread, since the
// kernel computes that under a lock that a hostile program can hold (see
// auditor). A program smaller than its launcher, some 3 MiB, cannot be told from
// it by ru_maxrss; then what a look has seen counts, or the launcher's size if
// the program was too short to be looked at. RLIMIT_AS is never used: it counts
// what Go and the JVM reserve and never touch. Processes are bounded by looks and,
// in a box, by RLIMIT_NPROC, which there counts the box's own.
//
// Real time is there to stop who sleeps, on a busy machine as on an idle one. So
// every 50 ms, and when it is up, the scheduler's own account
// (/proc/PID/task/TID/schedstat) is asked how long threads could have run and had
// no processor, and the program gets that much longer, up to ten times its limit
// in all. What it used the CPU itself meanwhile is taken off: so threads gain
// nothing by getting into each other's way (see delays). What those waited who
// were born and gone between two looks is lost.
//
// Death. In a box every program dies with process 1, and with it every namespace
// and mount. Elsewhere every program dies with its launcher (PR_SET_PDEATHSIG),
// and a launcher that finds its socket closed kills all descendants before it
// goes. So nothing is left but an empty cgroup, even when the judge is killed
// outright, and that the next judge removes. A launcher that was killed or stopped
// is noticed by the judge, which kills what it can find and returns an error.
//
// Adding a step between fork and exec: (*plan) is filled in the launcher, used
// in the child, which may not allocate, lock or grow its stack.
//
// # Other systems
//
// A Sandbox runs programs by os/exec. Wall time and output are enforced; CPU time
// and memory are looked at when the program has ended.
package sandbox
