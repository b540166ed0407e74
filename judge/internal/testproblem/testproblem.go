package testproblem

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Located returns the source of a problem, which is closed when the test ends.
func Located(t *testing.T, name string) *problem.Source {
	t.Helper()
	s, err := problem.Locate(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// PackageOf writes a package to a real folder and opens it. The problem is closed
// when the test ends.
func PackageOf(t *testing.T, files fstest.MapFS) *problem.Problem {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sum")
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	p, err := problem.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Scripted is a Runner that runs no programs. The standard input of a run decides
// its outcome: a verdict, or the CPU time of a right answer.
type Scripted struct {
	Delay bool         // delays runs at random, so that they end in a random order
	alone atomic.Int64 // runs in progress
	Most  atomic.Int64 // the maximum number of runs at once
	Runs  atomic.Int64 // number of runs, without compilers

	mu   sync.Mutex
	Slow map[string]int // how many more times each input gets TLE before its own outcome
}

// Run returns the outcome that the input names. Without input, it is a compiler,
// which succeeds.
func (r *Scripted) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if c.Stdin == nil { // the compiler
		return o, nil
	}
	r.Runs.Add(1)
	now := r.alone.Add(1)
	defer r.alone.Add(-1)
	for most := r.Most.Load(); now > most && !r.Most.CompareAndSwap(most, now); most = r.Most.Load() {
	}
	if r.Delay {
		time.Sleep(rand.N(2 * time.Millisecond))
	}
	data, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	word := strings.TrimSpace(string(data))
	r.mu.Lock()
	if r.Slow[word] > 0 {
		r.Slow[word]--
		word = "TLE"
	}
	r.mu.Unlock()
	switch word {
	case "TLE":
		o.CPU, o.Exceeded, o.Signal = c.Limits.CPU+1, sandbox.CPU, syscall.SIGKILL
	case "MLE":
		o.Memory, o.Exceeded = c.Limits.Memory+1, sandbox.Memory
	case "RTE":
		o.Exit = 1
	case "WA":
		fmt.Fprintln(c.Stdout, "wrong")
	case "broken":
		return o, errors.New("the disk is full")
	default:
		if took, err := time.ParseDuration(word); err == nil && c.Limits.CPU > 0 && took > c.Limits.CPU {
			o.CPU, o.Exceeded, o.Signal = c.Limits.CPU+1, sandbox.CPU, syscall.SIGKILL
			break
		} else if err == nil {
			o.CPU = took
		}
		fmt.Fprintln(c.Stdout, "right")
	}
	return o, nil
}

// ScriptedProblem returns a problem with a secret case for each word, which is
// its input, and a submission in the folder. Its programs are for [Scripted].
func ScriptedProblem(t *testing.T, folder string, words ...string) (*problem.Problem, *problem.Submission) {
	t.Helper()
	testkit.Needs(t, "bash") // the language of the submission
	m := fstest.MapFS{"problem.yaml": testkit.Pack("")["problem.yaml"], "submissions/" + folder +
		"/a.sh": {Data: []byte("true\n")}}
	for i, word := range words {
		name := fmt.Sprintf("data/secret/%03d", i)
		m[name+".in"] = &fstest.MapFile{Data: []byte(word + "\n")}
		m[name+".ans"] = &fstest.MapFile{Data: []byte("right\n")}
	}
	p, err := problem.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Submissions[0]
}
