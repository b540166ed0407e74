package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A contest is a problem with submissions. A run on the n-th case takes n times 10 ms.
type contest struct {
	problem     *problem.Problem
	submissions []*problem.Submission
	cases       []*problem.Case
	limits      problem.Limits
}

func newContest(cases int, names ...string) *contest {
	c := &contest{problem: &problem.Problem{ID: "sums"}, limits: problem.Limits{Time: time.Second, Memory: 64 << 20}}
	c.cases = append(c.cases, &problem.Case{Name: "sample/1"})
	for i := 1; i < cases; i++ {
		c.cases = append(c.cases, &problem.Case{Name: fmt.Sprintf("secret/%02d", i)})
	}
	for _, name := range names {
		s := &problem.Submission{Problem: c.problem, Language: &language.Language{Code: "go"}}
		s.Name = name
		c.submissions = append(c.submissions, s)
	}
	return c
}

func (c *contest) run(i int, v problem.Verdict) judge.Run {
	cpu := time.Duration(10*(i+1)) * time.Millisecond
	r := judge.Run{Case: c.cases[i].Name, Verdict: v, Outcome: sandbox.Outcome{CPU: cpu, Wall: cpu + cpu/10, Memory: 3 << 20}}
	switch v {
	case problem.WrongAnswer:
		r.Why = `line 2, column 14: got "2", expected "1"`
	case problem.RuntimeError:
		r.Why = "killed by SIGSEGV"
	case "":
		r.Err = errors.New("output validator: exit status 1")
	}
	return r
}

// verdictsOf maps letters to verdicts.
var verdictsOf = map[byte]problem.Verdict{
	'.': problem.Accepted, 'W': problem.WrongAnswer, 'T': problem.TimeLimit, 'M': problem.MemoryLimit,
	'O': problem.OutputLimit, 'R': problem.RuntimeError, '!': "",
}

// events returns the events of submission i, whose runs get these verdicts. broken is
// the expectation that is not met; "" if none.
func (c *contest) events(i int, verdicts, broken string) []judge.Event {
	s := c.submissions[i]
	r := &judge.Report{Submission: s.Name, Language: "go", Verdict: problem.Accepted, Broken: broken}
	as := broken == ""
	r.AsExpected = &as
	events := []judge.Event{{Kind: judge.Compiling, Submission: s}}
	for j := range len(verdicts) {
		run := c.run(j, verdictsOf[verdicts[j]])
		r.Runs = append(r.Runs, run)
		if r.Verdict == problem.Accepted && run.Verdict != problem.Accepted {
			r.Verdict = run.Verdict
		}
		if run.Err != nil {
			r.AsExpected = nil
		}
		events = append(events, judge.Event{Kind: judge.Running, Submission: s, Case: c.cases[j]},
			judge.Event{Kind: judge.Ran, Submission: s, Case: c.cases[j], Run: &run})
	}
	return append(events, judge.Event{Kind: judge.Judged, Submission: s, Report: r})
}

// stage returns a live display. A test draws its frames by calling draw, in a bubble of
// synctest, so that the clock does not advance.
func stage(s *screen) *Live { return &Live{Frame: &terminal.Frame{W: s, Size: s.size}} }

// open begins a problem and stops the timer that draws frames.
func open(l *Live, c *contest) {
	l.Begin(c.problem, c.submissions, c.cases, c.limits)
	l.next.Stop()
}

func play(l Display, events []judge.Event) {
	for _, e := range events {
		l.Event(e)
	}
}

