package html

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
)

// hostileNames are names that a package may have.
var hostileNames = []string{
	"accepted/plain.go",
	`</script><script>alert(1)</script>`,
	`"><img src=x onerror=alert(2)>'`,
	"'\"`${alert(3)}`\\u003cscript>",
	"right \u202eotfel\u202c \u200f to left",
	"nul \x00 and \xff\xfe no text",
	"line\nbreak\r\nand\ttab\u2028\u2029",
	"<!--<script>{{.}}]]>",
	"javascript:alert(4)",
	"long/" + strings.Repeat("ab", 5000),
	"long/" + strings.Repeat("ab", 5000), // and another that looks the same
}

var htmlMachine = record.Machine{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 9B14", Cores: 2, Kernel: "6.12.48", Go: "go1.26.8",
	Protection: "box", Pinned: true, FixedAddresses: true}

var mustPass = []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted}}}

func mustFail(v problem.Verdict) []problem.Expectation {
	return []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted, v}, Required: []problem.Verdict{v}}}
}

// stored reads a document from the test data of package report.
func stored(name string) *record.Document {
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	d, err := record.Read(f, sheet.Sections...)
	if err != nil {
		panic(err)
	}
	return d
}

// madeRun returns a run that took cpu seconds and mib mebibytes.
func madeRun(name string, v problem.Verdict, cpu, mib float64, why string) judge.Run {
	o := trial(0, 0, 0, 0, cpu, mib).Outcome
	return judge.Run{Case: name, Verdict: v, Why: why, Outcome: o, Times: []sandbox.Outcome{o}}
}

// trial returns a trial of a synthetic measurement.
func trial(s, c, round int, at time.Duration, cpu float64, mib float64) bench.Trial {
	d := time.Duration(cpu * float64(time.Second))
	return bench.Trial{Submission: s, Case: c, Round: round, At: at, Verdict: problem.Accepted,
		Outcome: sandbox.Outcome{CPU: d, User: d * 7 / 8, Sys: d / 8, Wall: d * 17 / 16, Memory: int64(mib * (1 << 20)), Instructions: int64(cpu * 3e9)}}
}

// measured returns a synthetic measurement. factors are the times of the programs
// divided by that of the first; the third program has times in two modes.
func measured(names []string, cases, rounds int, factors ...float64) *bench.Measurement {
	r := rand.New(rand.NewPCG(1, 2))
	m := &bench.Measurement{Kind: bench.ForBench, Problem: "poj3074", Seed: 4711, Confidence: 0.95, Looks: 1, Cores: []int{1}, Ended: bench.AllRounds,
		Limits: problem.Limits{Time: time.Second, Wall: 3 * time.Second, Memory: 64 << 20}, Timing: problem.TimeRule{Resolution: 0.1, ACToLimit: 2, LimitToTLE: 1.5}}
	for i, name := range names {
		m.Submissions = append(m.Submissions, bench.Submission{Name: name, Language: []string{"go", "cpp", "python3"}[i%3], Expected: mustPass})
	}
	for c := range cases {
		m.Cases = append(m.Cases, bench.Input{Name: fmt.Sprintf("secret/%02d_case", c+1)})
	}
	var at time.Duration
	for round := range rounds {
		drift := 1 + 0.04*float64(round)/float64(rounds)
		for _, c := range r.Perm(cases) {
			for _, s := range r.Perm(len(names)) {
				cpu := 0.04 * math.Pow(1.7, float64(c)) * factors[s%len(factors)] * drift * math.Exp(0.012*r.NormFloat64())
				if s == 2 && r.IntN(3) == 0 {
					cpu *= 1.25
				}
				m.Trials = append(m.Trials, trial(s, c, round, at, cpu, 3+float64(s)*5+float64(c)))
				at += time.Duration(cpu * 1e9)
			}
		}
	}
	return m
}

// comparison returns a document of a comparison of programs.
func comparison(names []string, cases, rounds int, factors ...float64) *record.Document {
	m := measured(names, cases, rounds, factors...)
	m.Doubts = []string{"other programs kept 0.4 processors busy meanwhile"}
	return &record.Document{Machine: htmlMachine, Elapsed: 83 * time.Second, Problems: []record.Problem{{ID: "poj3074", Path: "problems/poj3074", Limits: m.Limits, Sections: record.Sections{"measurement": m, "comparison": bench.CompareOf(m)}}}}
}

