//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A launcher is the judge's end of a launcher process, which runs programs one at a
// time.
type launcher struct {
	socket int
	cmd    *exec.Cmd
	stderr *os.File // of the process; nil if it is not kept
	level  Level
	group  *cgroup // nil if none can be created
	groups int     // number of cgroups so far
	run    int64
	began  time.Time // of the current run; zero until its order is sent
	view   string    // text of the view that it showed last
	cores  []int     // of the last run
	blank  bool      // it no longer shows that view
	files  int64     // bytes, of each private file system
	chores int64
	buffer []byte

	private int64 // bytes in private files, as last reported
}

// startLauncher starts this executable file again as a launcher on a level, in a
// new cgroup if cgroups is set and one can be created.
func startLauncher(level Level, cgroups bool) (*launcher, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket of a launcher: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "launcher socket")
	defer theirs.Close()
	l := &launcher{socket: pair[0], level: level, view: unused, buffer: make([]byte, 64<<10)}
	if fd, err := unix.MemfdCreate("launcher stderr", unix.MFD_CLOEXEC); err == nil {
		l.stderr = os.NewFile(uintptr(fd), "launcher stderr")
	}
	l.cmd = exec.Command("/proc/self/exe")
	l.cmd.Args = []string{"judge-launcher"}
	// One thread does the work, and a second one audits memory. There is no garbage
	// collection, and preemption by signals would only wake the threads.
	l.cmd.Env = []string{fmt.Sprintf("%s=3 %d %d", launcherVariable, level, userOf(level)), "GOGC=off", "GOMAXPROCS=2",
		"GODEBUG=asyncpreemptoff=1"}
	l.cmd.ExtraFiles = []*os.File{theirs}
	if l.stderr != nil {
		l.cmd.Stderr = l.stderr
	}
	// The new session keeps a Ctrl-C at the judge's terminal from the launcher.
	l.cmd.SysProcAttr = namespacesOf(level)
	if err := l.cmd.Start(); err != nil {
		unix.Close(l.socket)
		l.closeStderr()
		return nil, fmt.Errorf("start a launcher: %w", err)
	}
	theirs.Close()
	var hello result
	unix.SetsockoptTimeval(l.socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: int64(timeToDie / time.Second)})
	err = hello.receive(l.socket)
	if err == nil && hello.Errno != 0 {
		err = hello.Errno
	}
	if err != nil {
		return nil, fmt.Errorf("start a launcher: %w", l.lost(err))
	}
	if cgroups {
		if err := l.enterGroup(); err != nil {
			return nil, fmt.Errorf("start a launcher: %w", l.lost(err))
		}
	}
	return l, nil
}

// userOf returns the user id of programs; 0 means the judge's user. In a box of
// root, it is a user that owns nothing on the machine and that no other box uses.
func userOf(level Level) int {
	if level != RootBox {
		return 0
	}
	const first, most = 0x70000000, 1 << 24
	return first + int(nextUser.Add(1))%most
}

// nextUser starts at a number that depends on the process id, because other judges
// may run.
var nextUser = func() *atomic.Int64 {
	n := new(atomic.Int64)
	n.Store(int64(os.Getpid()) << 8)
	return n
}()

// namespacesOf returns the attributes for starting a launcher: in new namespaces if
// the level is a box.
func namespacesOf(level Level) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if !level.Full() {
		return attr
	}
	attr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWNET |
		unix.CLONE_NEWCGROUP
	if level == UserBox {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		// Without root, only one user can be mapped. It must not be 0, because
		// programs would believe that they run as root.
		const inside = 1000
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: os.Getgid(), Size: 1}}
		for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
			attr.AmbientCaps = append(attr.AmbientCaps, capability)
		}
	}
	return attr
}

