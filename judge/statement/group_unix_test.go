//go:build unix

package statement

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program that is stopped leaves none that it started: each of them has the fifo open.
func TestStoppedTogether(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped by the test")
	ended := make(chan error, 1)
	go func() {
		_, err := run(ctx, time.Hour, dir, "/bin/sh", "-c", "sleep 3600 >fifo & wait")
		ended <- err
	}()
	f, err := os.Open(fifo) // waits for the program
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel(stop)
	if _, err := io.ReadAll(f); err != nil { // waits for its end
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, stop) {
		t.Errorf("%v: expected the reason", err)
	}
}

// The error of a program that takes too long has the limit.
func TestTakesTooLong(t *testing.T) {
	_, err := run(t.Context(), time.Millisecond, t.TempDir(), "/bin/sh", "-c", "sleep 3600")
	if err == nil || !strings.Contains(err.Error(), "stopped after 1ms") {
		t.Errorf("%v: expected the limit", err)
	}
}