// scaling returns a document of three programs whose growth is known.
func scaling() *record.Document {
	m := measured([]string{"accepted/sort.cpp", "accepted/heap.py", "time_limit_exceeded/pairs.go"}, 0, 0)
	m.Kind, m.Cases = bench.ForScale, nil
	s := &bench.Scaling{Measurement: m}
	r := rand.New(rand.NewPCG(3, 4))
	grow := []func(n float64) float64{
		func(n float64) float64 { return 0.0012 + 9e-9*n*math.Log(n) },
		func(n float64) float64 { return 0.018 + 2.1e-7*n*math.Log(n) },
		func(n float64) float64 { return 0.0011 + 4e-9*math.Pow(n, 1.98) },
	}
	for i := range grow {
		c := bench.Curve{Largest: 7.4e6, Stopped: "TLE on n=64000"}
		for k, n := 0, 1000.0; n < 2e6; k, n = k+1, n*2 {
			if i == 0 {
				m.Cases = append(m.Cases, bench.Input{Name: fmt.Sprintf("n=%.0f", n), Size: n})
			}
			if grow[i](n) > 1 {
				stopped := stat.Summarize([]float64{1, 1, 1}, 0.95)
				c.Points = append(c.Points, bench.Point{N: n, CPU: stopped, Memory: stat.Summarize([]float64{4 << 20, 4 << 20, 4 << 20}, 0.95), Verdict: problem.TimeLimit})
				break
			}
			var cpu, mem []float64
			for round := range 7 {
				t := grow[i](n) * math.Exp(0.02*r.NormFloat64())
				m.Trials = append(m.Trials, trial(i, k, round, 0, t, 3+n*16/(1<<20)))
				cpu, mem = append(cpu, t), append(mem, (3+n*16/(1<<20))*(1<<20))
			}
			c.Points = append(c.Points, bench.Point{N: n, CPU: stat.Summarize(cpu, 0.95), Memory: stat.Summarize(mem, 0.95), Verdict: problem.Accepted})
			c.Measured = n
		}
		s.Curves = append(s.Curves, c)
	}
	for i, f := range []stat.Fit{
		{Model: stat.Linearithmic, A: 0.0012, B: 9e-9, Of: stat.Interval{Lo: 1.01, Hi: 1.12, Confidence: 0.95}, Why: "predicts sizes it was not fitted to within 3 %, n^k within 4 %"},
		{Model: stat.Linearithmic, A: 0.018, B: 2.1e-7, Of: stat.Interval{Lo: 1.02, Hi: 1.1, Confidence: 0.95}, Why: "predicts sizes it was not fitted to within 2 %"},
		{Model: stat.Power, A: 0.0011, B: 4e-9, K: 1.98, Of: stat.Interval{Lo: 1.95, Hi: 2.02, Confidence: 0.95}, Why: "no other model comes within 30 %",
			Doubts: []stat.Doubt{{Kind: "few", Text: "five sizes only"}}},
	} {
		s.Curves[i].Time = f
		s.Curves[i].Memory = stat.Fit{Model: stat.Linear, A: 3 << 20, B: 16, Of: stat.Interval{Lo: 0.9, Hi: 1.1, Confidence: 0.95}}
	}
	s.Crossings = []bench.Crossing{{A: 2, B: 1, N: 3700, Within: true}}
	return &record.Document{Machine: htmlMachine, Problems: []record.Problem{{ID: "inversions", Limits: m.Limits, Sections: record.Sections{"measurement": m, "scaling": s}}}}
}

