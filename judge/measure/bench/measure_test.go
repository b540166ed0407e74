package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A script is a Runner with known times. Run number n, counted from 0, of a
// submission on a case lasts as long as takes returns. Run sleeps for that time,
// which costs no real time in a synctest bubble.
type script struct {
	takes func(submission, kase string, n int) time.Duration
	does  func(submission, kase string, n int) string // "WA", or "broken" for a judge error; nil or "" means right
	count func(submission, kase string, n int) int64  // instructions; nil counts none
	runs  map[string]int                              // number of runs, by submission and case
}

func (r *script) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if c.Stdin == nil {
		return o, nil // a compiler has no input
	}
	data, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	submission, kase := strings.TrimSuffix(path.Base(c.Args[len(c.Args)-1]), ".sh"), strings.TrimSpace(string(data))
	if r.runs == nil {
		r.runs = make(map[string]int)
	}
	n := r.runs[submission+kase]
	r.runs[submission+kase]++
	o.CPU = r.takes(submission, kase, n)
	o.Wall = o.CPU
	if r.count != nil {
		o.Instructions = r.count(submission, kase, n)
	}
	time.Sleep(o.Wall)
	does := ""
	if r.does != nil {
		does = r.does(submission, kase, n)
	}
	switch does {
	case "broken":
		return o, errors.New("the disk is full")
	case "WA":
		fmt.Fprintln(c.Stdout, "wrong")
	default:
		fmt.Fprintln(c.Stdout, "right")
	}
	return o, nil
}