func wantScreen(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestLiveShowsWhatRunsAndLeavesTheMatrix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newContest(8, "accepted/tree.go", "accepted/broken.go", "accepted/crash.go", "wrong_answer/guess.go", "accepted/later.go", "accepted/never.kt")
		s := newScreen(t, 110, 24)
		l := stage(s)
		open(l, c)
		play(l, c.events(0, "........", ""))
		play(l, c.events(1, "..!", ""))
		crash := c.events(2, "...R", "accepted permits AC, secret/03 is RTE")
		play(l, crash[:len(crash)-3])
		play(l, c.events(3, "....W", ""))
		play(l, c.events(4, "", "")[:1])
		l.draw()
		wantScreen(t, "a frame", s.visible(), `
sums  1 s, 64 MiB, 8 cases                     slowest        cpu     wall    memory
  ok    accepted/tree.go       · ·······  AC   secret/07    80 ms    88 ms   3.0 MiB
  JE    accepted/broken.go     · ·!            secret/01    20 ms    22 ms   3.0 MiB
        output validator: exit status 1
  ⠋     accepted/crash.go      · ··            secret/02    30 ms    33 ms   3.0 MiB
  ok    wrong_answer/guess.go  · ···W     WA   secret/04    50 ms    55 ms   3.0 MiB  secret/04: line 2, col…
  ⠋     accepted/later.go      compiling
        accepted/never.kt
  3/6 submissions  19/40 runs  0.0 s  compiling accepted/later.go
`)
		play(l, crash[len(crash)-3:])
		play(l, c.events(4, "...", "")[:6])
		l.draw()
		if !strings.Contains(s.visible(), "  ⠋     accepted/later.go      · ·▸") {
			t.Errorf("a running case is not marked:\n%s", s.visible())
		}
		play(l, c.events(4, "........", "accepted/later.go should have failed"))
		l.Event(judge.Event{Kind: judge.Judged, Submission: c.submissions[5], Report: &judge.Report{Submission: "accepted/never.kt", Skipped: "no kotlinc"}})
		l.draw()
		l.End()
		l.Summary(&record.Document{})
		wantScreen(t, "the end", s.all(), `
sums  1 s, 64 MiB, 8 cases                     slowest        cpu     wall    memory
  ok    accepted/tree.go       · ·······  AC   secret/07    80 ms    88 ms   3.0 MiB
  JE    accepted/broken.go     · ·!            secret/01    20 ms    22 ms   3.0 MiB
        output validator: exit status 1
  FAIL  accepted/crash.go      · ··R      RTE  secret/03    40 ms    44 ms   3.0 MiB
        secret/03: killed by SIGSEGV
        accepted permits AC, secret/03 is RTE
  ok    wrong_answer/guess.go  · ···W     WA   secret/04    50 ms    55 ms   3.0 MiB  secret/04: line 2, col…
  FAIL  accepted/later.go      · ·······  AC   secret/07    80 ms    88 ms   3.0 MiB
        accepted/later.go should have failed
  skip  accepted/never.kt      no kotlinc

0 submissions as expected, 0 runs
`)
	})
}

func TestLiveScrollsFinalRowsAwayOnALowScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var names []string
		for i := range 12 {
			names = append(names, fmt.Sprintf("accepted/%c.go", 'a'+i))
		}
		c := newContest(3, names...)
		s := newScreen(t, 80, 5)
		l := stage(s)
		open(l, c)
		wantScreen(t, "the first frame", s.visible(), `
        accepted/a.go
        accepted/b.go
        accepted/c.go
  … 9 more
  0/12 submissions  0/36 runs  0.0 s
`)
		// The first submission is slow; the others end before it.
		play(l, c.events(0, "...", "")[:2])
		for i := 1; i < 6; i++ {
			play(l, c.events(i, "...", ""))
			l.draw()
		}
		play(l, c.events(6, "...", "")[:4])
		l.draw()
		wantScreen(t, "a later frame", s.visible(), `
  ⠋     accepted/a.go  ▸
  ok    accepted/f.go  · ··  AC   secret/02    30 ms    33 ms   3.0 MiB
  ⠋     accepted/g.go  · ▸        sample/1     10 ms    11 ms   3.0 MiB
  … 5 more
  5/12 submissions  16/36 runs  0.0 s  accepted/a.go sample/1, accepted/g.g…
`)
		for i := range 12 {
			if i < 1 || i > 5 {
				play(l, c.events(i, "...", ""))
				l.draw()
			}
		}
		l.End()
		all := s.all()
		for _, name := range names {
			if n := strings.Count(all, name+"  · ··"); n != 1 {
				t.Errorf("%s is there %d times, expected once, complete:\n%s", name, n, all)
			}
		}
		if lines := strings.Count(all, "\n"); lines != 13 {
			t.Errorf("%d lines, expected a title and 12 rows:\n%s", lines, all)
		}
	})
}