// limitBand returns a document of a time limit. fastest is the time in seconds of the
// fastest submission that must be too slow.
func limitBand(fastest float64) *record.Document {
	names := []string{"accepted/dlx.cpp", "accepted/dlx.py", "wrong_answer/guess.py", "time_limit_exceeded/plain.go", "time_limit_exceeded/plain.py"}
	m := measured(names, 2, 12, 0.3, 2.4, 1.1, fastest/0.04, 1.9*fastest/0.04)
	m.Kind = bench.ForLimits
	for i, e := range [][]problem.Expectation{mustPass, mustPass, mustFail(problem.WrongAnswer), mustFail(problem.TimeLimit), mustFail(problem.TimeLimit)} {
		m.Submissions[i].Expected = e
	}
	b := &bench.Band{Measurement: m, Limit: time.Second, Proposed: 400 * time.Millisecond,
		Slowest: &bench.Bound{Submission: 1, Case: 1, Time: 165 * time.Millisecond}, Fastest: &bench.Bound{Submission: 3, Case: 0, Time: time.Duration(fastest * float64(time.Second))}}
	if fastest < 0.5 {
		b.Proposed, b.None = 0, "the fastest that must not pass takes less than 2 × 1.5 times the slowest that must"
	}
	for s := range names {
		var times []float64
		for _, t := range m.Trials {
			if t.Submission == s && t.Case == 0 {
				times = append(times, t.Outcome.CPU.Seconds())
			}
		}
		verdict := bench.LimitVerdict{Case: 0, Time: stat.Summarize(times, 0.95), Verdict: problem.Accepted, Flip: stat.Chance{P: 0.001, N: 12}}
		if s >= 3 {
			verdict.Verdict = problem.TimeLimit
		}
		if s == 3 {
			verdict.Flip = stat.Chance{P: 0.083, N: 12, Interval: stat.Interval{Lo: 0.002, Hi: 0.385, Confidence: 0.95}}
		}
		b.Rows = append(b.Rows, verdict)
	}
	return &record.Document{Machine: htmlMachine, Problems: []record.Problem{{ID: "poj3074", Limits: m.Limits, Sections: record.Sections{"measurement": m, "band": b}}}}
}

// changes returns a document of a comparison of stored runs: some submissions are
// slower, some faster, one has too few runs, and one is wrong in NEW.
func changes(names []string, cases int) *record.Document {
	r := rand.New(rand.NewPCG(7, 8))
	saved := func(later bool) *bench.StoredRun {
		s := &bench.StoredRun{Name: map[bool]string{false: "main.jsonl", true: "last"}[later], Machine: []record.Fact{{Name: "system", Value: "linux"}, {Name: "cores", Value: "2"}}}
		for i, name := range names {
			p := bench.StoredProgram{Problem: "poj3074", Name: name, Language: "cpp"}
			for c := range cases {
				cell := bench.StoredCell{Case: fmt.Sprintf("secret/%02d_case", c+1)}
				factor, rounds := 1.0, 30
				switch {
				case i%7 == 3:
					rounds = 5
				case !later:
				case i%7 == 1:
					factor = 1 + 0.07*float64(c%5)
				case i%7 == 2:
					factor = 0.6 + 0.03*float64(c)
				case i%7 == 4 && c == cases/2:
					cell.Wrong = "WA: line 3, column 1: got \"8\", expected \"7\""
				}
				for round := range rounds {
					cell.Add(round, map[bench.Metric]float64{bench.ByCPU: 0.01 * math.Pow(1.4, float64(c)) * factor * math.Exp(0.012*r.NormFloat64()), bench.ByMemory: 4 << 20})
				}
				if cell.Wrong != "" {
					cell = bench.StoredCell{Case: cell.Case, Wrong: cell.Wrong}
				}
				p.Cells = append(p.Cells, cell)
			}
			s.Programs = append(s.Programs, p)
		}
		return s
	}
	a, err := bench.RunComparisonOf(saved(false), saved(true), bench.Criterion{Threshold: 0.05})
	if err != nil {
		panic(err)
	}
	return &record.Document{Against: a}
}