// inBubble compiles submissions a.sh, b.sh, … of a problem with cases 1, 2, …,
// begins a series that r runs, and calls do with it in a synctest bubble.
func inBubble(t *testing.T, r *script, submissions, cases int, seed uint64, do func(*testing.T, *Series)) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err) // the submissions are Bash scripts
	}
	files := fstest.MapFS{"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: Fake\nuuid: 6f2d7f3e-51a5-4f0a-9d0c-2f6b0e7a5c12\nlimits:\n  time_limit: 100.0\n")}}
	for s := range submissions {
		files[fmt.Sprintf("submissions/accepted/%c.sh", 'a'+s)] = &fstest.MapFile{Data: []byte("true\n")}
	}
	for k := range cases {
		name := fmt.Sprintf("data/secret/%d", k+1)
		files[name+".in"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d\n", k+1)}
		files[name+".ans"] = &fstest.MapFile{Data: []byte("right\n")}
	}
	synctest.Test(t, func(t *testing.T) {
		p, err := problem.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		j := &judge.Judge{Runner: r, Jobs: 1, Cache: t.TempDir()}
		defer j.Close()
		s, err := Begin(t.Context(), Here(j), ForBench, p.Submissions, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Measurement.Confidence = 0.95
		for _, c := range p.Cases {
			s.Add(c, 0)
		}
		do(t, s)
	})
}

// steady returns 10 ms for a, 20 ms for b, and so on.
func steady(submission, _ string, _ int) time.Duration {
	return time.Duration(10*(1+submission[0]-'a')) * time.Millisecond
}

// noisy returns the time of steady with noise of 10 %.
func noisy(submission, kase string, n int) time.Duration {
	r := rand.New(rand.NewPCG(uint64(submission[0]), uint64(kase[0])<<32|uint64(n)))
	return time.Duration(float64(steady(submission, kase, n)) * math.Exp(0.1*r.NormFloat64()))
}

// roundsOf returns the number of rounds, without warm-ups.
func roundsOf(m *Measurement) int {
	rounds := 0
	for _, trial := range m.Trials {
		rounds = max(rounds, trial.Round+1)
	}
	return rounds
}

// order returns the order of the trials of one round, as in "1:ab 2:ba".
func order(m *Measurement, round int) string {
	text, last := "", -1
	for _, trial := range m.Trials {
		if trial.Round != round {
			continue
		}
		if trial.Case != last {
			text += fmt.Sprintf(" %d:", trial.Case+1)
			last = trial.Case
		}
		text += string(rune('a' + trial.Submission))
	}
	return strings.TrimSpace(text)
}

func TestOrderOfRounds(t *testing.T) {
	orders := func(seed uint64) (all []string) {
		inBubble(t, &script{takes: noisy}, 3, 4, seed, func(t *testing.T, s *Series) {
			if err := (Plan{Rounds: 20, Warmup: 1}).Run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			for round := -1; round < 20; round++ {
				all = append(all, order(s.Measurement, round))
			}
		})
		return all
	}
	one := orders(1)
	if diff := cmp.Diff(one, orders(1)); diff != "" {
		t.Errorf("the same seed gives another order:\n%s", diff)
	}
	if slices.Equal(one, orders(2)) {
		t.Error("another seed gives the same order")
	}
	first, cases := map[byte]int{}, map[byte]int{}
	for _, round := range one {
		parts := strings.Fields(round)
		if len(parts) != 4 {
			t.Fatalf("round %q: expected four cases, the submissions of each side by side", round)
		}
		cases[parts[0][0]]++
		for _, part := range parts {
			if sorted := slices.Sorted(slices.Values([]byte(part[2:]))); string(sorted) != "abc" {
				t.Errorf("round %q: %q, expected each submission once", round, part)
			}
			first[part[2]]++
		}
	}
	for _, who := range []byte("abc") {
		if first[who] < 10 {
			t.Errorf("%c comes first in %d of %d, expected about a third", who, first[who], 4*len(one))
		}
	}
	if len(cases) != 4 {
		t.Errorf("the first case of a round is one of %d, expected any", len(cases))
	}
}

func TestHowLongToMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out many working folders")
	}
	for _, c := range []struct {
		name          string
		takes         func(string, string, int) time.Duration
		plan          Plan
		rounds, looks int
		ended         Ending
	}{
		{"rounds that are asked for, looked at once", noisy, Plan{Rounds: 12, Precision: 1e-9, Budget: time.Hour}, 12, 1, AllRounds},
		{"precise long before the first look", steady, Plan{Warmup: 1, Precision: 0.01, Budget: time.Hour}, 10, 8, Precise},
		{"the budget has room for three looks", noisy, Plan{Warmup: 1, Precision: 1e-9, Budget: 35 * 60 * time.Millisecond}, 30, 3, OutOfBudget},
		{"the budget is over before the first look", noisy, Plan{Warmup: 1, Precision: 1e-9, Budget: 5 * 60 * time.Millisecond}, 4, 1, OutOfBudget},
		{"one round that is longer than the budget", steady, Plan{Warmup: 1, Precision: 0.01, Budget: time.Millisecond}, 1, 1, OutOfBudget},
		{"no warm-up, and no idea of the budget", noisy, Plan{Precision: 1e-9, Budget: 15 * 60 * time.Millisecond}, 15, 8, OutOfBudget},
		{"nothing asked for", steady, Plan{}, 1000, 1, AllRounds},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, &script{takes: c.takes}, 2, 2, 1, func(t *testing.T, s *Series) {
				s.Measurement.Confidence = 0.5 // for which five rounds suffice
				began := time.Now()
				if err := c.plan.Run(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				m := s.Measurement
				// Noise changes the number of rounds by one or two.
				near := c.rounds/8 + 1
				if c.ended != OutOfBudget {
					near = 0
				}
				if got := roundsOf(s.Measurement); got < c.rounds-near || got > c.rounds+near || m.Looks != c.looks || m.Ended != c.ended {
					t.Errorf("%d rounds, %d looks, ended by %s; expected %d, %d, %s", got, m.Looks, m.Ended, c.rounds, c.looks, c.ended)
				}
				if took := time.Since(began); c.ended == OutOfBudget && roundsOf(s.Measurement) > 1 && took > c.plan.Budget+30*time.Millisecond {
					t.Errorf("took %v of %v", took, c.plan.Budget)
				}
			})
		})
	}
}

