package queue

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// A supervised worker that is stopped by a signal loses its item within AckWait,
// although its supervisor lives.
func TestStoppedWorker(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: "127.0.0.1:0"})
	q := connect(t, s.Connection())
	file := filepath.Join(t.TempDir(), "pid")
	process(t, "supervisor", "stopped", s.URL(), file)
	it := item("a")
	it.Payload = []byte("4000 a")
	p := submit(t, q, it)[0]
	for range p.Results(t.Context()) {
		break
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(text))
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer child.Signal(syscall.SIGCONT)
	startWorker(t, s.Connection(), Worker{ID: "second"}, func(ctx context.Context, d *Delivery) error {
		_, err := d.Verdict(ctx, nil)
		return err
	})
	if v := verdict(t, p); v.Worker != "second" || v.Attempt != 2 {
		t.Errorf("verdict %+v, expected attempt 2 of the second worker", v)
	}
}
