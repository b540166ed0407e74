package verify

import (
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// TestVerifyRunsBeyondTheLimitForTheMargin checks that each submission runs as long as
// the margins of a time limit of 2 s need, and no longer: the limits are the CPU times
// at which its runs would have been stopped.
func TestVerifyRunsBeyondTheLimitForTheMargin(t *testing.T) {
	for _, c := range []struct {
		name, folder, cases string
		limits              string
		broken              string
		hard                string // the case that another rule requires TLE on
	}{
		{"a slow one until one case is slow enough", "time_limit_exceeded", "AC TLE TLE AC TLE", "3s 3s 2s 2s 2s", "", ""},
		{"what passes the limit alone is not slow enough", "time_limit_exceeded", "2.5s AC 3s TLE", "3s 3s 3s 2s", "", ""},
		{"none is slow enough", "time_limit_exceeded", "2.5s 2.9s AC", "3s 3s 3s", "takes 2.90 s, but must take at least 3.00 s", ""},
		{"one that must pass is waited for, to tell how long it takes", "accepted", "AC 1.9s 3.7s", "4s 4s 4s", "the time limit is 2 s, but must be at least 7.40 s: accepted/", ""},
		{"one that must fail in time, too", "wrong_answer", "AC 1.1s WA", "4s 4s 4s", "takes 1.10 s", ""},
		{"one that may be slow bounds nothing", "brute_force", "AC 2.5s TLE", "2s 2s 2s", "", ""},
		{"one of which nothing is known bounds nothing", "other", "AC TLE WA", "2s 2s 2s", "", ""},
		{"each rule is for the cases it speaks of", "time_limit_exceeded", "9s AC 2.5s AC", "3s 2s 3s 2s", "takes 2.50 s, but must take at least 3.00 s", "secret/002"},
		{"several rules, all of them met", "time_limit_exceeded", "9s AC 3s AC", "3s 2s 3s 2s", "", "secret/002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := testproblem.ScriptedProblem(t, c.folder, strings.Fields(c.cases)...)
			if c.hard != "" {
				s.Expected = append(s.Expected, problem.Expectation{Cases: c.hard, Required: []problem.Verdict{problem.TimeLimit}})
			}
			j := &judge.Judge{Runner: &testproblem.Scripted{}, Jobs: 1, Cache: t.TempDir()}
			defer j.Close()
			v, err := Verify(t.Context(), j, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var limits []string
			for _, run := range v.Reports[0].Runs {
				limits = append(limits, run.Times[0].Limits.CPU.String())
			}
			if got := strings.Join(limits, " "); got != c.limits {
				t.Errorf("%s on %s: run under %s, want %s", s.Name, c.cases, got, c.limits)
			}
			var broken []string
			for _, err := range v.Promises[len(v.Promises)-1].Broken {
				if !strings.Contains(err.Error(), "no submission bounds the time limit from below") {
					broken = append(broken, err.Error())
				}
			}
			if got := strings.Join(broken, "; "); !strings.Contains(got, c.broken) || (got == "") != (c.broken == "") {
				t.Errorf("%s on %s: broken %q, want %q", s.Name, c.cases, got, c.broken)
			}
		})
	}
}

// TestInferRunsOnlyWhatBoundsTheLimit checks that Infer skips the cases to which no rule
// about a lower bound applies, because they may be slow on purpose.
func TestInferRunsOnlyWhatBoundsTheLimit(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "other", "1.2s", "70s", "2.4s")
	p.Limits.Time = 0
	s.Expected = []problem.Expectation{{Cases: p.Cases[0].Name, Timing: problem.TimingLower}, {Cases: p.Cases[1].Name, Timing: problem.TimingUpper}, {Cases: p.Cases[2].Name, Timing: problem.TimingLower}}
	runner := &testproblem.Scripted{}
	j := &judge.Judge{Runner: runner, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	if err := j.Infer(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if want := p.Timing.Least(2400 * time.Millisecond); p.Limits.Time != want {
		t.Errorf("inferred %v, want %v: the case of 70 s ended the measurement", p.Limits.Time, want)
	}
}

func TestTooSlow(t *testing.T) {
	ran := func(cpu, wall time.Duration) sandbox.Outcome { return sandbox.Outcome{CPU: cpu, Wall: wall} }
	stopped := func(by sandbox.Resource, cpu, wall time.Duration) sandbox.Outcome {
		o := ran(cpu, wall)
		o.Exceeded = by
		o.Limits = sandbox.Limits{CPU: 3 * time.Second, Wall: 7 * time.Second, Memory: 1}
		return o
	}
	const s = time.Second
	for _, c := range []struct {
		name        string
		o           sandbox.Outcome
		limit       time.Duration
		slow, known bool
	}{
		{"in time", ran(s, s), s, false, true},
		{"a hair too slow", ran(s+1, s), s, true, true},
		{"waited for as long as one may", ran(0, 3*s), s, false, true},
		{"waited for too long", ran(0, 3*s+1), s, true, true},
		{"stopped at the limit", stopped(sandbox.CPU, 3*s+1, 4*s), 3 * s, true, true},
		{"stopped above the limit", stopped(sandbox.CPU, 3*s+1, 4*s), 2 * s, true, true},
		{"stopped below the limit", stopped(sandbox.CPU, 3*s+1, 4*s), 4 * s, false, false},
		{"stopped while it waited", stopped(sandbox.Wall, s, 7*s), 3 * s, true, true},
		{"stopped while it would have been allowed to wait", stopped(sandbox.Wall, s, 7*s), 4 * s, false, false},
		{"stopped for its memory, in time", stopped(sandbox.Memory, s, s), 4 * s, false, true},
		{"stopped for its memory, too slow by then", stopped(sandbox.Memory, 2*s, 2*s), s, true, true},
	} {
		if slow, known := judge.TooSlow(c.o, c.limit); slow != c.slow || known != c.known {
			t.Errorf("%s: TooSlow(%+v, %v) = %v, %v; want %v, %v", c.name, c.o, c.limit, slow, known, c.slow, c.known)
		}
	}
}