// enterGroup moves the launcher into a new cgroup, if one can be created, and
// deletes the old one.
func (l *launcher) enterGroup() error {
	l.groups++
	group, err := newCgroup(l.cmd.Process.Pid, l.groups)
	if err != nil {
		return fmt.Errorf("create a cgroup: %w", err)
	}
	l.group.remove()
	if l.group = group; group == nil {
		return nil
	}
	var fds []int
	if group.cpu != 0 && group.oom != 0 && group.refusals != 0 {
		for _, f := range append([]control{group.cpu, group.oom, group.refusals}, group.bounds(true)...) {
			fds = append(fds, int(f))
		}
	}
	return send(l.socket, &message{Kind: kindAccount}, nil, fds...)
}

// show makes the launcher show the view of that text, unless it already does.
func (l *launcher) show(view string, files int64) error {
	if l.level < Guarded || view == l.view && files == l.files && !l.blank {
		return nil
	}
	if len(view) > maxInline {
		return fmt.Errorf("the paths of the files and folders to show are too long: expected at most %d bytes in total, "+
			"found %d", maxInline, len(view))
	}
	// The copies for this run may need more memory than the limit of the last run.
	if l.level.Full() {
		if err := l.group.unbind(); err != nil {
			return fmt.Errorf("remove the memory limit: %w", err)
		}
	}
	if err := send(l.socket, &message{Kind: kindShow, Limits: Limits{Files: files}}, []byte(view)); err != nil {
		return &lostError{err}
	}
	var r result
	if err := r.receive(l.socket); err != nil {
		return &lostError{err}
	}
	if r.Errno != 0 {
		return &lostError{fmt.Errorf("%v: %w", r.Step, r.Errno)}
	}
	l.view, l.files, l.blank = view, files, false
	l.private, l.chores = r.Files, max(l.chores, r.Chores)
	return nil
}

// gone reports whether an idle launcher has exited.
func (l *launcher) gone() bool {
	fds := []unix.PollFd{{Fd: int32(l.socket)}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
}

// stopped reports whether a signal has stopped the launcher.
func (l *launcher) stopped() bool {
	t := tree{}
	p := proc{pid: l.cmd.Process.Pid}
	return t.read(&p) && p.state == 'T'
}

// close ends an idle launcher. It exits at once unless a signal has stopped it.
func (l *launcher) close() error {
	unix.Close(l.socket)
	kill := time.AfterFunc(timeStopped, func() { l.cmd.Process.Kill() })
	err := l.cmd.Wait()
	kill.Stop()
	l.group.remove()
	if stderr := l.closeStderr(); err != nil && stderr != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, stderr)
	}
	return err
}

// closeStderr returns the start of the launcher's stderr and closes it.
func (l *launcher) closeStderr() string {
	if l.stderr == nil {
		return ""
	}
	defer l.stderr.Close()
	start, _ := io.ReadAll(io.NewSectionReader(l.stderr, 0, 400))
	return strings.TrimSpace(string(start))
}

// lost kills a launcher that can no longer be used, and all its descendants. It
// adds the launcher's stderr to the error.
func (l *launcher) lost(err error) error {
	l.kill()
	return l.explain(err)
}

// kill ends a launcher that can no longer be used, and all its descendants. What its
// cgroup has counted can be read until explain.
func (l *launcher) kill() {
	t := tree{root: l.cmd.Process.Pid, cursor: -1, many: true}
	// Stop the launcher first, so that it starts no process meanwhile.
	l.cmd.Process.Signal(unix.SIGSTOP)
	for range 100 {
		alive := 0
		for _, p := range t.look() {
			if p.state != 'Z' {
				alive++
				unix.Kill(p.pid, unix.SIGKILL)
			}
		}
		if alive == 0 {
			break
		}
		t.cursor = -1
		time.Sleep(time.Millisecond)
	}
	l.cmd.Process.Kill()
	unix.Close(l.socket)
	l.cmd.Wait()
}

