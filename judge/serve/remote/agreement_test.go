package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A scriptedMachine is a Runner whose CPU times are in the input: those of the machines,
// with slashes between them. Its compiler may reject all programs, or all but the one by
// which the judge tests it.
type scriptedMachine struct {
	index   int
	rejects string // a part of the sources that it rejects; "" is none
}

func (r *scriptedMachine) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if c.Stdin == nil { // the compiler
		source, err := os.ReadFile(filepath.Join(c.Dir, c.Args[len(c.Args)-1]))
		switch {
		case r.rejects != "" && bytes.Contains(source, []byte(r.rejects)):
			o.Exit = 1
			fmt.Fprintln(c.Stderr, "a broken compiler")
		case !slices.Contains(c.Args, "-n"): // the test program runs
			fmt.Fprintln(c.Stdout, "hello")
		}
		return o, err
	}
	data, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	times := strings.Split(strings.TrimSpace(string(data)), "/")
	if o.CPU, err = time.ParseDuration(times[min(r.index, len(times)-1)]); o.CPU > c.Limits.CPU {
		o.CPU, o.Exceeded = c.Limits.CPU+1, sandbox.CPU
	}
	fmt.Fprintln(c.Stdout, "right")
	return o, err
}

// A judgePool is an Executor with judges as workers a, b, c. Of those that an item does not
// avoid, the one that had the fewest items gets it.
type judgePool struct {
	workers []*judge.Judge
	mu      sync.Mutex
	items   []int
}

func newCrew(t *testing.T, machines ...*scriptedMachine) *judgePool {
	t.Helper()
	c := &judgePool{items: make([]int, len(machines))}
	for i, m := range machines {
		m.index = i
		j := &judge.Judge{Runner: m, Jobs: 1, Cache: t.TempDir()}
		t.Cleanup(func() { j.Close() })
		c.workers = append(c.workers, j)
	}
	return c
}

func (c *judgePool) Execute(ctx context.Context, item *judge.WorkItem, ran func(*judge.Run)) (judge.Compiled, error) {
	c.mu.Lock()
	best := -1
	for i := range c.workers {
		if !slices.Contains(item.Avoid, string(rune('a'+i))) && (best < 0 || c.items[i] < c.items[best]) {
			best = i
		}
	}
	if best < 0 {
		c.mu.Unlock()
		return judge.Compiled{}, judge.ErrNoOtherWorker
	}
	c.items[best]++
	c.mu.Unlock()
	name := string(rune('a' + best))
	compiled, err := c.workers[best].Execute(ctx, item, func(run *judge.Run) {
		run.Worker = name
		ran(run)
	})
	compiled.By = name
	return compiled, err
}

// A run near the limit is made again by another worker; the lower time counts.
func TestDoubtfulRuns(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		fact, folder, word string
		workers            int
		doubt              float64
		verdict            problem.Verdict
		cpu                time.Duration
		worker             string
		others             []judge.Attempt
		text               string // part of Run.Retried, or of Run.Doubt if there are no other attempts
	}{
		{"far below the limit", "accepted", "800ms", 2, 0, "AC", 800 * time.Millisecond, "a", nil, ""},
		{"far above it", "time_limit_exceeded", "9s", 2, 0, "TLE", 1060*time.Millisecond + 1, "a", nil, ""},
		{"above it, and another worker is faster", "time_limit_exceeded", "1020ms/960ms", 2, 0, "AC", 960 * time.Millisecond, "b",
			[]judge.Attempt{{Verdict: "TLE", Why: "used 1.02 s CPU, limit 1 s", CPU: 1020 * time.Millisecond, Worker: "a"}}, "TLE: used 1.02 s CPU, limit 1 s; on another machine in time with a probability of 25 %"},
		{"above it on both", "time_limit_exceeded", "1020ms/1010ms", 2, 0, "TLE", 1010 * time.Millisecond, "b",
			[]judge.Attempt{{Verdict: "TLE", Why: "used 1.02 s CPU, limit 1 s", CPU: 1020 * time.Millisecond, Worker: "a"}}, "in time"},
		{"below it, and another worker is slower: the lower time counts", "accepted", "990ms/1020ms", 2, 0, "AC", 990 * time.Millisecond, "a",
			[]judge.Attempt{{Verdict: "TLE", Why: "used 1.02 s CPU, limit 1 s", CPU: 1020 * time.Millisecond, Worker: "b"}}, "AC: used 990 ms CPU, limit 1 s; on another machine TLE with a probability of 37 %"},
		{"no other worker", "time_limit_exceeded", "1020ms", 1, 0, "TLE", 1020 * time.Millisecond, "a", nil, "not made again: there is no other worker"},
		{"less likely than the threshold", "time_limit_exceeded", "1020ms/960ms", 2, 0.3, "TLE", 1020 * time.Millisecond, "a", nil, ""},
		{"never", "time_limit_exceeded", "1020ms/960ms", 2, 1, "TLE", second + 1, "a", nil, ""},
	} {
		machines := make([]*scriptedMachine, c.workers)
		for i := range machines {
			machines[i] = new(scriptedMachine)
		}
		p, s := testproblem.ScriptedProblem(t, c.folder, c.word, "100ms")
		j := &judge.Judge{Settings: judge.Settings{All: true, TimeLimit: second, Doubt: c.doubt}, Executor: Agree(newCrew(t, machines...)), Jobs: 1}
		r := j.Run(t.Context(), s, p.Cases)
		if err := j.Close(); err != nil || r.JudgeError() != nil || len(r.Runs) != 2 {
			t.Fatalf("%s: %v, %v, %d runs", c.fact, err, r.JudgeError(), len(r.Runs))
		}
		run := &r.Runs[0]
		text, attempts := run.Retried, 1+len(c.others)
		if c.others == nil {
			text = run.Doubt
		}
		if run.Verdict != c.verdict || run.Outcome.CPU != c.cpu || run.Worker != c.worker || !slices.Equal(run.Others, c.others) || !strings.Contains(text, c.text) || c.text == "" && text != "" || len(run.Times) != attempts {
			t.Errorf("%s: %s, %v CPU on %s, others %+v, %q, %d times; expected %s, %v on %s, %+v, %q, %d",
				c.fact, run.Verdict, run.Outcome.CPU, run.Worker, run.Others, text, len(run.Times), c.verdict, c.cpu, c.worker, c.others, c.text, attempts)
		}
	}
}

