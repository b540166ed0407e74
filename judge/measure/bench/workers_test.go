package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// The longest time of the workers decides the limit for submissions that must pass, the
// shortest for those that must exceed it; each worker is shown.
func TestLimitOfTwoWorkers(t *testing.T) {
	p, fast := pretend(t, "", 2, `
accepted/quick 100ms 50ms
accepted/slow 300ms 200ms
time_limit_exceeded/late 5s 5s`)
	slow := &pretender{runs: make(map[string]int), slower: 2}
	var on []Machine
	for i, r := range []*pretender{fast, slow} {
		j := &judge.Judge{Runner: r, Jobs: 1, Cache: t.TempDir()}
		defer j.Close()
		on = append(on, Machine{Worker{[]string{"fast", "slow"}[i], "epyc-1"}, j})
	}
	var last Step
	m, err := LimitPlan{Rounds: 3, Seed: 1, OnStep: func(s Step) { last = s }}.Run(t.Context(), on, p)
	if err != nil {
		t.Fatal(err)
	}
	if last.Done != last.Of {
		t.Errorf("%+v after the last run: expected as many done as planned", last)
	}
	if !slices.Equal(m.Workers, []Worker{{"fast", "epyc-1"}, {"slow", "epyc-1"}}) {
		t.Errorf("workers %v", m.Workers)
	}
	runs := [2]int{}
	for _, trial := range m.Trials {
		runs[trial.Worker]++
	}
	if runs[0] == 0 || runs[0] != runs[1] {
		t.Errorf("%d runs on one worker and %d on the other: expected the same number", runs[0], runs[1])
	}
	show := func(slowest, fastest *Bound, limit time.Duration) string {
		return fmt.Sprintf("%s %v, %s %v, limit %v", m.Submissions[slowest.Submission].Name, slowest.Time, m.Submissions[fastest.Submission].Name, fastest.Time, limit)
	}
	b := BandOf(m)
	if got, want := show(b.Slowest, b.Fastest, b.Proposed), "accepted/slow.sh 600ms, time_limit_exceeded/late.sh 5s, limit 2s"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	var each []string
	for _, w := range b.Workers {
		each = append(each, w.Name+": "+show(w.Slowest, w.Fastest, w.Proposed))
	}
	want := []string{"fast: accepted/slow.sh 300ms, time_limit_exceeded/late.sh 5s, limit 1s", "slow: accepted/slow.sh 600ms, time_limit_exceeded/late.sh 6.000000001s, limit 2s"}
	if !slices.Equal(each, want) {
		t.Errorf("%q, expected %q", each, want)
	}
	for _, row := range b.Rows {
		if row.Flip.N != 3 {
			t.Errorf("%s: %d runs count, expected the three of one worker", m.Submissions[row.Submission].Name, row.Flip.N)
		}
	}
}

// onTwo measures submissions a.sh and b.sh of a problem on two workers in a synctest bubble.
func onTwo(t *testing.T, one, two *script, do func(t *testing.T, s *Series)) {
	t.Helper()
	files := fstest.MapFS{"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: Fake\nuuid: 6f2d7f3e-51a5-4f0a-9d0c-2f6b0e7a5c12\nlimits:\n  time_limit: 100.0\n")},
		"submissions/accepted/a.sh": {Data: []byte("true\n")}, "submissions/accepted/b.sh": {Data: []byte("true\n")},
		"data/secret/1.in": {Data: []byte("1\n")}, "data/secret/1.ans": {Data: []byte("right\n")}}
	synctest.Test(t, func(t *testing.T) {
		p, err := problem.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		var on []Machine
		for i, r := range []*script{one, two} {
			j := &judge.Judge{Runner: r, Jobs: 1, Cache: t.TempDir()}
			defer j.Close()
			on = append(on, Machine{Worker{Name: []string{"one", "two"}[i]}, j})
		}
		s, err := Begin(t.Context(), on, ForBench, p.Submissions, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Add(p.Cases[0], 0)
		do(t, s)
	})
}

