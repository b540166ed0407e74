package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// madeBand returns a measurement under a time limit, with a case for each word
// after the name of a submission, as in "accepted/a.go 100ms 900ms". A word has
// the times of the runs on that case, separated by slashes; "+" marks a run that
// was stopped.
func madeBand(rule problem.TimeRule, limit time.Duration, submissions ...string) *Measurement {
	m := &Measurement{Kind: ForLimits, Confidence: 0.95, Timing: rule}
	m.Limits.Time = limit
	folders := map[string]problem.Expectation{
		"accepted":            {Permitted: []problem.Verdict{"AC"}},
		"wrong_answer":        {Permitted: []problem.Verdict{"AC", "WA"}, Required: []problem.Verdict{"WA"}},
		"time_limit_exceeded": {Permitted: []problem.Verdict{"AC", "TLE"}, Required: []problem.Verdict{"TLE"}},
		"brute_force":         {Permitted: []problem.Verdict{"AC", "RTE", "TLE"}, Required: []problem.Verdict{"RTE", "TLE"}},
		"lower":               {Timing: problem.TimingLower},
		"upper":               {Timing: problem.TimingUpper},
		"neither":             {Permitted: []problem.Verdict{"AC"}, Timing: problem.TimingNone},
	}
	for s, line := range submissions {
		words := strings.Fields(line)
		folder, file, _ := strings.Cut(words[0], "/")
		_, ext, _ := strings.Cut(file, ".")
		m.Submissions = append(m.Submissions, Submission{Name: words[0], Language: ext, Expected: []problem.Expectation{folders[folder]}})
		for c, word := range words[1:] {
			if c == len(m.Cases) {
				m.Cases = append(m.Cases, Input{Name: fmt.Sprintf("secret/%d", c+1)})
			}
			for round, text := range strings.Split(word, "/") {
				text, stopped := strings.CutSuffix(text, "+")
				took, err := time.ParseDuration(text)
				if err != nil {
					panic(err)
				}
				t := Trial{Submission: s, Case: c, Round: round, Verdict: problem.Accepted, Outcome: sandbox.Outcome{CPU: took, Wall: took}}
				if stopped {
					t.Verdict, t.Outcome.Exceeded, t.Outcome.Limits.CPU = problem.TimeLimit, sandbox.CPU, took
				}
				m.Trials = append(m.Trials, t)
			}
		}
	}
	return m
}

func TestBandProposes(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	fine := problem.TimeRule{Resolution: 0.1, ACToLimit: 5, LimitToTLE: 2}
	legacy := problem.TimeRule{Resolution: 1, ACToLimit: 5, LimitToTLE: 2}
	for _, c := range []struct {
		name        string
		rule        problem.TimeRule
		submissions string // a line for each
		proposed    time.Duration
		none        string
	}{
		{"the smallest multiple that leaves the slowest its margin", rule, "accepted/a 600ms 100ms\naccepted/b 700ms 100ms", 2 * time.Second, ""},
		{"exactly met is met", rule, "accepted/a 1s", 2 * time.Second, ""},
		{"a hair above is not", rule, "accepted/a 1000000001ns", 3 * time.Second, ""},
		{"binary fractions make no step", fine, "accepted/a 1060ms", 5300 * time.Millisecond, ""},
		{"at least one step", rule, "accepted/a 1ns", time.Second, ""},
		{"the slowest case counts of what must pass", rule, "accepted/a 1ms 3s 1ms", 6 * time.Second, ""},
		{"the median of runs counts", rule, "accepted/a 900ms/9s/950ms", 2 * time.Second, ""},
		{"between two of an even number", rule, "accepted/a 900ms/1300ms", 3 * time.Second, ""},
		{"what must fail in time counts, too", rule, "accepted/a 100ms\nwrong_answer/w 1400ms", 3 * time.Second, ""},
		{"what may be slow does not", rule, "accepted/a 100ms\nbrute_force/b 1400ms", time.Second, ""},
		{"use_for_time_limit overrides", rule, "accepted/a 100ms\nlower/l 1400ms\nneither/n 20s", 3 * time.Second, ""},
		{"legacy wants five times", legacy, "accepted/a 410ms", 3 * time.Second, ""},
		{"a slow one with its margin", rule, "accepted/a 1s\ntime_limit_exceeded/t 100ms 3s", 2 * time.Second, ""},
		{"that was stopped there", rule, "accepted/a 1s\ntime_limit_exceeded/t 100ms 3s+", 2 * time.Second, ""},
		{"a slow one without", rule, "accepted/a.c 1s\ntime_limit_exceeded/t.c 100ms 2900ms", 0,
			"accepted/a.c on secret/1 takes 1.00 s and needs a limit of 2 s; time_limit_exceeded/t.c on secret/2 takes 2.90 s, expected at least 3.00 s, which is 1.03 times as long"},
		{"the fastest of the slow ones counts", rule, "accepted/a 1s\ntime_limit_exceeded/t 9s\nupper/u 2s 1s", 0, "upper/u on secret/1 takes 2.00 s"},
		{"a finer step would do", rule, "accepted/a 1100ms\ntime_limit_exceeded/t 4s", 0, "the limits between are not multiples of time_resolution 1"},
		{"stopped too early to tell", rule, "accepted/a 1s\ntime_limit_exceeded/t 2500ms+", 0, "too early to show"},
		{"one that must pass and does not end", rule, "accepted/a 1m+", 0, "accepted/a on secret/1 was stopped after 60.0 s"},
		{"one that must fail and does not end is left out", rule, "accepted/a 100ms\nwrong_answer/w 1m+", time.Second, ""},
		{"nothing from below", rule, "time_limit_exceeded/t 4s", 0, "no measured submission bounds the limit from below"},
	} {
		b := BandOf(madeBand(c.rule, 0, strings.Split(c.submissions, "\n")...))
		if b.Proposed != c.proposed || !strings.Contains(b.None, c.none) || (b.None == "") != (c.none == "") {
			t.Errorf("%s: proposed %v, none %q; expected %v, %q", c.name, b.Proposed, b.None, c.proposed, c.none)
		}
	}
}