func TestLooksAreFixedBeforehand(t *testing.T) {
	two, twenty := []float64{1, 1}, make([][]float64, 20)
	for i := range twenty {
		twenty[i] = two
	}
	plan := Plan{Warmup: 2, Precision: 0.01, Budget: time.Minute}
	for _, c := range []struct {
		name string
		plan Plan
		m    *Measurement
		warm time.Duration
		want []int
	}{
		{"10, 20, 40, and the end", plan, made(1, two, two), 2 * time.Second / 2, []int{10, 20, 40, 118}},
		{"none shortly before the end", plan, made(1, two, two), 2 * 51 * time.Second / 20, []int{10, 21}},
		{"none where there are no bounds yet", plan, made(1, twenty...), 2 * time.Second, []int{20, 58}},
		{"a budget for one round", plan, made(1, two, two), 50 * time.Second, []int{1}},
		{"a budget that is spent already", plan, made(1, two, two), 2 * time.Minute, []int{1}},
		{"no precision", Plan{Warmup: 2, Budget: time.Minute}, made(1, two, two), 2 * time.Second, []int{58}},
		{"no budget", Plan{Precision: 0.01}, made(1, two, two), 0, []int{10, 20, 40, 80, 160, 320, 640, 1000}},
		{"a number of rounds", Plan{Rounds: 99, Precision: 0.01}, made(1, two, two), time.Second, []int{99}},
	} {
		if got, needed := c.plan.looks(c.m, c.warm); !slices.Equal(got, c.want) || needed != 0 {
			t.Errorf("%s: %v, expected %v; stretched to %d rounds", c.name, got, c.want, needed)
		}
	}
	// A claim about twenty programs needs eleven rounds; a round lasts as long as a warm-up.
	plan.Warmup, plan.Stretch = 1, 3*time.Minute
	for _, c := range []struct {
		warm         time.Duration
		last, needed int
	}{{time.Second, 59, 0}, {5 * time.Second, 11, 0}, {7 * time.Second, 11, 11}, {15 * time.Second, 11, 11}, {20 * time.Second, 2, 0}} {
		got, needed := plan.looks(made(1, twenty...), c.warm)
		if got[len(got)-1] != c.last || needed != c.needed {
			t.Errorf("a budget that may stretch, rounds of %v: %v, %d; expected %d, %d", c.warm, got, needed, c.last, c.needed)
		}
	}
}

func TestBudgetStretchesForAClaim(t *testing.T) {
	inBubble(t, &script{takes: steady}, 2, 1, 1, func(t *testing.T, s *Series) {
		// A round takes 20 ms, and a claim needs six rounds.
		plan := Plan{Warmup: 1, Precision: 1e-9, Budget: 70 * time.Millisecond, Stretch: 210 * time.Millisecond}
		if err := plan.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		c := CompareOf(s.Measurement)
		if r := c.Programs[1].Overall; c.Rounds != 6 || !r.Bounded() || s.Measurement.Ended != OutOfBudget || s.Measurement.Budget != plan.Budget {
			t.Errorf("%d rounds, %+v, ended by %s", c.Rounds, r, s.Measurement.Ended)
		}
	})
}

func TestTheFastestInTheWarmUpIsTheReference(t *testing.T) {
	takes := func(s, k string, n int) time.Duration {
		if n == 0 {
			return map[string]time.Duration{"a": 30, "b": 20, "c": 10}[s] * time.Millisecond
		}
		return map[string]time.Duration{"a": 1, "b": 5, "c": 50}[s] * time.Millisecond
	}
	for _, c := range []struct {
		fact string
		plan Plan
		does func(s, k string, n int) string
		want string
	}{
		{"it is", Plan{Warmup: 1, Rounds: 2, Fastest: true}, nil, "c"},
		{"unless it is not asked for", Plan{Warmup: 1, Rounds: 2}, nil, "a"},
		{"or there is no warm-up", Plan{Rounds: 2, Fastest: true}, nil, "a"},
		{"or it is wrong", Plan{Warmup: 1, Rounds: 2, Fastest: true}, func(s, k string, n int) string { return map[bool]string{true: "WA"}[s+k == "c2"] }, "b"},
		{"and the next is not the fastest, but the first", Plan{Warmup: 1, Rounds: 2, Fastest: true},
			func(s, k string, n int) string { return map[bool]string{true: "WA"}[s+k == "c2" && n == 2] }, "a"},
	} {
		inBubble(t, &script{takes: takes, does: c.does}, 3, 2, 1, func(t *testing.T, s *Series) {
			if err := c.plan.Run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			m := s.Measurement
			if got := m.Submissions[CompareOf(m).Reference].Name; got != "accepted/"+c.want+".sh" {
				t.Errorf("%s: compared with %s, expected %s", c.fact, got, c.want)
			}
		})
	}
}

