//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
)

// A load is what was submitted while faults last.
type load struct {
	mu       sync.Mutex
	refused  map[string]int // requests without a judgement, by the answer
	errors   int            // judgements that ended with an error
	restarts int            // of a server that had ended by itself
	hits     int            // system calls that failed
	slowest  time.Duration  // from the end of a fault until all judgements have ended, and the server is ready
}

// said is what happened.
func (l *load) said() string {
	var all []string
	for _, answer := range slices.Sorted(maps.Keys(l.refused)) {
		all = append(all, fmt.Sprintf("%d x %s", l.refused[answer], answer))
	}
	return fmt.Sprintf("recovered in at most %.1f s; %d ended with an error, %d restarts, %d failed calls; refused: %s",
		l.slowest.Seconds(), l.errors, l.restarts, l.hits, strings.Join(all, ", "))
}

// submit submits a judgement until it is accepted, and returns its id. Only what may end with
// an error is refused for other reasons than a server that takes nothing.
func (t *trial) submit(ctx context.Context, c *client.Client, key string) (string, error) {
	for {
		one, cancel := context.WithTimeout(ctx, 10*time.Second)
		g, err := c.Judge(one, t.request(key), key)
		cancel()
		if err == nil {
			return g.ID, nil
		}
		answer := "no connection"
		if p := new(blob.Problem); errors.As(err, &p) {
			answer = fmt.Sprint(p.Status)
			if p.Status != http.StatusServiceUnavailable && p.Status != http.StatusInsufficientStorage && !t.kind.eio {
				t.load.wrong(t, key+": "+err.Error())
			}
		} else if errors.Is(err, context.DeadlineExceeded) {
			answer = "no answer"
		}
		t.load.mu.Lock()
		if t.load.refused == nil {
			t.load.refused = make(map[string]int)
		}
		t.load.refused[answer]++
		t.load.mu.Unlock()
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("%s was not accepted: %w", key, err)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// wrong reports what is wrong, from several goroutines.
func (l *load) wrong(t *trial, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.report(why)
}

// follow waits for the end of a judgement and checks it.
func (t *trial) follow(ctx context.Context, c *client.Client, key, id string) (g *api.Judgement) {
	var err error
	for ctx.Err() == nil {
		one, cancel := context.WithTimeout(ctx, 3*time.Second)
		g, err = c.Judgement(one, id)
		cancel()
		why := ""
		switch {
		case err != nil || g.State != api.Ended:
			time.Sleep(100 * time.Millisecond)
			continue
		case t.kind.eio && g.Error != "" && g.Verdict == "":
			t.load.mu.Lock()
			t.load.errors++
			t.load.mu.Unlock()
			return g
		}
		if why, err = wrongJudgement(ctx, c, g, key); why != "" {
			t.load.wrong(t, fmt.Sprintf("judgement %s, %s at %s: %s", id, key, c.URL, why))
		}
		if err == nil {
			return g
		}
	}
	t.load.wrong(t, fmt.Sprintf("judgement %s, %s at %s has not ended: %+v, %v", id, key, c.URL, g, err))
	return nil
}

// loadRound submits judgements, has a fault in the meantime, and checks them.
func (t *trial) loadRound(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := client.New(t.pool.url, t.pool.token)
	if err == nil {
		err = t.upload(ctx, c)
	}
	if err != nil {
		return err
	}
	t.calls++
	length := t.length()
	var all sync.WaitGroup
	for i := range batchSize {
		key := fmt.Sprintf("%s-%s-%d-%d", []string{"AC", "WA", "RTE"}[i%3], t.kind.name, t.calls, i)
		all.Go(func() {
			time.Sleep(length * time.Duration(max(0, i-3)) / (batchSize - 3))
			id, err := t.submit(ctx, c, key)
			if err != nil {
				t.load.wrong(t, err.Error())
				return
			}
			t.follow(ctx, c, key, id)
		})
	}
	time.Sleep(time.Duration(t.random.Int64N(int64(time.Second))))
	heal, err := t.kind.fault(t, nil)
	if err != nil {
		return err
	}
	time.Sleep(length)
	if status := ready(ctx, t.pool.url); t.kind.quota && status == http.StatusOK {
		t.load.wrong(t, fmt.Sprintf("readyz: %d on a full disk", status))
	}
	if err := heal(); err != nil {
		return err
	}
	healed := time.Now()
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	for wait := true; wait; {
		select {
		case <-ended:
			wait = false
		case <-time.After(100 * time.Millisecond):
			if !zombie(t.pool.server.Process.Pid) {
				break
			}
			err := t.pool.server.Wait()
			if t.load.restarts++; !t.kind.eio {
				t.load.wrong(t, fmt.Sprintf("the server has ended: %v", err))
			}
			if err := t.pool.serve(); err != nil {
				return err
			}
		}
	}
	// All can have ended before the fault did, so that the server is not yet ready again.
	status := ready(ctx, t.pool.url)
	for ; status != http.StatusOK && time.Since(healed) < time.Minute; status = ready(ctx, t.pool.url) {
		time.Sleep(100 * time.Millisecond)
	}
	t.load.slowest = max(t.load.slowest, time.Since(healed))
	if status != http.StatusOK {
		t.load.wrong(t, fmt.Sprintf("readyz: %d a minute after the fault: expected 200", status))
	}
	return t.settled(ctx)
}

// ready returns the status of readyz; 0 is no answer.
func ready(ctx context.Context, url string) int {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"/readyz", nil)
	if err != nil {
		return 0
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

// fill fills a file system with a file.
func (t *trial) fill(name string) (heal func() error, err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return nil, err
	}
	return func() error { return os.Remove(name) }, nil
}

// eio is the kind of fault in which some system calls of the server fail.
func eio(name, calls string) kind {
	return kind{name: "eio-" + name, load: true, eio: true, fault: func(t *trial, _ *exec.Cmd) (func() error, error) {
		trace := filepath.Join(t.dir, "strace")
		when := []string{"1", "1+", "1+3"}[t.random.IntN(3)] // of each thread
		args := []string{"-f", "-o", trace, "-p", fmt.Sprint(t.pool.server.Process.Pid), "-e", "trace=" + calls,
			"-e", "inject=" + calls + ":error=EIO:when=" + when}
		if name == "write" { // not those to sockets and to the log; NATS also writes a.tmp to replace a
			err := filepath.WalkDir(filepath.Join(t.pool.dir, "server"), func(path string, _ fs.DirEntry, err error) error {
				args = append(args, "-P", path, "-P", path+".tmp")
				return err
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		c := exec.CommandContext(t.pool.ctx, "strace", args...)
		out, err := c.StderrPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			return nil, err
		}
		in := bufio.NewScanner(out)
		for in.Scan() && !strings.Contains(in.Text(), "attached") {
		}
		go func() {
			for in.Scan() {
			}
		}()
		return func() error {
			err := ended(c.Process.Signal(syscall.SIGTERM))
			c.Wait()
			data, readErr := os.ReadFile(trace)
			t.load.hits += strings.Count(string(data), "(INJECTED)")
			return errors.Join(err, readErr)
		}, nil
	}}
}