// TestTook distinguishes programs that wait from programs that other programs
// delay.
func TestTook(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name      string
		by        sandbox.Resource
		cpu, wall time.Duration
		want      time.Duration
		stopped   bool
	}{
		{"it ended", "", s, 3 * s, s, false},
		{"stopped while it worked", sandbox.CPU, 3*s + 1, 4 * s, 3*s + 1, true},
		{"stopped while it waited", sandbox.Wall, s / 10, 7 * s, 7 * s, true},
		{"stopped while others worked", sandbox.Wall, 2 * s, 7 * s, 2 * s, true},
	} {
		o := sandbox.Outcome{CPU: c.cpu, Wall: c.wall, Exceeded: c.by, Limits: sandbox.Limits{CPU: 3 * s, Wall: 7 * s}}
		if got, stopped := took(o); got != c.want || stopped != c.stopped {
			t.Errorf("%s: %v, %v; expected %v, %v", c.name, got, stopped, c.want, c.stopped)
		}
	}
	// If the wait for a processor was measured, took does not estimate it.
	o := sandbox.Outcome{CPU: s, Wall: 9 * s, Waited: 2 * s, Exceeded: sandbox.Wall, Limits: sandbox.Limits{CPU: 3 * s, Wall: 7 * s}}
	if got, stopped := took(o); got != 7*s || !stopped {
		t.Errorf("stopped while it waited, and others had the processor for 2 s: %v, %v; expected 7s", got, stopped)
	}
}

// TestStoppedNowAndThen checks the time of a program that hangs in some of its
// runs.
func TestStoppedNowAndThen(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	for _, c := range []struct {
		name, runs string
		stopped    bool
		said       string // text about the limit and the chance
	}{
		{"seldom", "600ms/602ms/604ms/9s+", false, "takes 603 ms, times ac_to_time_limit 2 is 1.21 s; accepted/a is in time in 3 of 4 runs, and too slow in 1"},
		{"as often as not", "600ms/9s+", true, "takes at least 4.80 s, times ac_to_time_limit 2 is at least 9.60 s; accepted/a is in time in 1 of 2 runs, and too slow in 1"},
		{"mostly", "600ms/9s+/9s+", true, "takes at least 9.00 s, times ac_to_time_limit 2 is at least 18.0 s; accepted/a is too slow in 2 of 3 runs, and in time in 1"},
		{"stopped before the others ended", "800ms/802ms/700ms+", true, "takes at least 800 ms, times ac_to_time_limit 2 is at least 1.60 s"},
	} {
		b := BandOf(madeBand(rule, time.Second, "accepted/a "+c.runs))
		var flips []string
		for _, d := range b.Doubts {
			if d.Kind == "flips" {
				flips = append(flips, d.Text)
			}
		}
		said, flip, _ := strings.Cut(c.said, "; ")
		if b.Slowest.Stopped != c.stopped || b.Rows[0].Stopped != c.stopped || len(b.Violated) != 1 || !strings.Contains(b.Violated[0], said+", above") || flip != "" && !slices.Contains(flips, flip) {
			t.Errorf("%s: stopped %v, %v; %q, %q; expected %v, %q", c.name, b.Slowest.Stopped, b.Rows[0].Stopped, b.Violated, flips, c.stopped, c.said)
		}
	}
}

