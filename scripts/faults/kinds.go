//go:build linux

package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
)

// A kind is a kind of fault.
type kind struct {
	name      string
	submitter bool // the fault hits judge run, which then may have no record
	root      bool // only root can do it
	network   bool // the third worker is in a network of its own
	small     bool // the third worker has a small disk
	order     bool // requests of the third worker are repeated, late and not answered, all the time; fault is nil
	proxy     bool // all workers are behind a proxy that buffers; fault is nil
	cluster   bool // one of three machines has a fault; fault is nil
	clock     bool // needs a worker whose clock is wrong
	batch     bool // the server is killed while it judges a batch; fault is nil
	quota     bool // the folder of the server is a small file system
	load      bool // judgements are submitted before and while the fault lasts, in place of judge run
	eio       bool // a judgement may end with a clear error, and the server with it
	fault     func(t *trial, call *exec.Cmd) (heal func() error, err error)
}

func nothing() error { return nil }

var kinds = []kind{
	{name: "worker-kill", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		return nothing, t.any().signal(syscall.SIGKILL)
	}},
	{name: "worker-stop", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		w := t.any()
		pid, err := w.work()
		if err != nil {
			return nil, err
		}
		return func() error { return signal1(pid, syscall.SIGCONT) }, signal1(pid, syscall.SIGSTOP)
	}},
	{name: "supervisor-kill", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		return nothing, t.any().process.Process.Kill() // ensure starts it again
	}},
	{name: "supervisor-stop", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		p := t.any().process.Process
		return func() error { return p.Signal(syscall.SIGCONT) }, p.Signal(syscall.SIGSTOP)
	}},
	{name: "server-kill", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		if err := t.pool.server.Process.Kill(); err != nil {
			return nil, err
		}
		t.pool.server.Wait()
		return t.pool.serve, nil
	}},
	{name: "server-kill-batch", batch: true},
	{name: "leader", cluster: true},
	{name: "server-stop", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		p := t.pool.server.Process
		return func() error { return p.Signal(syscall.SIGCONT) }, p.Signal(syscall.SIGSTOP)
	}},
	{name: "submitter-kill", submitter: true, fault: func(t *trial, call *exec.Cmd) (func() error, error) {
		return nothing, ended(call.Process.Kill())
	}},
	{name: "submitter-stop", fault: func(t *trial, call *exec.Cmd) (func() error, error) {
		return func() error { return ended(call.Process.Signal(syscall.SIGCONT)) },
			ended(call.Process.Signal(syscall.SIGSTOP))
	}},
	{name: "network", root: true, network: true, fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		return func() error { return t.pool.link("up") }, t.pool.link("down")
	}},
	{name: "disk", root: true, small: true, fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		return nothing, nil // it is full from the beginning
	}},
	{name: "full", root: true, quota: true, load: true, fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		return t.fill(filepath.Join(t.pool.dir, "server", "ballast"))
	}},
	eio("create", "openat,mkdirat"), eio("write", "write"), eio("pwrite", "pwrite64"), eio("sync", "fsync,fdatasync"),
	eio("rename", "renameat"), eio("truncate", "ftruncate"), eio("remove", "unlinkat"),
	{name: "partition", root: true, network: true, cluster: true},
	{name: "duplicate", fault: func(t *trial, call *exec.Cmd) (func() error, error) {
		// The same items again, at the same time.
		args := append([]string{}, call.Args[1:]...)
		args[len(args)-4] = filepath.Join(t.dir, "duplicate.json")
		twin := exec.Command(t.judge, args...)
		twin.Env = call.Env
		if err := twin.Start(); err != nil {
			return nil, err
		}
		return func() error {
			err := twin.Wait()
			got, readErr := normalized(filepath.Join(t.dir, "duplicate.json"))
			if err != nil || readErr != nil || string(got) != string(t.want) {
				t.report(fmt.Sprintf("the second call: %v: %v: %s", err, readErr, difference(t.want, got)))
			}
			return nil
		}, nil
	}},
	{name: "order", order: true},
	{name: "proxy", proxy: true},
	{name: "digest", fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		t.pool.lies.Store(true)
		// A worker that has the files does not ask for them again.
		return func() error { t.pool.lies.Store(false); return nil }, t.restartLast(func(*runner) {})
	}},
	{name: "clock", clock: true, fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		heal := func() error { return t.restartLast(func(w *runner) { w.judged = t.judged }) }
		return heal, t.restartLast(func(w *runner) { w.judged = t.wrongClock })
	}},
}

// restartLast starts the last worker again, after change, with nothing on its disk.
func (t *trial) restartLast(change func(w *runner)) error {
	w := t.pool.workers[len(t.pool.workers)-1]
	w.process.Process.Kill()
	w.process.Wait()
	change(w)
	if err := os.RemoveAll(w.dir); err != nil {
		return err
	}
	return w.start()
}

// ended makes the error of a signal to a process that has ended none.
func ended(err error) error {
	if err == os.ErrProcessDone {
		return nil
	}
	return err
}

// missing returns why a kind cannot be tried here.
func (k *kind) missing() string {
	if k.root && os.Geteuid() != 0 {
		return "needs root"
	}
	if _, err := exec.LookPath("ip"); err != nil && k.network {
		return "needs ip, of iproute2"
	}
	if _, err := exec.LookPath("strace"); err != nil && k.eio {
		return "needs strace"
	}
	return ""
}

// sharesPool reports whether two kinds can have the same server and workers.
func (k *kind) sharesPool(l *kind) bool {
	return k.network == l.network && k.small == l.small && k.quota == l.quota && k.proxy == l.proxy
}

// any returns one of the workers.
func (t *trial) any() *runner { return t.pool.workers[t.random.IntN(len(t.pool.workers))] }

// signal1 sends a signal to a process that may have ended.
func signal1(pid int, s syscall.Signal) error {
	if err := syscall.Kill(pid, s); err != nil && err != syscall.ESRCH {
		return err
	}
	return nil
}

// lying returns a proxy that changes the bytes of files while lies is true.
func lying(to string, lies *atomic.Bool) (http.Handler, error) {
	u, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	p := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) },
		ErrorLog: log.New(io.Discard, "", 0)}
	p.ModifyResponse = func(r *http.Response) error {
		if lies.Load() && strings.HasPrefix(r.Request.URL.Path, "/v1/blobs/") && r.StatusCode == http.StatusOK {
			r.Body = &changed{ReadCloser: r.Body}
		}
		return nil
	}
	return p, nil
}

// changed is a body whose first byte is another one.
type changed struct {
	io.ReadCloser
	begun bool
}

func (c *changed) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if n > 0 && !c.begun {
		p[0] ^= 1
		c.begun = true
	}
	return n, err
}
