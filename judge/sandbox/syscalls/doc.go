// Package syscalls decides which system calls a program in a sandbox may make.
//
// It is an allow list: the table names each call of Linux with a decision and
// its reason, and a call that the table does not name is one that this package
// has never heard of, so it fails as if the kernel did not have it. The lists of
// Docker (github.com/moby/profiles) and of DMOJ's judge
// (github.com/DMOJ/judge-server) were read beside it. Docker allows what an
// administrator's container may need; this table allows less: it takes away
// what signals to other runs, what escapes the judge's counts and limits, and
// what uses up something that the whole machine shares.
//
// A refused call fails; it does not kill the program. Runtimes try calls and do
// without them, so each call fails with the error after which they do:
//
//   - ENOSYS for a part of the kernel that it can be built without, and for what
//     is newer or older than the call that programs use.
//   - EPERM for what needs a right that no program here has.
//   - EINVAL, ENOTSUP or ENOTTY for what a file or a kernel can fail to know
//     while it knows the rest: splicing, attributes, requests.
//
// Locks on files are the exception: without Around.Locks they succeed and have no
// effect, because runtimes do not do without them.
//
// A call that is allowed by its number costs a program nothing: the kernel asks
// a filter about each number when it is loaded, and remembers those. Because a
// filter is loaded for each run, it is a search tree. As a list of 100
// comparisons it cost 300 µs a run.
package syscalls