func TestBandHoldsTheLimitAgainstTheRule(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	for _, c := range []struct {
		name  string
		limit time.Duration
		want  string
	}{
		{"the one proposed", 2 * time.Second, ""},
		{"a larger one that separates", 4 * time.Second, ""},
		{"too small", time.Second, "accepted/a on secret/1 takes 900 ms, times ac_to_time_limit 2 is 1.80 s, above the limit 1 s"},
		{"too large", 5 * time.Second, "time_limit_exceeded/t on secret/1 takes only 6.00 s, expected at least 7.50 s, which is the limit 5 s times time_limit_to_tle 1.5"},
	} {
		b := BandOf(madeBand(rule, c.limit, "accepted/a 900ms", "time_limit_exceeded/t 6s"))
		if got := strings.Join(b.Violated, "; "); got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
		if b.Least != 1800*time.Millisecond || b.Most != 4*time.Second || b.Proposed != 2*time.Second || b.At != c.limit {
			t.Errorf("%s: %v to %v, proposed %v, at %v", c.name, b.Least, b.Most, b.Proposed, b.At)
		}
	}
}

func TestBandMachines(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	b := BandOf(madeBand(rule, 0, "accepted/a 900ms", "time_limit_exceeded/t 3100ms"))
	var got []string
	for _, e := range b.Machines {
		got = append(got, fmt.Sprintf("%v: %v", e.Slower, e.Limit))
		if (e.Limit == 0) != (e.Why != "") {
			t.Errorf("%v times as slow: limit %v, why %q", e.Slower, e.Limit, e.Why)
		}
	}
	// On a machine twice as fast, 450 ms needs a limit of 1 s, and 1.55 s is above
	// that limit times LimitToTLE.
	if got, want := strings.Join(got, ", "), "0.5: 1s, 2: 4s, 3: 6s, 5: 9s"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

func TestBandLanguages(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	b := BandOf(madeBand(rule, time.Second,
		"accepted/slow.py 900ms 1ms", "accepted/a.c 20ms 10ms", "accepted/b.c 100ms 1ms", "accepted/quick.py 1ms 400ms",
		"wrong_answer/w.go 1ms 1ms", "time_limit_exceeded/t.rs 9s 9s", "accepted/never.js 1m+"))
	var got []string
	for _, l := range b.Languages {
		got = append(got, fmt.Sprintf("%s %s %.3g, %s needs %.3g", l.Language, b.Measurement.Submissions[l.Submission].Name, l.Factor,
			b.Measurement.Submissions[l.Slowest].Name, l.Needs))
	}
	if got, want := strings.Join(got, "; "), "c accepted/a.c 1, accepted/b.c needs 0.2; py accepted/quick.py 20, accepted/slow.py needs 1.8"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

func TestBandStances(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	for _, c := range []struct {
		name, submission string
		verdict          problem.Verdict
		nearest          string
		flip             [2]float64 // least and largest Flip.P
		bounds           Side
	}{
		{"in time, and never near", "accepted/a 100ms/101ms/99ms 1ms", "AC", "[0]", [2]float64{0, 1e-5}, Above},
		{"its slowest cases, but only those run again", "accepted/a 100ms 90ms/91ms/92ms 90ms/89ms/92ms 80ms", "AC", "[1 2]", [2]float64{0, 1e-4}, Above},
		{"any case may flip it", "accepted/a 1.8s/2.1s/1.9s/1.9s/1.9s 1.9s/1.9s/1.9s/2.2s/1.9s", "AC", "[0 1]", [2]float64{0.4, 0.4}, Above},
		{"too slow where it is slowest", "time_limit_exceeded/t 1ms 3s+/3s+/3s+ 2s+", "TLE", "[1]", [2]float64{0, 0}, Below},
		{"one case that is too slow is enough", "time_limit_exceeded/t 3s+/3s+ 4s+/4s+ 3.9s+/3.9s+", "TLE", "[1]", [2]float64{0, 0}, Below},
		{"too slow in most runs", "time_limit_exceeded/t 1ms 2.1s/2.2s/1.9s/2.3s", "TLE", "[1]", [2]float64{0.25, 0.25}, Below},
		{"may be either", "brute_force/b 1ms 1.5s", "AC", "[1]", [2]float64{0, 0}, Neither},
		{"stopped before the limit: nobody knows", "neither/n 1s+", "", "[0]", [2]float64{0, 0}, Neither},
	} {
		b := BandOf(madeBand(rule, 2*time.Second, c.submission))
		row := b.Rows[0]
		if got := fmt.Sprint(row.Nearest); row.Verdict != c.verdict || got != c.nearest || row.Flip.P < c.flip[0] || row.Flip.P > c.flip[1] || row.Bounds != c.bounds || !row.Flip.Holds(row.Flip.P) {
			t.Errorf("%s: verdict %q, nearest %s, flip %+v, bounds %q; expected %q, %s, %v, %q", c.name, row.Verdict, got, row.Flip, row.Bounds, c.verdict, c.nearest, c.flip, c.bounds)
		}
	}
}

func TestBandDoubts(t *testing.T) {
	rule := problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	edit := func(m *Measurement, edit func(*Trial)) *Measurement {
		for i := range m.Trials {
			edit(&m.Trials[i])
		}
		return m
	}
	busy := func(m *Measurement) *Measurement {
		m.Load.Others = 1.5
		return m
	}
	const sure = "900ms/901ms/902ms/903ms/904ms"
	for _, c := range []struct {
		name string
		m    *Measurement
		want string // kinds of doubts
	}{
		{"none", madeBand(rule, 0, "accepted/a "+sure), ""},
		{"few runs near the limit", madeBand(rule, 0, "accepted/a 900ms"), "few"},
		{"few far from it do not matter", madeBand(rule, 0, "accepted/a "+sure, "accepted/b 10ms"), ""},
		{"the step decides, not the programs", madeBand(rule, 0, "accepted/a 10ms"), "coarse"},
		{"waits", edit(madeBand(rule, 0, "accepted/a "+sure), func(t *Trial) { t.Outcome.Wall = 4 * time.Second }), "waits"},
		{"on a busy machine all wait", busy(edit(madeBand(rule, 0, "accepted/a "+sure), func(t *Trial) { t.Outcome.Wall = 4 * time.Second })), "load"},
		{"is wrong", edit(madeBand(rule, 0, "accepted/a "+sure), func(t *Trial) { t.Verdict = problem.WrongAnswer }), "verdict"},
		{"is wrong and must be", edit(madeBand(rule, 0, "wrong_answer/a "+sure), func(t *Trial) { t.Verdict = problem.WrongAnswer }), ""},
		{"is slower now and then", madeBand(rule, time.Second, "accepted/a "+sure+"/1.1s"), "flips"},
		{"must fail and does not end", madeBand(rule, 0, "accepted/a "+sure, "wrong_answer/w 1m+"), "stopped"},
		{"the judge failed on one that matters", edit(madeBand(rule, 0, "accepted/a "+sure, "accepted/b 1s"), func(t *Trial) {
			if t.Submission == 1 {
				t.Err = "disk full"
			}
		}), "missing"},
	} {
		var kinds []string
		for _, d := range BandOf(c.m).Doubts {
			kinds = append(kinds, d.Kind)
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestTrialsAreJudgedAgain judges runs under another time limit than that of the
// measurement.
func TestTrialsAreJudgedAgain(t *testing.T) {
	const limit = 2 * time.Second
	for _, c := range []struct {
		name string
		cpu  time.Duration
		made problem.Verdict
		cut  time.Duration // CPU limit at which the run was stopped; 0 means none
		want problem.Verdict
	}{
		{"accepted, and in time", time.Second, problem.Accepted, 0, problem.Accepted},
		{"wrong, and in time", time.Second, problem.WrongAnswer, 0, problem.WrongAnswer},
		{"accepted, but too slow", 3 * time.Second, problem.Accepted, 0, problem.TimeLimit},
		{"wrong, and too slow", 3 * time.Second, problem.WrongAnswer, 0, problem.TimeLimit},
		{"too slow for another limit: nobody looked at its output", 1500 * time.Millisecond, problem.TimeLimit, 0, ""},
		{"stopped before the limit", time.Second, problem.TimeLimit, time.Second, ""},
		{"stopped after it", 3 * time.Second, problem.TimeLimit, 3 * time.Second, problem.TimeLimit},
	} {
		trial := Trial{Verdict: c.made, Outcome: sandbox.Outcome{CPU: c.cpu, Wall: c.cpu}}
		if c.cut > 0 {
			trial.Outcome.Exceeded, trial.Outcome.Limits.CPU = sandbox.CPU, c.cut
		}
		if got := trial.verdict(limit); got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}