// A submission whose deciding run turns out to be in time is judged on the cases after it.
func TestDoubtfulRunDecides(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "1020ms/960ms", "100ms", "200ms")
	j := &judge.Judge{Settings: judge.Settings{TimeLimit: time.Second}, Executor: Agree(newCrew(t, new(scriptedMachine), new(scriptedMachine))), Jobs: 2}
	defer j.Close()
	if r := j.Run(t.Context(), s, p.Cases); r.JudgeError() != nil || r.Verdict != problem.Accepted || len(r.Runs) != 3 {
		t.Errorf("%v: %s with %d runs, expected AC with 3", r.JudgeError(), r.Verdict, len(r.Runs))
	}
}

// One worker whose compiler is broken does not decide the verdict of a submission.
func TestCompilersDiffer(t *testing.T) {
	for _, c := range []struct {
		fact    string
		rejects []string // by worker: see scriptedMachine
		verdict problem.Verdict
		runs    int
		err     string
	}{
		{"all compile", []string{"", "", ""}, "AC", 40, ""},
		{"all reject", []string{"true", "true", "true"}, "CE", 0, ""},
		{"the first one rejects", []string{"true", "", ""}, "AC", 40, ""},
		{"a later one rejects", []string{"", "true", ""}, "AC", 40, ""},
		{"a later one of two rejects", []string{"", "true"}, "", -1, "worker b rejects what worker a compiles (a broken compiler"},
		{"the first one of two rejects", []string{"true", ""}, "", 0, "worker a rejects what worker b compiles (a broken compiler"},
		{"two of three reject", []string{"", "true", "true"}, "CE", 0, ""},
		{"the only one rejects", []string{"true"}, "CE", 0, ""},
		{"the first one rejects its test program, too", []string{"e", ""}, "AC", 40, ""},
		{"a later one rejects its test program, too", []string{"", "e"}, "AC", 40, ""},
		{"the only one rejects its test program, too", []string{"e"}, "", 0, "accepted/a.sh: Bash cannot build its test program"},
	} {
		machines := make([]*scriptedMachine, len(c.rejects))
		for i := range machines {
			machines[i] = &scriptedMachine{rejects: c.rejects[i]}
		}
		// An item has about a second of work, so there are several.
		p, s := testproblem.ScriptedProblem(t, "accepted", slices.Repeat([]string{"100ms"}, 40)...)
		j := &judge.Judge{Settings: judge.Settings{TimeLimit: time.Second}, Executor: Agree(newCrew(t, machines...)), Jobs: 2}
		r := j.Run(t.Context(), s, p.Cases)
		j.Close()
		message := ""
		if err := r.JudgeError(); err != nil {
			message = err.Error()
		}
		if (message == "") != (c.err == "") || !strings.Contains(message, c.err) || r.Verdict != c.verdict || c.runs >= 0 && len(r.Runs) != c.runs {
			t.Errorf("%s: verdict %q with %d runs, error %q: expected %q with %d, %q", c.fact, r.Verdict, len(r.Runs), message, c.verdict, c.runs, c.err)
		}
	}
}
