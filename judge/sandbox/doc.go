// Package sandbox runs one program under limits and states what became of it.
// It has never heard of a verdict: an Outcome holds facts, and says of a limit
// only whether it was passed. An error means that nothing was learned, because
// the judge failed: a program that cannot be started, a reader or writer that
// fails.
//
// A Sandbox is one way of running programs: as child processes, with resource
// limits, process groups and a watch. It bounds what a program uses, not what it
// may reach; Sandbox.Protection says in words what is held and what is not.
// Other ways take the same Cmd and give the same Outcome.
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
// many as there have been runs at once.
//
// Why launchers. The kernel begins a program's peak memory (ru_maxrss) with that
// of the process that forked it, so the one that forks must be small: a
// launcher sheds what it needed to start, and leaves no garbage afterwards. What
// a program leaves behind must fall to someone who kills it and counts its CPU
// time: a launcher is the reaper of its descendants (PR_SET_CHILD_SUBREAPER),
// which a library should not make of the judge's process. And vfork from a small
// process that is already running is as fast as a fork and exec can be.
//
// Who starts whom. The judge starts a launcher in a session of its own, with
// stdin from /dev/null and one end of a SOCK_SEQPACKET socket. An order names
// program, folder, arguments, environment and limits, and carries descriptors.
// The launcher's child shares its memory until it executes the program; by raw
// system calls it begins a session, asks to die with its launcher, enters the
// folder, makes the descriptors 0, 1 and 2, and sets its resource limits. So the
// limits are in place before the program's first instruction, and none of this
// is paid for by the program but some 20 µs.
//
// Descriptors. Stdout and stderr are pipes, new for every run: what a program
// does to one is gone with it. Stdin is /dev/null, a sealed copy in memory, or a
// pipe, never the judge's file (see input). All else is closed on exec, and the
// launcher closes what it inherited itself.
//
// Who waits for whom. One thread of the launcher waits for three things at once,
// by poll: the program's end (a pidfd), a word from the judge, and the time when
// it must look next (see watch). When the program has ended, or passed a limit,
// all descendants are killed, found and killed again until none is left to wait
// for; then the launcher answers. The judge's goroutine polls the two pipes and
// the socket. It counts output, has the program killed when that is too much, and
// after the answer takes what is left in the pipes: nobody is there any more to
// write, so it never waits for an end of file that a stranger might hold off.
//
// Who decides which limit was passed: whoever had the program killed for it, or
// else the numbers at the end. Never the signal, which a program can send to
// itself.
//
// What is counted. CPU time is what wait4 tells of everyone who was reaped. Where
// a parent ignores SIGCHLD that misses its children, so what looks have seen of
// each process is summed as well, and the larger sum counts. Memory is the larger
// of ru_maxrss and what looks have seen of all processes together; for several at
// once, pages that they share are counted once, by a second thread, since the
// kernel computes that under a lock that a hostile program can hold (see
// auditor). A program smaller than its launcher, some 3 MiB, cannot be told from
// it by ru_maxrss; then what a look has seen counts, or the launcher's size if
// the program was too short to be looked at. RLIMIT_AS is never used: it counts
// what Go and the JVM reserve and never touch.
//
// Multiplication. Looks come too late for a program that multiplies, and root is
// not bound by RLIMIT_NPROC. So each launcher lives in a pids cgroup where one
// can be made (see fence), which stops growth a little above the limit; a look,
// or the fence's own count, says that the limit was passed.
//
// Death. Every program dies with its launcher (PR_SET_PDEATHSIG), and a launcher
// that finds its socket closed kills all descendants before it goes: so nothing
// is left, even when the judge is killed outright. A launcher that a program has
// killed or stopped is noticed by the judge, which kills what it can find and
// returns an error.
//
// Adding a step between fork and exec: (*plan) is filled in the launcher, used
// in the child, which may not allocate, lock or grow its stack.
//
// # Other systems
//
// A Sandbox runs programs by os/exec. Wall time and output are enforced; CPU time
// and memory are looked at when the program has ended.
package sandbox
