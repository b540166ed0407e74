//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"crucible/judge/serve/client"
)

// A pool is a server and its workers.
type pool struct {
	*trial
	ctx        context.Context
	dir        string
	port       int
	url, token string
	server     *exec.Cmd
	workers    []*runner
	lies       atomic.Bool
	relay      relay  // of the requests of the third worker, or of all
	cable      string // the network device of the third worker
	undo       []func() error

	mu    sync.Mutex
	asked map[string]int // requests by path, from the log of the server
	names map[string]int // registrations by worker

	submitted []string        // work items, from the log of the server
	mortal    []string        // those that end with the server that runs
	cancelled map[string]bool // those that need no verdict
	watched   chan struct{}   // closed at the end of the log
}

// A runner is a worker.
type runner struct {
	pool    *pool
	name    string
	dir     string
	judged  string   // program
	server  string   // URL
	before  []string // command that starts it in its network
	process *exec.Cmd
}

var (
	requestLine = regexp.MustCompile(`msg=request .*path=(\S+)`)
	workerLine  = regexp.MustCompile(`msg="a worker has registered" worker=(\S+)`)
)

// open starts the server and three workers.
func (p *pool) open() error {
	p.asked, p.names, p.cancelled = make(map[string]int), make(map[string]int), make(map[string]bool)
	if p.kind.quota {
		if err := p.mount(filepath.Join(p.dir, "server"), "256m"); err != nil {
			return err
		}
	}
	if err := p.serve(); err != nil {
		return err
	}
	for i := range 3 {
		w := &runner{pool: p, name: "w" + strconv.Itoa(i+1), judged: p.settings.judged, server: p.url}
		w.dir = filepath.Join(p.dir, w.name)
		if err := p.special(w, i == 2); err != nil {
			return err
		}
		p.workers = append(p.workers, w)
		if err := w.begin(); err != nil {
			return err
		}
	}
	for _, w := range p.workers {
		if err := w.wait(0); err != nil {
			return err
		}
	}
	return nil
}

// special prepares a worker as some kinds of faults need it, mostly the last one.
func (p *pool) special(w *runner, last bool) error {
	switch {
	case p.kind.proxy:
		return p.behind(w, p.relay.buffer)
	case !last:
		return nil
	case p.kind.network:
		return p.namespace(w)
	case p.kind.small:
		return p.mount(w.dir, "256k")
	}
	return p.behind(w, p.relay.shuffle)
}

// mount makes a folder a file system of some size, until the end.
func (p *pool) mount(dir, size string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	p.undo = append(p.undo, func() error { return syscall.Unmount(dir, 0) })
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size)
}

// behind puts a worker behind a proxy.
func (p *pool) behind(w *runner, proxy http.HandlerFunc) (err error) {
	if p.relay.next, err = lying(p.url, &p.lies); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: proxy, ReadTimeout: longest}
	go s.Serve(l)
	p.undo = append(p.undo, s.Close)
	w.server = "http://" + l.Addr().String()
	return nil
}

// namespace puts a worker in a network of its own, with a cable to the server.
func (p *pool) namespace(w *runner) error {
	id := os.Getpid() % 10000
	space, near, far := fmt.Sprintf("faults%d", id), fmt.Sprintf("fa%d", id), fmt.Sprintf("fb%d", id)
	net := fmt.Sprintf("10.%d.%d", 64+id/100%100, id%100)
	p.undo = append(p.undo, func() error { return command("ip", "netns", "delete", space) })
	for _, c := range []string{
		"netns add " + space, "link add " + near + " type veth peer name " + far + " netns " + space,
		"address add " + net + ".1/24 dev " + near, "link set " + near + " up",
		"-n " + space + " address add " + net + ".2/24 dev " + far, "-n " + space + " link set " + far + " up", "-n " +
			space + " link set lo up",
	} {
		if err := command("ip", strings.Fields(c)...); err != nil {
			return err
		}
	}
	w.server = fmt.Sprintf("http://%s.1:%d", net, p.port)
	w.before = []string{"ip", "netns", "exec", space}
	p.cable = near
	return nil
}

// link cuts the cable ("down"), or joins it ("up").
func (p *pool) link(state string) error { return command("ip", "link", "set", p.cable, state) }

