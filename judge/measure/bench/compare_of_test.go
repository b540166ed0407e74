package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/machine"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// made returns a measurement of simulated trials, in which submission s takes
// about millis[s][k] ms on case k.
func made(rounds int, millis ...[]float64) *Measurement {
	m := &Measurement{Kind: ForBench, Confidence: 0.95, Looks: 1}
	for s := range millis {
		m.Submissions = append(m.Submissions, Submission{Name: string(rune('a' + s)), Language: "c"})
	}
	for k := range millis[0] {
		m.Cases = append(m.Cases, Input{Name: fmt.Sprintf("secret/%d", k+1)})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := -1; round < rounds; round++ {
		for k := range m.Cases {
			for s := range millis {
				ms := millis[s][k] * math.Exp(0.01*r.NormFloat64())
				if round < 0 {
					ms *= 100 // cold caches
				}
				took := time.Duration(ms * float64(time.Millisecond))
				m.Trials = append(m.Trials, Trial{
					Submission: s, Case: k, Round: round, Verdict: problem.Accepted,
					Outcome: sandbox.Outcome{CPU: took, Wall: took + time.Millisecond, Memory: int64(1+s) << 20},
				})
			}
		}
	}
	return m
}

// change edits the trial of a submission, case and round.
func (m *Measurement) change(s, k, round int, edit func(*Trial)) *Measurement {
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Submission == s && t.Case == k && t.Round == round {
			edit(t)
		}
	}
	return m
}

// drop removes the trial of a submission, case and round.
func (m *Measurement) drop(s, k, round int) *Measurement {
	m.Trials = slices.DeleteFunc(m.Trials, func(t Trial) bool { return t.Submission == s && t.Case == k && t.Round == round })
	return m
}

