package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A pretender is a Runner that reports the CPU times that the source of a program
// lists. A line as in "1 300ms 400ms" has the times of consecutive runs on a case.
type pretender struct {
	runs   map[string]int // number of runs, by program and case
	log    []string       // a line for each run, as in "a.sh 1 under 2s"
	slower int            // the factor by which all programs take longer; 0 is 1
}

func (r *pretender) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if err := ctx.Err(); err != nil || c.Stdin == nil { // a compiler has no input
		return o, err
	}
	input, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	name := strings.TrimSpace(string(input))
	for _, arg := range c.Args {
		source, err := os.ReadFile(filepath.Join(c.Dir, arg))
		if err != nil || !strings.HasPrefix(string(source), "#") {
			continue
		}
		program, rest, _ := strings.Cut(string(source), "\n")
		for line := range strings.Lines(rest) {
			fields := strings.Fields(strings.TrimPrefix(line, "#"))
			if len(fields) < 2 || fields[0] != name {
				continue
			}
			key := program[2:] + " " + name
			times := fields[1:]
			took, err := time.ParseDuration(times[r.runs[key]%len(times)])
			took *= time.Duration(max(r.slower, 1))
			r.runs[key]++
			r.log = append(r.log, fmt.Sprintf("%s under %v", key, c.Limits.CPU))
			o.CPU = took
			if took > c.Limits.CPU {
				o.CPU, o.Exceeded, o.Signal, o.Exit = c.Limits.CPU+1, sandbox.CPU, syscall.SIGKILL, -1
			}
			o.Wall = o.CPU
			fmt.Fprintln(c.Stdout, "right")
			return o, err
		}
	}
	return o, fmt.Errorf("nobody says how long %q in %s takes (reads %q)", c.Args, c.Dir, c.Reads)
}

// pretend opens a problem with that number of cases, and submissions from lines of
// a name and, for every case, the times of its runs, separated by slashes.
func pretend(t *testing.T, limits string, cases int, programs string) (*problem.Problem, *pretender) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash to pretend with")
	}
	m := fstest.MapFS{"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: P\nuuid: 6f2d7f3e-51a5-4f0a-9d0c-2f6b0e7a5c12\n" + limits)}}
	for i := range cases {
		m[fmt.Sprintf("data/secret/%d.in", i+1)] = &fstest.MapFile{Data: fmt.Appendln(nil, i+1)}
		m[fmt.Sprintf("data/secret/%d.ans", i+1)] = &fstest.MapFile{Data: []byte("right\n")}
	}
	for line := range strings.Lines(programs) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		source := "# " + fields[0] + "\n"
		for i, times := range fields[1:] {
			source += fmt.Sprintf("# %d %s\n", i+1, strings.ReplaceAll(times, "/", " "))
		}
		m["submissions/"+fields[0]+".sh"] = &fstest.MapFile{Data: []byte(source)}
	}
	p, err := problem.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, &pretender{runs: make(map[string]int)}
}

func measured(t *testing.T, l LimitPlan, p *problem.Problem, r *pretender) *Band {
	t.Helper()
	j := &judge.Judge{Runner: r, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	m, err := l.Run(t.Context(), Here(j), p)
	if err != nil {
		t.Fatal(err)
	}
	return BandOf(m)
}

func TestLimiting(t *testing.T) {
	const limit2s = "limits: {time_limit: 2}\n"
	for _, c := range []struct {
		name, limits string
		programs     string // for two cases
		runs         string // sorted: program, case, number of runs, and the largest CPU limit
		proposed     time.Duration
		none         string
	}{
		{
			"what must pass runs to its end, what must not to the margin, and then the nearest again", limit2s, `
			accepted/a 100ms 900ms
			accepted/far 1ms 2ms
			time_limit_exceeded/slow 10ms 9s`,
			"accepted/a 1: 1 60s, accepted/a 2: 6 60s, accepted/far 1: 1 60s, accepted/far 2: 3 60s, " +
				"time_limit_exceeded/slow 1: 1 6s, time_limit_exceeded/slow 2: 3 6s",
			2 * time.Second, "",
		},
		{
			"cases that take nearly as long as the slowest are as near", limit2s, `
			accepted/a 800ms 900ms
			time_limit_exceeded/slow 10ms 9s`,
			"accepted/a 1: 6 60s, accepted/a 2: 6 60s, time_limit_exceeded/slow 1: 1 6s, time_limit_exceeded/slow 2: 3 6s",
			2 * time.Second, "",
		},
		{
			"without a limit the one that is wanted counts", "", `
			accepted/a 100ms 900ms
			time_limit_exceeded/slow 10ms 9s`,
			"accepted/a 1: 1 60s, accepted/a 2: 6 60s, time_limit_exceeded/slow 1: 1 6s, time_limit_exceeded/slow 2: 3 6s",
			2 * time.Second, "",
		},
		{
			"a limit that is too low does not hide how slow a program is", "limits: {time_limit: 1}\n", `
			accepted/a 100ms 4500ms
			time_limit_exceeded/slow 10ms 11s`,
			"accepted/a 1: 1 60s, accepted/a 2: 6 60s, time_limit_exceeded/slow 1: 1 27s, time_limit_exceeded/slow 2: 3 27s",
			0, "time_limit_exceeded/slow.sh on secret/2 takes 11.0 s, expected at least 13.5 s",
		},
		{
			"what is too slow shows it once", limit2s, `
			accepted/a 100ms 100ms
			time_limit_exceeded/slow 9s 9s`,
			"accepted/a 1: 3 60s, accepted/a 2: 3 60s, time_limit_exceeded/slow 1: 3 6s, time_limit_exceeded/slow 2: 1 2s",
			time.Second, "",
		},
		{
			"a long limit needs patience", "limits: {time_limit: 40}\n", `
			accepted/a 70s 100ms`,
			"accepted/a 1: 6 420s, accepted/a 2: 1 80s",
			140 * time.Second, "",
		},
		{
			"what must fail in time bounds the limit, too", limit2s, `
			accepted/a 100ms 100ms
			wrong_answer/w 100ms 1600ms`,
			"accepted/a 1: 3 60s, accepted/a 2: 3 60s, wrong_answer/w 1: 1 60s, wrong_answer/w 2: 6 60s",
			4 * time.Second, "",
		},
		{
			"what never ends is stopped, and not tried again", limit2s, `
			accepted/a 100s 200s
			brute_force/b 1s 2.5s`,
			"accepted/a 1: 1 60s, brute_force/b 1: 1 2s, brute_force/b 2: 3 2s",
			0, "was stopped after 60.0 s",
		},
		{
			"nothing bounds it from below", "", `
			brute_force/b 1s 2.5s`,
			"",
			0, "no measured submission bounds the limit from below",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := pretend(t, c.limits, 2, c.programs)
			b := measured(t, LimitPlan{Rounds: 6, Seed: 1}, p, r)
			if got := r.summary(); got != c.runs {
				t.Errorf("ran\n%s, expected\n%s", got, c.runs)
			}
			if b.Proposed != c.proposed || !strings.Contains(b.None, c.none) || (b.None == "") != (c.none == "") {
				t.Errorf("proposed %v, none %q; expected %v, %q", b.Proposed, b.None, c.proposed, c.none)
			}
		})
	}
}