func TestOneIsMeasuredAlone(t *testing.T) {
	inBubble(t, &script{takes: steady}, 1, 2, 1, func(t *testing.T, s *Series) {
		plan := Plan{Warmup: 1, Precision: 0.01, Budget: time.Hour}
		if err := plan.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		m := s.Measurement
		if c := CompareOf(m); m.Ended != Precise || roundsOf(s.Measurement) != 10 || c.Alone == nil || c.Alone.N != 10 || c.Alone.Half() > 0.01 || c.Programs[0].Overall != nil {
			t.Errorf("%d rounds, ended by %s: %+v", roundsOf(s.Measurement), m.Ended, c.Alone)
		}
	})
	inBubble(t, &script{takes: steady, does: func(s, k string, n int) string { return map[bool]string{true: "WA"}[n == 3] }}, 1, 2, 1, func(t *testing.T, s *Series) {
		if err := (Plan{Rounds: 9}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if c := CompareOf(s.Measurement); s.Measurement.Ended != NoRivals || c.Alone != nil {
			t.Errorf("one that is wrong: ended by %s, %+v", s.Measurement.Ended, c.Alone)
		}
	})
}

func TestWhatIsWrongIsNotRunAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		does   func(submission, kase string, n int) string
		runs   map[string]int
		ended  Ending
		rounds int
	}{
		{"in a round", func(s, k string, n int) string { return map[bool]string{true: "WA"}[s+k == "b1" && n == 3] },
			map[string]int{"a1": 11, "a2": 11, "b1": 4, "b2": 11, "c1": 11, "c2": 11}, AllRounds, 10},
		{"in the warm-up", func(s, k string, n int) string { return map[bool]string{true: "WA"}[s+k == "b1" && n == 0] },
			map[string]int{"a1": 11, "a2": 11, "b1": 1, "b2": 11, "c1": 11, "c2": 11}, AllRounds, 10},
		{"where the judge fails", func(s, k string, n int) string { return map[bool]string{true: "broken"}[s+k == "b1" && n == 1] },
			map[string]int{"a1": 11, "a2": 11, "b1": 2, "b2": 11, "c1": 11, "c2": 11}, AllRounds, 10},
		{"all but the reference", func(s, k string, n int) string { return map[bool]string{true: "WA"}[s != "a"] },
			map[string]int{"a1": 1, "a2": 1, "b1": 1, "b2": 1, "c1": 1, "c2": 1}, NoRivals, 0},
		{"the reference", func(s, k string, n int) string { return map[bool]string{true: "WA"}[s == "a" && n == 2] },
			map[string]int{"a1": 3, "a2": 3, "b1": 11, "b2": 11, "c1": 11, "c2": 11}, AllRounds, 10},
		{"the reference and then the next", func(s, k string, n int) string {
			return map[bool]string{true: "WA"}[s == "a" && n == 2 || s == "b" && n == 5]
		},
			map[string]int{"a1": 3, "a2": 3, "b1": 6, "b2": 6, "c1": 6, "c2": 6}, NoRivals, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &script{takes: steady, does: c.does}
			inBubble(t, r, 3, 2, 1, func(t *testing.T, s *Series) {
				if err := (Plan{Rounds: 10, Warmup: 1}).Run(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.runs, r.runs); diff != "" {
					t.Errorf("runs of each pair (-want +got):\n%s", diff)
				}
				if m := s.Measurement; m.Ended != c.ended || roundsOf(s.Measurement) != c.rounds {
					t.Errorf("%d rounds, ended by %s; expected %d, %s", roundsOf(s.Measurement), m.Ended, c.rounds, c.ended)
				}
			})
		})
	}
}

