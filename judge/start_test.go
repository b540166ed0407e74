package judge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A crowding is a Runner whose first two programs run at the same time. The input of a
// program names its CPU time beside another program, and alone.
type crowding struct {
	runs atomic.Int64
	meet chan struct{}
}

func (r *crowding) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if c.Stdin == nil { // the compiler
		return o, nil
	}
	data, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	crowded, alone, _ := strings.Cut(strings.TrimSpace(string(data)), "/")
	took := alone
	if r.runs.Add(1) <= 2 {
		took = crowded
		select {
		case r.meet <- struct{}{}:
		case <-r.meet:
		}
	}
	if o.CPU, err = time.ParseDuration(took); o.CPU > c.Limits.CPU {
		o.CPU, o.Exceeded = c.Limits.CPU+1, sandbox.CPU
	}
	fmt.Fprintln(c.Stdout, "right")
	return o, err
}

func TestIdled(t *testing.T) {
	limits := sandbox.Limits{CPU: time.Second, Wall: 2 * time.Second}
	for _, c := range []struct {
		fact        string
		exceeded    sandbox.Resource
		cpu, waited time.Duration
		idled       bool
	}{
		{"a program that sleeps", sandbox.Wall, 2 * time.Millisecond, time.Microsecond, true},
		{"one that computes and sleeps", sandbox.Wall, 900 * time.Millisecond, time.Millisecond, true},
		{"one that waits for a processor", sandbox.Wall, 2 * time.Millisecond, 1500 * time.Millisecond, false},
		{"nothing is known about waiting", sandbox.Wall, 2 * time.Millisecond, 0, false},
		{"one that computes", sandbox.CPU, time.Second + 1, time.Millisecond, false},
	} {
		o := sandbox.Outcome{CPU: c.cpu, Waited: c.waited, Wall: limits.Wall + c.waited, Exceeded: c.exceeded, Limits: limits}
		if got := idled(&o); got != c.idled {
			t.Errorf("%s: idled %v, expected %v", c.fact, got, c.idled)
		}
	}
}

func TestNearTheLimitBesideOthers(t *testing.T) {
	for _, c := range []struct {
		fact, folder, word string
		distortion         float64
		verdict            problem.Verdict
		cpu                time.Duration
		attempts, beside   int
		again              string
	}{
		{"far below the limit", "accepted", "800ms/700ms", 0.1, "AC", 800 * time.Millisecond, 1, 1, ""},
		{"below the limit, within the distortion", "accepted", "950ms/850ms", 0.1, "AC", 850 * time.Millisecond, 2, 0, "AC beside 1 other program: used 950 ms CPU, within 10 % of the limit"},
		{"too slow only beside the other", "accepted", "1050ms/960ms", 0.1, "AC", 960 * time.Millisecond, 2, 0, "unexpected TLE beside 1 other program: used 1.05 s CPU"},
		{"an expected TLE, only beside the other", "time_limit_exceeded", "1050ms/960ms", 0.1, "AC", 960 * time.Millisecond, 2, 0, "TLE beside 1 other program: used 1.05 s CPU, within 10 % of the limit"},
		{"too slow alone, too", "time_limit_exceeded", "1050ms/1040ms", 0.1, "TLE", 1040 * time.Millisecond, 2, 0, "TLE beside 1 other program: used 1.05 s CPU, within 10 % of the limit"},
		{"slower than the distortion explains", "time_limit_exceeded", "9s/9s", 0.1, "TLE", 1100*time.Millisecond + 1, 1, 1, ""},
		{"another distortion", "time_limit_exceeded", "1050ms/960ms", 0.02, "TLE", 1020*time.Millisecond + 1, 1, 1, ""},
		{"the default", "accepted", "960ms/850ms", 0, "AC", 850 * time.Millisecond, 2, 0, "AC beside 1 other program: used 960 ms CPU, within 5 % of the limit"},
		{"none", "time_limit_exceeded", "1001ms/960ms", -1, "TLE", time.Second + 1, 1, 1, ""},
	} {
		p, s := testproblem.ScriptedProblem(t, c.folder, c.word, "100ms/100ms")
		j := &Judge{Settings: Settings{All: true, TimeLimit: time.Second, Distortion: c.distortion}, Runner: &crowding{meet: make(chan struct{})}, Jobs: 2, Cache: t.TempDir()}
		r := j.Run(t.Context(), s, p.Cases)
		if err := j.Close(); err != nil || r.JudgeError() != nil || len(r.Runs) != 2 {
			t.Fatalf("%s: %v, %v, %d runs", c.fact, err, r.JudgeError(), len(r.Runs))
		}
		run := &r.Runs[0]
		if o := run.Outcome; run.Verdict != c.verdict || o.CPU != c.cpu || len(run.Times) != c.attempts || o.Beside != c.beside || run.Retried != c.again {
			t.Errorf("%s: %s, %v CPU, %d attempts, beside %d, again %q; expected %s, %v, %d, %d, %q",
				c.fact, run.Verdict, o.CPU, len(run.Times), o.Beside, run.Retried, c.verdict, c.cpu, c.attempts, c.beside, c.again)
		}
		if other := r.Runs[1].Outcome.Beside; other != 1 {
			t.Errorf("%s: the other case ran beside %d programs, expected 1", c.fact, other)
		}
	}
}

func TestSimultaneous(t *testing.T) {
	c := &simultaneous{runner: &testproblem.Scripted{}}
	a := c.enter()
	b := c.enter()
	if n := c.leave(b); n != 1 {
		t.Errorf("b ran beside %d, expected 1", n)
	}
	d, e := c.enter(), c.enter()
	if n := c.leave(a); n != 2 {
		t.Errorf("a ran beside %d, expected 2", n)
	}
	f := c.enter()
	for _, others := range []*int{d, e, f} {
		if n := c.leave(others); n != 2 {
			t.Errorf("ran beside %d, expected 2", n)
		}
	}
	o, err := c.Run(t.Context(), sandbox.Cmd{Stdin: strings.NewReader("AC"), Stdout: new(bytes.Buffer)})
	if err != nil || o.Beside != 0 {
		t.Errorf("alone: beside %d, %v", o.Beside, err)
	}
}