// atLimit returns the result of a run that reached its memory limit and whose launcher
// the kernel killed, or nil. The kernel kills the program first, but it may choose the
// launcher before the memory of the program is free.
func (l *launcher) atLimit(limits Limits) *result {
	if l.began.IsZero() || limits.Memory == 0 {
		return nil
	}
	wall := time.Since(l.began)
	peak, killed, _ := l.group.end(0, 0)
	if !killed || scarce(peak, limits) {
		return nil
	}
	return &result{
		Status: unix.WaitStatus(unix.SIGKILL), Cause: causeMemory, CgroupPeak: peak,
		Wall: wall, Counted: l.group.spent(),
	}
}

// scarce reports whether the kernel killed a program for memory although its peak was
// below its limit: the machine has too little memory.
func scarce(peak int64, limits Limits) bool {
	return peak >= 0 && peak < cmp.Or(limits.Memory, boundless)-staleCharge
}

// explain adds to an error the reason for which a launcher was lost, and the launcher's
// stderr. It releases what is left of the launcher.
func (l *launcher) explain(err error) error {
	if l.group.killed() {
		// The memory of a killed program may be free only after the next program has
		// started, and then the kernel may choose the launcher.
		err = fmt.Errorf("%w: killed for memory: expected more free memory on this machine", err)
	}
	l.group.remove()
	if stderr := l.closeStderr(); stderr != "" {
		return fmt.Errorf("%w; it wrote: %s", err, stderr)
	}
	return fmt.Errorf("%w (%s)", err, l.cmd.ProcessState)
}

// A lostError means that the launcher can no longer be used.
type lostError struct{ err error }

func (e *lostError) Error() string { return e.err.Error() }

// do makes the launcher show a view and run a program, and passes on its output.
// After a *lostError, the caller must call lost.
func (l *launcher) do(ctx context.Context, program, dir, view string, c *Cmd, in *input, m *meter) (*result, error) {
	l.began = time.Time{}
	if err := l.show(view, c.Limits.Files); err != nil {
		return nil, err
	}
	l.run++
	stdout, err := openOutput(c.Stdout)
	if err != nil {
		return nil, err
	}
	defer stdout.close()
	stderr, err := openPipe()
	if err != nil {
		return nil, err
	}
	defer stderr.close()
	files := []int{stdout.w, stderr.w}
	if in.fd >= 0 {
		files = []int{in.fd, stdout.w, stderr.w}
	}
	// The launcher deletes what a run has left after it has answered, so only now
	// is it known how much memory stays charged.
	if l.group.stale(l.private) {
		if err := l.enterGroup(); err != nil {
			return nil, &lostError{err}
		}
	}
	if err := l.group.begin(c.Limits); err != nil {
		return nil, err
	}
	l.began = time.Now()
	if err := l.order(program, dir, c, files); err != nil {
		return nil, err
	}
	// From here on, only the program has its ends of the pipes.
	stdout.closeW()
	stderr.closeW()
	in.handedOver()
	if c.Started != nil {
		c.Started()
	}

	m.full = func() { l.stop(causeOutput) }
	stopped := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		l.stop(causeCancel)
		close(stopped)
	})
	defer func() {
		if !cancel() {
			<-stopped
		}
	}()
	stdout.to, stderr.to = m.stream("stdout", c.Stdout), m.stream("stderr", c.Stderr)
	r, err := l.attend(ctx, c.Limits.Wall, stdout, stderr)
	if err != nil {
		return nil, err
	}
	// All processes of the run have ended. Read what is in the pipes now; do not
	// wait for end of file, because a descriptor may have been passed to an
	// unrelated process.
	stdout.drain(l.buffer)
	stderr.drain(l.buffer)
	return r, l.account(r, program, c.Limits)
}

// account adds to a result what the cgroup has counted. The error is for a program
// that the kernel killed for memory although it was below its limit.
func (l *launcher) account(r *result, program string, limits Limits) error {
	l.chores, l.blank, l.private = max(l.chores, r.Chores), r.Touched, r.Files
	if r.Unbound {
		l.group.setMemory = boundless
	}
	peak, killed, refused := l.group.end(r.MaxRSS, r.Files)
	r.CgroupPeak = peak
	if killed && scarce(peak, limits) {
		return fmt.Errorf("run %s: killed for memory at %d bytes, below its limit: expected more free memory on this machine",
			program, peak)
	}
	switch {
	case r.Cause != causeNone:
	case killed && limits.Memory > 0:
		r.Cause = causeMemory
	case refused && limits.Processes > 0:
		r.Cause = causeProcesses
	}
	return nil
}