func TestPrecisionWhereSomethingIsWrong(t *testing.T) {
	wrong := func(at ...string) func(s, k string, n int) string {
		return func(s, k string, n int) string { return map[bool]string{true: "WA"}[slices.Contains(at, s+k)] }
	}
	// Times are constant on case 2 and noisy on case 1.
	takes := func(s, k string, n int) time.Duration {
		if k == "1" {
			return noisy(s, k, n)
		}
		return steady(s, k, n)
	}
	for _, c := range []struct {
		name  string
		does  func(submission, kase string, n int) string
		ended Ending
	}{
		{"one is wrong on the noisy case, and so is left with the other", wrong("b1"), Precise},
		{"one is wrong on the steady case, and nobody has a ratio over all", wrong("b2"), OutOfBudget},
		{"the reference is", wrong("a2"), OutOfBudget},
		{"the last rival falls in the round of the look", func(s, k string, n int) string { return map[bool]string{true: "WA"}[s == "b" && n == 9] }, NoRivals},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, &script{takes: takes, does: c.does}, 2, 2, 1, func(t *testing.T, s *Series) {
				plan := Plan{Precision: 0.001, Budget: 25 * 60 * time.Millisecond}
				s.Measurement.Confidence = 0.5
				if err := plan.Run(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				if got := s.Measurement.Ended; got != c.ended {
					t.Errorf("ended by %s after %d rounds, expected %s", got, roundsOf(s.Measurement), c.ended)
				}
			})
		})
	}
}

func TestInterruptedMeasuring(t *testing.T) {
	stop := errors.New("stop")
	r := &script{takes: steady}
	inBubble(t, r, 2, 2, 1, func(t *testing.T, s *Series) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		trials := 0
		s.OnTrial = func(Trial) {
			if trials++; trials == 10 {
				cancel(stop)
			}
		}
		err := Plan{Rounds: 10, Warmup: 1}.Run(ctx, s)
		m := s.Measurement
		if !errors.Is(err, stop) || m.Ended != Interrupted || len(m.Trials) != 10 || m.Looks != 1 {
			t.Errorf("error %v, ended by %s, %d trials, %d looks; expected those before the interrupt", err, m.Ended, len(m.Trials), m.Looks)
		}
	})
}

// TestTheMachineIsLookedAtMeanwhile checks that a series observes the machine's
// load during the measurement, because a killed measurement has no regular end.
func TestTheMachineIsLookedAtMeanwhile(t *testing.T) {
	inBubble(t, &script{takes: func(string, string, int) time.Duration { return 700 * time.Millisecond }}, 2, 1, 1, func(t *testing.T, s *Series) {
		looks := 0
		s.looked, s.look = time.Now(), func() { s.looked, looks = time.Now(), looks+1 }
		for round := range 10 {
			if err := s.Round(t.Context(), round, tabulate(s.Measurement).pairs()); err != nil {
				t.Fatal(err)
			}
		}
		if looks != 6 {
			t.Errorf("looked %d times in 14 s, expected 6: every 2 s, between runs of 0.7 s", looks)
		}
	})
}

func TestProgressOfMeasuring(t *testing.T) {
	inBubble(t, &script{takes: noisy}, 2, 1, 1, func(t *testing.T, s *Series) {
		var all []Progress
		plan := Plan{Warmup: 1, Precision: 0.001, Budget: 30 * 30 * time.Millisecond, OnRound: func(p Progress) { all = append(all, p) }}
		if err := plan.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		last := all[len(all)-1]
		switch {
		case !all[0].Warming || all[1].Warming || !math.IsInf(all[1].Half, 1):
			t.Errorf("begins with %+v", all[:2])
		case last.Round != roundsOf(s.Measurement) || last.Half <= 0 || last.Half > 1 || last.Left > all[1].Left:
			t.Errorf("ends with %+v", last)
		}
	})
}