// summary lists the number of runs of each program on each case, and their largest
// CPU limit.
func (r *pretender) summary() string {
	most := make(map[string]time.Duration)
	for _, line := range r.log {
		key, given, _ := strings.Cut(line, " under ")
		d, _ := time.ParseDuration(given)
		most[key] = max(most[key], d)
	}
	var all []string
	for key, given := range most {
		all = append(all, fmt.Sprintf("%s: %d %vs", key, r.runs[key], given.Seconds()))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestLimitingEndsWithItsBudget(t *testing.T) {
	p, r := pretend(t, "limits: {time_limit: 2}\n", 1, "accepted/a 900ms\ntime_limit_exceeded/b 9s")
	b := measured(t, LimitPlan{Rounds: 50, Budget: time.Nanosecond}, p, r)
	if b.Measurement.Ended != OutOfBudget || len(b.Measurement.Trials) != 2 {
		t.Errorf("ended by %q after %d runs, expected %q after 2", b.Measurement.Ended, len(b.Measurement.Trials), OutOfBudget)
	}
	if len(b.Doubts) == 0 || b.Doubts[0].Kind != "few" {
		t.Errorf("doubts %v, expected few runs", b.Doubts)
	}
	// Submissions far below the limit run again first, because they cost little, and
	// those above it last.
	p, r = pretend(t, "limits: {time_limit: 2}\n", 1, "accepted/a 900ms\naccepted/far 10ms\ntime_limit_exceeded/b 9s")
	m := measured(t, LimitPlan{Rounds: 10}, p, r).Measurement
	rounds := make(map[string][]int)
	for _, trial := range m.Trials {
		name := m.Submissions[trial.Submission].Name
		rounds[name] = append(rounds[name], trial.Round)
	}
	if far, slow := rounds["accepted/far.sh"], rounds["time_limit_exceeded/b.sh"]; !slices.Equal(far, []int{0, 1, 2}) || !slices.Equal(slow, []int{0, 8, 9}) {
		t.Errorf("far below the limit in rounds %v, above it in %v; expected the first and the last", far, slow)
	}
}

func TestLimitingInterrupted(t *testing.T) {
	p, r := pretend(t, "limits: {time_limit: 2}\n", 1, "accepted/a 900ms\ntime_limit_exceeded/b 9s")
	ctx, cancel := context.WithCancel(t.Context())
	j := &judge.Judge{Runner: r, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	n := 0
	m, err := LimitPlan{Rounds: 50, OnTrial: func(Trial) {
		if n++; n == 3 {
			cancel()
		}
	}}.Run(ctx, Here(j), p)
	if !errors.Is(err, context.Canceled) || m.Ended != Interrupted || len(m.Trials) != 3 {
		t.Errorf("%v, ended by %q after %d runs, expected %v, %q, 3", err, m.Ended, len(m.Trials), context.Canceled, Interrupted)
	}
}

// TestStanceOfTheUncertain measures a program that is within the time limit in two runs
// of three.
func TestStanceOfTheUncertain(t *testing.T) {
	p, r := pretend(t, "limits: {time_limit: 1}\n", 1, "accepted/a 900ms/1100ms/950ms\ntime_limit_exceeded/b 9s")
	b := measured(t, LimitPlan{Rounds: 12, Seed: 1}, p, r)
	row := b.Rows[0]
	if row.Verdict != problem.Accepted || row.Flip.P < 0.33 || row.Flip.P > 0.34 || row.Flip.N != 12 || !row.Flip.Holds(1./3) {
		t.Errorf("verdict %s, flip %+v; expected AC, and that it exceeds the limit in 4 runs of 12", row.Verdict, row.Flip)
	}
	if len(b.Violated) != 1 || !strings.Contains(b.Violated[0], "takes 950 ms, times ac_to_time_limit 2 is 1.90 s, above the limit 1 s") {
		t.Errorf("violated %q", b.Violated)
	}
	if !slices.ContainsFunc(b.Doubts, func(d stat.Doubt) bool { return d.Kind == "flips" }) {
		t.Errorf("doubts %v, expected one about the flips", b.Doubts)
	}
}