// summary summarizes a comparison. For each submission it has the reason why the
// submission has no ratio, or N, ratio and claim over all cases, and then for each
// case the verdict and the numbers of runs and pairs.
func summary(c *Comparison) string {
	var lines []string
	for s, p := range c.Programs {
		text := "reference"
		switch {
		case p.Wrong != "":
			text = p.Wrong
		case p.Overall != nil:
			text = fmt.Sprintf("%d %.1f %s", p.Overall.N, p.Overall.Ratio, p.Overall.Claim)
		case s != int(c.Reference):
			text = "no ratio"
		}
		for _, cell := range p.Cells {
			n := 0
			if cell.Ratio != nil {
				n = cell.Ratio.N
			}
			text += fmt.Sprintf(" [%s %d %d]", cell.Verdict, cell.CPU.N, n)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "; ")
}

func TestRefusalsAreToldInALine(t *testing.T) {
	m := made(1, []float64{10}, []float64{10}, []float64{10})
	m.Submissions[1].Skipped = refusal + "a.c:1: error\n  1 | int\n"
	m.Submissions[2].Skipped = "no compiler"
	c := CompareOf(m)
	if got, want := c.Programs[1].Wrong, "skipped: it does not compile: a.c:1: error …"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	if got, want := c.Programs[2].Wrong, "skipped: no compiler"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

func TestProgramsThatWait(t *testing.T) {
	sleep := func(m *Measurement, s, k int, idle time.Duration) {
		for i := range m.Trials {
			if t := &m.Trials[i]; t.Submission == s && t.Case == k {
				t.Outcome.Wall = t.Outcome.CPU + idle
			}
		}
	}
	for _, tt := range []struct {
		name string
		idle [2][2]int // in milliseconds, by submission and case
		want string
	}{
		{"nobody waits", [2][2]int{{1, 1}, {1, 1}}, ""},
		{"one does", [2][2]int{{1, 1}, {201, 1}}, "b waits at least 100 ms in each run, which the ratios of CPU times ignore: it uses "},
		{"the reference does", [2][2]int{{301, 301}, {1, 1}}, "a waits at least 300 ms in each run"},
		{"all do, as in a dialogue", [2][2]int{{300, 300}, {300, 300}}, ""},
		{"it is less than is used", [2][2]int{{1, 1}, {81, 1}}, ""},
	} {
		m := made(4, []float64{5, 80}, []float64{5, 80})
		for s, cases := range tt.idle {
			for k, ms := range cases {
				sleep(m, s, k, time.Duration(ms)*time.Millisecond)
			}
		}
		got := ""
		for _, d := range CompareOf(m).Doubts {
			got += d.Text
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q, expected %q", tt.name, got, tt.want)
		}
	}
	// A program that waits only for a processor gets no doubt if the wait was measured.
	queued := made(4, []float64{5}, []float64{5})
	for i := range queued.Trials {
		if o := &queued.Trials[i].Outcome; queued.Trials[i].Submission == 1 {
			o.Wall, o.Waited = o.Wall+time.Second, time.Second
		}
	}
	if got := CompareOf(queued).Doubts; got != nil {
		t.Errorf("the wait for a processor: %v", got)
	}
	// One delayed run does not make a program one that waits.
	m := made(4, []float64{5}, []float64{5}).change(1, 0, 2, func(t *Trial) { t.Outcome.Wall += time.Second })
	for _, d := range CompareOf(m).Doubts {
		if d.Kind == "wait" {
			t.Errorf("held up once: %s", d.Text)
		}
	}
}

func TestCompareOf(t *testing.T) {
	wrong := func(t *Trial) { t.Verdict, t.Why = problem.WrongAnswer, "line 1" }
	slow := func(t *Trial) { t.Verdict, t.Why = problem.TimeLimit, "" }
	broken := func(t *Trial) { t.Verdict, t.Err = "", "disk full" }
	two := []float64{10, 100}
	for _, c := range []struct {
		name string
		m    *Measurement
		want string
	}{
		{"twice as fast, and warm-ups do not count", made(20, two, []float64{5, 50}),
			"reference [AC 20 0] [AC 20 0]; 20 0.5 faster [AC 20 20] [AC 20 20]"},
		{"slower", made(20, two, []float64{30, 300}),
			"reference [AC 20 0] [AC 20 0]; 20 3.0 slower [AC 20 20] [AC 20 20]"},
		{"all cases count alike, however long they take", made(20, two, []float64{5, 200}),
			"reference [AC 20 0] [AC 20 0]; 20 1.0 cannot tell [AC 20 20] [AC 20 20]"},
		{"a wrong answer takes the times of its case, and the ratio over all", made(20, two, []float64{5, 50}, two).change(1, 0, 7, wrong),
			"reference [AC 20 0] [AC 20 0]; WA on secret/1, where it was accepted 8 times before: line 1 [WA 0 0] [AC 20 20]; 20 1.0 cannot tell [AC 20 20] [AC 20 20]"},
		{"also in a warm-up", made(20, two, []float64{5, 50}).change(1, 1, -1, wrong),
			"reference [AC 20 0] [AC 20 0]; WA on secret/2: line 1 [AC 20 20] [WA 0 0]"},
		{"a program that was stopped has no time", made(20, two, []float64{5, 50}).change(1, 1, 0, slow),
			"reference [AC 20 0] [AC 20 0]; TLE on secret/2, where it was accepted 1 time before [AC 20 20] [TLE 0 0]"},
		{"a wrong reference leaves its place to the next", made(20, two, []float64{5, 50}, []float64{20, 200}).change(0, 0, 3, wrong),
			"WA on secret/1, where it was accepted 4 times before: line 1 [WA 0 0] [AC 20 20]; reference [AC 20 0] [AC 20 0]; 20 4.0 slower [AC 20 20] [AC 20 20]"},
		{"unless all are wrong as often", made(20, two, []float64{5, 50}).change(0, 0, 3, wrong).change(1, 1, 9, wrong),
			"WA on secret/1, where it was accepted 4 times before: line 1 [WA 0 0] [AC 20 0]; WA on secret/2, where it was accepted 10 times before: line 1 [AC 20 0] [WA 0 0]"},
		{"the judge's failure is nobody's verdict", made(20, two, []float64{5, 50}).change(1, 0, 3, broken),
			"reference [AC 20 0] [AC 20 0]; judge error on secret/1: disk full [ 0 0] [AC 20 20]"},
		{"rounds in which one is missing are not paired", made(20, two, []float64{5, 50}).drop(1, 0, 4).drop(0, 0, 19).drop(1, 1, 19),
			"reference [AC 19 0] [AC 20 0]; 18 0.5 faster [AC 19 18] [AC 19 19]"},
		{"one case, one claim", made(20, []float64{10}, []float64{5}),
			"reference [AC 20 0]; 20 0.5 faster [AC 20 20]"},
		{"one round proves nothing", made(1, two, []float64{5, 50}),
			"reference [AC 1 0] [AC 1 0]; 1 0.5 cannot tell [AC 1 1] [AC 1 1]"},
		{"interrupted in the warm-up", made(0, two, two),
			"not measured [ 0 0] [ 0 0]; not measured [ 0 0] [ 0 0]"},
	} {
		if got := summary(CompareOf(c.m)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestCompareOfSkipped(t *testing.T) {
	m := made(10, []float64{1}, []float64{1})
	m.Submissions = append(m.Submissions, Submission{Name: "c", Skipped: "no compiler"})
	c := CompareOf(m)
	if got := c.Programs[2].Wrong; got != "skipped: no compiler" || c.Rounds != 10 {
		t.Errorf("%q, %d rounds", got, c.Rounds)
	}
}

func TestPairsNotMedians(t *testing.T) {
	// The speed of the machine changes up to tenfold in each direction from round to
	// round, the same for both programs.
	m := made(30, []float64{100}, []float64{90})
	for i := range m.Trials {
		o := &m.Trials[i].Outcome
		o.CPU = time.Duration(float64(o.CPU) * math.Pow(10, math.Sin(float64(7*m.Trials[i].Round))))
	}
	if r := CompareOf(m).Programs[1].Overall; r.Claim != stat.Faster || r.Lo < 0.87 || r.Hi > 0.93 {
		t.Errorf("%+v, expected 0.9", r)
	}
}

func TestConfidenceIsSharedOut(t *testing.T) {
	three := []float64{1, 1, 1}
	m := made(10, three, three, three)
	m.Submissions = append(m.Submissions, Submission{Skipped: "no compiler"})
	m.Looks = 4
	overall, single := Levels(m)
	_, plain := stat.Median(make([]float64, 10), 0.95)
	_, only := Levels(made(10, []float64{1}, []float64{1}))
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"a half to two programs at four looks", overall, 1 - 0.025/8},
		{"a half to three cases of each", single, 1 - 0.025/24},
		{"medians claim nothing", CompareOf(m).Programs[0].Cells[0].CPU.Confidence, plain.Confidence},
		{"one case takes all", only, 0.95},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, expected %v", c.name, c.got, c.want)
		}
	}
}

func TestInstructionsAreAllOrNone(t *testing.T) {
	m := made(10, []float64{1}, []float64{1})
	for i := range m.Trials {
		m.Trials[i].Outcome.Instructions = 1000
	}
	m.change(1, 0, 5, func(t *Trial) { t.Outcome.Instructions = 0 })
	c := CompareOf(m)
	if a, b := c.Programs[0].Cells[0].Instructions, c.Programs[1].Cells[0].Instructions; a.Median != 1000 || b.N != 0 {
		t.Errorf("%+v and %+v, expected 1000 and none", a, b)
	}
}

func TestLoadFromElsewhere(t *testing.T) {
	kinds := func(m *Measurement) string {
		var all []string
		for _, d := range CompareOf(m).Doubts {
			all = append(all, d.Kind)
		}
		return strings.Join(all, " ")
	}
	waits := func(every int, d time.Duration) *Measurement {
		m := made(20, []float64{10}, []float64{10})
		for i := range m.Trials {
			if m.Trials[i].Round%every == 0 {
				m.Trials[i].Outcome.Wall += d
			}
		}
		return m
	}
	under := func(a machine.Activity) *Measurement {
		m := made(20, []float64{10}, []float64{10})
		m.Load = a
		return m
	}
	core := func(x float64) *float64 { return &x }
	// Threads of a program that run concurrently in some rounds only are no load.
	threads := made(20, []float64{10}, []float64{10})
	for i := range threads.Trials {
		o := &threads.Trials[i].Outcome
		o.Wall = o.CPU / time.Duration(1+threads.Trials[i].Round%2*3)
	}
	asleep := under(machine.Activity{Others: 1.7})
	for i := range asleep.Trials {
		if t := &asleep.Trials[i]; t.Submission == 1 {
			t.Outcome.Wall += 200 * time.Millisecond
		}
	}
	for _, c := range []struct {
		name string
		m    *Measurement
		want string
	}{
		{"a quiet machine", made(20, []float64{10}, []float64{10}), ""},
		{"others work", under(machine.Activity{Others: 0.7}), "load"},
		{"others work, and not on our core", under(machine.Activity{Others: 0.7, Core: core(0.01), Rest: 0.1}), ""},
		{"others work on our core", under(machine.Activity{Others: 0.1, Core: core(0.1)}), "load"},
		{"the host takes time", under(machine.Activity{Stolen: 0.01}), "load"},
		{"on a busy machine nobody is blamed for waiting", asleep, "load"},
		{"threads", threads, ""},
		{"runs that always wait are like that", waits(1, 20*time.Millisecond), ""},
		{"some runs wait", waits(2, 20*time.Millisecond), "load"},
		{"a little", waits(2, time.Millisecond), ""},
	} {
		if got := kinds(c.m); got != c.want {
			t.Errorf("%s: doubts %q, expected %q", c.name, got, c.want)
		}
	}
}