// command runs a command; its output is the error.
func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// freePort returns a port that is free.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// serve starts the server, at the port that it had before.
func (p *pool) serve() (err error) {
	if p.watched != nil {
		<-p.watched
		for _, id := range p.mortal {
			p.cancelled[id] = true
		}
		p.mortal = nil
	}
	p.watched = make(chan struct{})
	if p.port == 0 {
		if p.port, err = freePort(); err != nil {
			return err
		}
	}
	host := "127.0.0.1"
	if p.kind.network {
		host = "0.0.0.0"
	}
	args := []string{"serve", "-v", "--listen", fmt.Sprintf("%s:%d", host, p.port), "--dir",
		filepath.Join(p.dir, "server"), "--local-worker=false", "--calibrate-every", "0", "--plain"}
	if p.short {
		args = append(args, "--ack-wait", "2s")
	}
	p.server = exec.CommandContext(p.ctx, p.settings.judged, args...)
	p.server.Env = p.environment()
	log, err := p.server.StderrPipe()
	if err != nil {
		return err
	}
	go p.watch(log, p.watched)
	c, err := client.Start(p.server)
	if err != nil {
		return fmt.Errorf("%w: see %s", err, filepath.Join(p.dir, "server.log"))
	}
	p.url, p.token = c.URL, c.Token
	return nil
}

// watch counts what the log of the server shows, and keeps it.
func (p *pool) watch(log io.Reader, ended chan struct{}) {
	defer close(ended)
	f, err := os.OpenFile(filepath.Join(p.dir, "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	for in := bufio.NewScanner(log); in.Scan(); {
		fmt.Fprintln(f, in.Text())
		p.mu.Lock()
		p.note(in.Text())
		if found := requestLine.FindStringSubmatch(in.Text()); found != nil {
			p.asked[found[1]]++
		}
		if found := workerLine.FindStringSubmatch(in.Text()); found != nil {
			p.names[found[1]]++
		}
		p.mu.Unlock()
	}
}

// requests returns how many requests the server has answered.
func (p *pool) requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// registered returns how often a worker has registered.
func (p *pool) registered(name string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names[name]
}

// begin starts the worker.
func (w *runner) begin() error {
	p := w.pool
	args := append(append([]string{}, w.before...), w.judged, "worker", "-v", "--server", w.server, "--name", w.name,
		"--dir", w.dir, "--jobs", "1")
	w.process = exec.CommandContext(p.ctx, args[0], args[1:]...)
	w.process.Env = append(p.environment(), "CRUCIBLE_TOKEN="+p.token)
	log, err := os.OpenFile(w.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	w.process.Stderr = log
	return w.process.Start()
}

// log is the file with what the worker prints.
func (w *runner) log() string { return filepath.Join(w.pool.dir, w.name+".log") }

// wait waits until the worker has registered more than n times.
func (w *runner) wait(n int) error {
	for began := time.Now(); w.pool.registered(w.name) <= n; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			return fmt.Errorf("worker %s has not registered within a minute: see %s", w.name, w.log())
		}
	}
	return nil
}

// start starts the worker and waits until it has registered.
func (w *runner) start() error {
	was := w.pool.registered(w.name)
	if err := w.begin(); err != nil {
		return err
	}
	return w.wait(was)
}

// work returns the process that makes the runs, which is a child of the supervisor.
func (w *runner) work() (int, error) {
	pid := w.process.Process.Pid
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
		var data []byte // the children of all threads
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, name := range threads {
			some, _ := os.ReadFile(name)
			data = append(data, some...)
		}
		for one := range strings.FieldsSeq(string(data)) {
			command, err := os.ReadFile("/proc/" + one + "/cmdline")
			if err == nil && strings.HasSuffix(string(command), "\x00work\x00") {
				return strconv.Atoi(one)
			}
		}
	}
	return 0, fmt.Errorf("worker %s has had no process that makes runs for a minute", w.name)
}

// signal sends a signal to the process that makes the runs.
func (w *runner) signal(s syscall.Signal) error {
	pid, err := w.work()
	if err != nil {
		return err
	}
	return signal1(pid, s)
}

// ensure starts a worker again if it has been killed.
func (w *runner) ensure(context.Context) error {
	if w.process.Process.Signal(syscall.Signal(0)) == nil && !zombie(w.process.Process.Pid) {
		return nil
	}
	w.process.Wait()
	return w.start()
}

// zombie reports whether a child has ended.
func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(data), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}

// close ends all processes, and checks the queue. It returns how many items are wrong.
func (p *pool) close() (wrong int, err error) {
	if len(p.workers) == 3 && p.server != nil {
		err = p.empty()
	}
	for _, w := range p.workers {
		if w.process != nil && w.process.Process != nil {
			w.process.Process.Signal(syscall.SIGCONT)
			w.process.Process.Signal(syscall.SIGTERM)
		}
	}
	for _, w := range p.workers {
		if w.process != nil {
			stop(w.process)
		}
	}
	if p.server != nil && p.server.Process != nil {
		p.server.Process.Signal(syscall.SIGTERM)
		stop(p.server)
	}
	if err == nil {
		wrong, err = p.checkQueue()
	}
	for _, f := range p.undo {
		err = errors.Join(err, f())
	}
	return wrong, err
}

// stop waits for a process that was asked to end, and kills it if it does not.
func stop(c *exec.Cmd) {
	timer := time.AfterFunc(20*time.Second, func() { c.Process.Kill() })
	defer timer.Stop()
	c.Wait()
}