// A comparison is that of the worker on which all runs together took longest; workers run at
// the same time.
func TestComparisonOnTwoWorkers(t *testing.T) {
	slower := func(submission, kase string, n int) time.Duration { return 3 * noisy(submission, kase, n) }
	onTwo(t, &script{takes: noisy}, &script{takes: slower}, func(t *testing.T, s *Series) {
		began := time.Now()
		if err := (Plan{Rounds: 20}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		took, sums := time.Since(began), [2]time.Duration{}
		for _, trial := range s.Measurement.Trials {
			sums[trial.Worker] += trial.Outcome.CPU
		}
		if took != sums[1] {
			t.Errorf("it took %v: expected the %v of the slower worker, as both run at the same time", took, sums[1])
		}
		c := CompareOf(s.Measurement)
		if c.Rounds != 20 {
			t.Errorf("%d rounds, expected 20", c.Rounds)
		}
		times := make(map[string]float64)
		for _, w := range c.Workers {
			times[fmt.Sprint(w.Worker, w.Submission)] = w.CPU
		}
		for i, p := range c.Programs {
			one, two := times[fmt.Sprint("one", i)], times[fmt.Sprint("two", i)]
			if got := p.Cells[0].CPU.Median; math.Abs(got/two-1) > 1e-9 || two < 2*one || one == 0 {
				t.Errorf("%v s is used of %v and %v s: expected the longer one, and both shown", got, one, two)
			}
		}
		if len(CompareOf(s.Measurement.Of(0)).Workers) != 0 || s.Measurement.Slowest() != 1 || len(s.Measurement.OfSlowest().Trials) != 40 {
			t.Error("expected the second worker to be the slowest")
		}
	})
}

// A submission that one of the workers rejects, or on which the judge fails there, has no
// times.
func TestFaultsOfOneWorker(t *testing.T) {
	for does, want := range map[string]string{"WA": "WA on secret/1", "broken": "judge error on secret/1: worker one: "} {
		bad := &script{takes: steady, does: func(submission, _ string, n int) string {
			if submission == "b" && n == 2 {
				return does
			}
			return ""
		}}
		onTwo(t, bad, &script{takes: func(s, k string, n int) time.Duration { return 2 * steady(s, k, n) }}, func(t *testing.T, s *Series) {
			if err := (Plan{Rounds: 20}).Run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			c := CompareOf(s.Measurement)
			if got := c.Programs[1].Wrong; len(got) < len(want) || got[:len(want)] != want || c.Programs[0].Wrong != "" {
				t.Errorf("%s: %q and %q, expected nothing and %q", does, c.Programs[0].Wrong, got, want)
			}
		})
	}
}

// A gone worker compiles, and makes so many runs.
type gone struct{ runs int }

func (g *gone) Execute(_ context.Context, item *judge.WorkItem, ran func(*judge.Run)) (judge.Compiled, error) {
	for _, c := range item.Cases {
		if g.runs--; g.runs < 0 {
			return judge.Compiled{}, errors.New("no sign of life")
		}
		ran(&judge.Run{Case: c.Name, Verdict: problem.Accepted, Outcome: sandbox.Outcome{CPU: time.Second}})
	}
	return judge.Compiled{}, nil
}

// A worker that makes no more runs ends the measurement at once.
func TestWorkerIsGone(t *testing.T) {
	p, _ := pretend(t, "", 2, `
accepted/quick 100ms 50ms
accepted/slow 300ms 200ms`)
	x := &gone{runs: 3}
	here := &judge.Judge{Jobs: 1, Cache: t.TempDir()}
	defer here.Close()
	j, err := here.Elsewhere(func(*problem.Submission) judge.Executor { return x })
	if err != nil {
		t.Fatal(err)
	}
	m, err := LimitPlan{Rounds: 3}.Run(t.Context(), []Machine{{Worker{Name: "a"}, j}}, p)
	if err == nil || err.Error() != "worker a: no sign of life" || len(m.Trials) != 3 || m.Ended != Interrupted {
		t.Errorf("%v after %d runs, ended: %q: expected 3 runs, and that worker a gives no sign of life", err, len(m.Trials), m.Ended)
	}
}