// quiet is the time for which attend waits for the result alone. Most small programs
// end within it, and what they write fits in the pipes. To read it while they run would
// take a processor from them up to three times.
const quiet = 2 * time.Millisecond

// attend passes output on until the launcher sends the result.
func (l *launcher) attend(ctx context.Context, wall time.Duration, stdout, stderr *pipe) (*result, error) {
	fds := []unix.PollFd{
		{Fd: int32(l.socket), Events: unix.POLLIN},
		{Fd: int32(stdout.r), Events: unix.POLLIN},
		{Fd: int32(stderr.r), Events: unix.POLLIN},
	}
	watched := fds[:1] // at first
	alive := newLiveness(l, wall)
	pause := soonestLook
	look := time.Now().Add(pause)
	for {
		// Poll normally ends with a message of the launcher; the timeout is for a
		// launcher that does not answer.
		timeout := alive.interval
		if l.group.memory() {
			if now := time.Now(); now.After(look) {
				l.group.look()
				pause = min(2*pause, seldomLook)
				look = now.Add(pause)
			}
			timeout = min(timeout, pause)
		}
		if len(watched) < len(fds) {
			timeout = quiet
		}
		ready, err := unix.Poll(watched, int(timeout/time.Millisecond))
		watched = fds
		if err != nil && !errors.Is(err, unix.EINTR) {
			return nil, &lostError{err}
		}
		if ready <= 0 || fds[0].Revents == 0 {
			if err := alive.check(ctx); err != nil {
				return nil, &lostError{err}
			}
		}
		if ready <= 0 {
			continue
		}
		for i, p := range []*pipe{stdout, stderr} {
			if fds[1+i].Revents != 0 && !p.pass(l.buffer) {
				fds[1+i].Fd = -1
			}
		}
		if fds[0].Revents != 0 {
			r := new(result)
			if err := r.receive(l.socket); err != nil {
				return nil, &lostError{err}
			}
			return r, nil
		}
	}
}

// usualOpenFiles is the default of Cmd.OpenFiles. It is enough for programs that
// read input and write output, and small enough that the processes of a run use
// only a small part of what the machine has.
const usualOpenFiles = 256

// order sends the launcher a run.
func (l *launcher) order(program, dir string, c *Cmd, files []int) error {
	env := c.environment(dir, l.level)
	m := message{
		Kind: kindOrder, Run: l.run, Limits: c.Limits,
		Stdin: len(files) == 3, FixedAddresses: c.FixedAddresses, Locks: c.Locks,
		OpenFiles: int64(cmp.Or(c.OpenFiles, usualOpenFiles)), Arguments: int64(len(c.Args)), Environment: int64(len(env)),
	}
	l.cores = c.Cores
	for _, core := range c.Cores {
		m.Cores.Set(core)
	}
	text := make([]byte, 0, 1024)
	for _, s := range slices.Concat([]string{program, dir}, c.Args, env) {
		if strings.IndexByte(s, 0) >= 0 {
			return fmt.Errorf("run %s: %q has a zero byte", program, s)
		}
		text = append(append(text, s...), 0)
	}
	m.Bytes = int64(len(text))
	if len(text) > maxInline {
		apart, err := sealed(text)
		if err != nil {
			return fmt.Errorf("run %s: arguments and environment: %w", program, err)
		}
		defer unix.Close(apart)
		m.Apart, files, text = true, append(files, apart), nil
	}
	if err := send(l.socket, &m, text, files...); err != nil {
		return &lostError{err}
	}
	return nil
}

// stop makes the launcher kill the current program. If the launcher is dead, attend
// detects it.
func (l *launcher) stop(c cause) {
	send(l.socket, &message{Kind: kindStop, Run: l.run, Cause: c}, nil)
}