func TestLiveFitsAnyTerminal(t *testing.T) {
	tests := []struct{ columns, rows, cases int }{
		{90, 10, 40}, {40, 10, 8}, {40, 5, 100}, {24, 3, 8}, {10, 2, 8}, {1, 1, 8}, {0, 0, 8},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%dx%d with %d cases", tt.columns, tt.rows, tt.cases), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newContest(tt.cases, "accepted/a_rather_long_name.go", "accepted/b.go", "accepted/c.go", "accepted/d.go")
				s := newScreen(t, max(tt.columns, 1), max(tt.rows, 1))
				l := stage(s)
				l.Frame.Size = func() (int, int) { return tt.columns, tt.rows }
				open(l, c)
				for i := range c.submissions {
					for _, e := range c.events(i, strings.Repeat(".", tt.cases-1)+"W", "") {
						l.Event(e)
						l.draw()
						if n := l.Frame.Rows(); n > max(tt.rows, 1) {
							t.Fatalf("a frame of %d rows", n)
						}
					}
				}
				l.End()
				if tt.columns < 24 {
					return
				}
				all := s.all()
				for _, name := range []string{"me.go", "b.go", "c.go", "d.go"} {
					if n := strings.Count(all, name); n != 1 {
						t.Errorf("%s is there %d times, expected once:\n%s", name, n, all)
					}
				}
				if n := strings.Count(all, "W  WA"); n != 4 {
					t.Errorf("%d rows end in a wrong answer, expected 4:\n%s", n, all)
				}
			})
		})
	}
}

func TestLiveAfterTheWindowBecameNarrower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newContest(20, "accepted/a.go", "accepted/b.go", "accepted/c.go")
		s := newScreen(t, 120, 24)
		l := stage(s)
		open(l, c)
		play(l, c.events(0, "....................", "")[:20])
		play(l, c.events(1, "....................", "")[:30])
		l.draw()
		s.narrow(50)
		l.draw()
		for i := range c.submissions {
			play(l, c.events(i, "....................", ""))
		}
		l.End()
		_, rows, _ := strings.Cut(s.all(), "  ok")
		for _, left := range []string{"runs", "⠋"} {
			if strings.Contains(s.all(), left) {
				t.Errorf("%q is left of an old frame:\n%s", left, s.all())
			}
		}
		if strings.Count(rows, "\n") != 3 {
			t.Errorf("expected three rows:\n%s", s.all())
		}
	})
}

func TestLiveEndsCleanlyWhenInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newContest(4, "accepted/a.go", "accepted/b.go", "accepted/c.go")
		s := newScreen(t, 80, 24)
		l := stage(s)
		open(l, c)
		play(l, c.events(0, "....", ""))
		play(l, c.events(1, "....", "")[:4])
		l.Event(judge.Event{Kind: judge.Judged, Submission: c.submissions[1],
			Report: &judge.Report{Submission: "accepted/b.go", Verdict: problem.Accepted, Runs: []judge.Run{c.run(0, problem.Accepted)}}})
		l.draw()
		l.End()
		l.End()
		wantScreen(t, "the end", s.all(), `
sums  1 s, 64 MiB, 4 cases         slowest        cpu     wall    memory
  ok    accepted/a.go  · ···  AC   secret/03    40 ms    44 ms   3.0 MiB
  stop  accepted/b.go  ·           sample/1     10 ms    11 ms   3.0 MiB
        accepted/c.go
`)
		if s.row != 4 || s.column != 0 {
			t.Errorf("the cursor is at line %d, column %d; expected below the matrix", s.row, s.column)
		}
	})
}

func TestLiveLetsNoHostileNameThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		evil := "\x1b[2J\x1b]0;owned\x07\r\n\u202e\xff"
		c := newContest(2, "accepted/"+evil)
		c.problem.ID, c.cases[1].Name = evil, "secret/"+evil
		s := newScreen(t, 200, 24)
		l := stage(s)
		open(l, c)
		events := c.events(0, ".R", evil)
		for _, e := range events {
			if e.Run != nil {
				e.Run.Why, e.Run.Stderr = evil, evil
			}
			l.Event(e)
			l.draw()
		}
		l.End()
		if strings.Contains(s.all(), "\u202e") || !strings.Contains(s.all(), `\x1b[2J`) {
			t.Errorf("the screen:\n%s", s.all())
		}
	})
}

func TestLiveColorsChangeNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all []string
		for _, on := range []bool{false, true} {
			c := newContest(8, "accepted/tree.go", "accepted/crash.go")
			s := newScreen(t, 100, 24)
			l := stage(s)
			l.Palette.On = on
			open(l, c)
			play(l, c.events(0, ".WTMOR!.", ""))
			l.draw()
			play(l, c.events(1, "...R", "accepted permits AC, secret/03 is RTE"))
			l.End()
			all = append(all, s.all())
		}
		wantScreen(t, "with colors", all[1], all[0])
	})
}

func TestDisplaysTakeEventsFromManyGoroutines(t *testing.T) {
	c := newContest(6, "accepted/a.go", "accepted/b.go", "accepted/c.go", "accepted/d.go", "accepted/e.go", "accepted/f.go")
	var before, during sync.WaitGroup
	s := newScreen(t, 80, 4)
	for name, d := range map[string]Display{
		"live":  &Live{Frame: &terminal.Frame{W: s, Size: s.size}},
		"plain": &Plain{W: io.Discard},
	} {
		t.Run(name, func(*testing.T) {
			before.Add(1)
			d.Event(judge.Event{Kind: judge.Running, Submission: c.submissions[0], Case: c.cases[0]})
			d.Begin(c.problem, c.submissions, c.cases, c.limits)
			for i := range c.submissions {
				during.Go(func() {
					before.Wait()
					for _, e := range c.events(i, "......", "") {
						d.Event(e)
					}
				})
			}
			before.Done()
			during.Wait()
			d.End()
			d.Event(judge.Event{Kind: judge.Running, Submission: c.submissions[0], Case: c.cases[0]})
		})
	}
	for _, sub := range c.submissions {
		if n := strings.Count(s.all(), sub.Name+"  · ·····"); n != 1 {
			t.Errorf("%s is there %d times, expected once:\n%s", sub.Name, n, s.all())
		}
	}
}

func TestPlainPrintsInOrderAsSoonAsItCan(t *testing.T) {
	c := newContest(3, "accepted/a.go", "accepted/b.go", "accepted/c.go", "accepted/d.go")
	var b strings.Builder
	p := &Plain{W: &b}
	p.Begin(c.problem, c.submissions, c.cases, c.limits)
	printed := func() (names []string) {
		for _, s := range c.submissions {
			if strings.Contains(b.String(), s.Name) {
				names = append(names, s.Name)
			}
		}
		return names
	}
	var got []string
	for _, i := range []int{1, 0, 3} {
		play(p, c.events(i, "...", ""))
		got = append(got, strings.Join(printed(), " "))
	}
	if diff := cmp.Diff([]string{"", "accepted/a.go accepted/b.go", "accepted/a.go accepted/b.go"}, got); diff != "" {
		t.Errorf("printed after each (-want +got):\n%s", diff)
	}
	p.End()
	c.problem.ID = "more"
	p.Begin(c.problem, c.submissions[:1], c.cases, c.limits)
	play(p, c.events(0, "..W", "accepted permits AC, secret/02 is WA"))
	p.End()
	p.Summary(&record.Document{})
	wantScreen(t, "the end", b.String(), `
sums  1 s, 64 MiB, 3 cases           slowest        cpu     wall    memory
  ok    accepted/a.go  go  AC   3/3  secret/02    30 ms    33 ms   3.0 MiB
  ok    accepted/b.go  go  AC   3/3  secret/02    30 ms    33 ms   3.0 MiB
  ok    accepted/d.go  go  AC   3/3  secret/02    30 ms    33 ms   3.0 MiB

more  1 s, 64 MiB, 3 cases           slowest        cpu     wall    memory
  FAIL  accepted/a.go  go  WA   2/3  secret/02: line 2, column 14: got "2", expected "1"
        accepted permits AC, secret/02 is WA

0 submissions as expected, 0 runs
`)
}
