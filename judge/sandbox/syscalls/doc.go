// Package syscalls decides which system calls a program in a sandbox may make.
//
// It is an allow list. The table gives a decision and a reason for each system
// call of Linux. A call that is not in the table fails with ENOSYS, as if the
// kernel did not have it. The lists of Docker (github.com/moby/profiles) and of
// DMOJ's judge (github.com/DMOJ/judge-server) served for comparison. Docker allows
// what an administrator's container may need. This table allows less: it refuses
// calls that can signal to other runs, that bypass the judge's counts and limits,
// or that use up resources shared by the machine.
//
// A refused call fails; it does not kill the program. Runtimes often try a call
// and work without it, so each call fails with an error that runtimes handle:
//
//   - ENOSYS for optional parts of the kernel, and for calls that are newer or
//     older than the one that programs use.
//   - EPERM for calls that need a right that no program here has.
//   - EINVAL, ENOTSUP or ENOTTY for requests that a file or a kernel may not
//     support: splicing, attributes, requests of ioctl and prctl.
//
// File locks are the exception: without Around.Locks they succeed and have no
// effect, because runtimes do not work without them.
//
// A call that is allowed by its number alone costs a program nothing: when a
// filter is loaded, the kernel evaluates it for each number and caches these
// results. Because a filter is loaded for each launcher, and for each compilation, it is
// a search tree. As a list of 100 comparisons it cost 300 µs.
package syscalls