// verdicts returns a document of that many submissions and cases.
func verdicts(submissions, cases int) *record.Document {
	r := rand.New(rand.NewPCG(5, 6))
	p := record.Problem{ID: "poj3074", Path: "problems/poj3074", Limits: problem.Limits{Time: time.Second, Memory: 64 << 20}}
	for c := range cases {
		p.Cases = append(p.Cases, fmt.Sprintf("%s/%02d", []string{"sample", "secret"}[min(c/3, 1)], c+1))
	}
	for s := range submissions {
		report := &judge.Report{Problem: p.ID, Submission: fmt.Sprintf("accepted/program_%03d.cpp", s+1), Language: "cpp", Expected: mustPass, Verdict: problem.Accepted, AsExpected: new(true)}
		speed := math.Exp(1.1 * r.NormFloat64())
		for c, name := range p.Cases {
			cpu := 0.002 * speed * math.Exp(0.08*float64(c)+0.2*r.NormFloat64())
			v, why := problem.Accepted, ""
			switch {
			case cpu > 1:
				v, why, cpu = problem.TimeLimit, "stopped at 1.001 s CPU, limit 1 s", 1.001
			case s%9 == 4 && c > cases/2:
				v, why = problem.WrongAnswer, "line 3, column 1: got \"8\", expected \"7\""
			case s%17 == 5 && c == cases-1:
				v, why = problem.RuntimeError, "killed by SIGSEGV"
			}
			report.Runs = append(report.Runs, madeRun(name, v, cpu, 2+speed+float64(c)/4, why))
			if v != problem.Accepted && report.Verdict == problem.Accepted {
				report.Verdict, report.AsExpected, report.BrokenBy = v, new(bool), name
				report.Broken = fmt.Sprintf("accepted permits AC, %s is %s", name, v)
			}
		}
		p.Reports = append(p.Reports, report)
	}
	return &record.Document{Machine: htmlMachine, Problems: []record.Problem{p}, Elapsed: 41 * time.Second}
}

// hostileDocument returns a document in which every text is an attack.
func hostileDocument() *record.Document {
	d := verdicts(len(hostileNames), len(hostileNames))
	p := &d.Problems[0]
	p.ID = hostileNames[1]
	for i, name := range hostileNames {
		p.Reports[i].Submission, p.Reports[i].Language, p.Cases[i] = name, name, name
		p.Reports[i].AsExpected, p.Reports[i].Broken = new(bool), name
		for k := range p.Reports[i].Runs {
			p.Reports[i].Runs[k].Case, p.Reports[i].Runs[k].Why, p.Reports[i].Runs[k].Stderr = hostileNames[k], name, name
		}
	}
	c := comparison(hostileNames, 2, 3, 1, 0.5, 2)
	m := record.Of[*bench.Comparison](&c.Problems[0]).Measurement
	m.Problem, m.Doubts = hostileNames[2], hostileNames
	m.Cases[0].Name, m.Cases[1].Name = hostileNames[1], hostileNames[6]
	c.Problems[0].ID = hostileNames[2]
	record.Of[*bench.Comparison](&c.Problems[0]).Programs[3].Wrong = hostileNames[1]
	d.Problems = append(d.Problems, c.Problems...)
	s := scaling()
	for i := range record.Of[*bench.Scaling](&s.Problems[0]).Curves {
		record.Of[*bench.Scaling](&s.Problems[0]).Measurement.Submissions[i].Name = hostileNames[1+i]
		record.Of[*bench.Scaling](&s.Problems[0]).Curves[i].Stopped, record.Of[*bench.Scaling](&s.Problems[0]).Curves[i].Time.Why = hostileNames[1], hostileNames[2]
	}
	b := limitBand(2)
	for i := range record.Of[*bench.Band](&b.Problems[0]).Rows {
		record.Of[*bench.Band](&b.Problems[0]).Measurement.Submissions[i].Name = hostileNames[1+i]
	}
	record.Of[*bench.Band](&b.Problems[0]).None = hostileNames[1]
	d.Problems = append(d.Problems, s.Problems[0], b.Problems[0])
	a := changes(hostileNames[:10], 3).Against.(*bench.RunComparison)
	d.Against = a
	for i := range a.Programs {
		for k := range a.Programs[i].Cells {
			c := &a.Programs[i].Cells[k]
			c.Case = hostileNames[1+k]
			if c.Lost != "" {
				c.Lost = hostileNames[1]
			}
		}
	}
	d.Machine.CPU, d.Machine.Kernel = hostileNames[1], hostileNames[2]
	d.Machine.NotEnforced = hostileNames
	return d
}
