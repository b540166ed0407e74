package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/benchline"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// benchUnits are the units of a benchmark line, in which less is better.
var benchUnits = []string{"cpu-ns/op", "wall-ns/op", "peak-B", "instr/op"}

// WriteBenchfmt writes the document in Go's benchmark format
// (golang.org/design/14313-benchmark-format), for benchstat: one line for each
// accepted run, none for warm-ups.
//
//	BenchmarkJudge/problem=sum/sol=accepted:a.go/case=secret:1 1 2100000 cpu-ns/op 2300000 wall-ns/op 2662400 peak-B
//
// peak-B is rounded by [units.PeakBytes]. A line has instr/op only if instructions
// were counted. Facts of the machine are configuration lines (cpu: …). Settings
// that must not make benchstat separate two files, such as the seed, are comments
// (# seed: …). The configuration of an interrupted problem is "ended:
// interrupted", so benchstat separates its lines from those of complete runs
// unless it gets -ignore ended.
//
// A case with a wrong run has no lines. Instead there is the line that go test
// writes for a benchmark that fails (--- FAIL) or is skipped (--- SKIP). It is
// skipped if the failure is not unexpected: a submission may be meant to fail, and
// inputs grow until a limit is reached. Other readers of benchmarks ignore these
// lines; [ReadBenchfmt] reads the verdict from both.
//
// WriteBenchfmt returns an error for a comparison of stored runs, which has no
// runs.
func WriteBenchfmt(w io.Writer, d *record.Document) error {
	if d.Against != nil {
		return errors.New("a comparison of stored runs has no benchmark lines")
	}
	b := &benchWriter{w: w}
	for _, unit := range benchUnits {
		b.print("Unit %s better=lower\n", unit)
	}
	b.comment(judgesGo, d.Machine.Go)
	for i := range d.Problems {
		p := &d.Problems[i]
		b.configure(d.Machine, p)
		for _, r := range p.Reports {
			b.report(p.ID, r)
		}
		if m := p.Measurement; m != nil {
			b.measurement(p, m)
		}
	}
	return b.err
}

// A benchWriter writes until the first error.
type benchWriter struct {
	w      io.Writer
	config map[string]string // the configuration written so far
	err    error             // the first error
}

// configure writes the configuration of a problem, except the values that are in
// effect already.
func (b *benchWriter) configure(m record.Machine, p *record.Problem) {
	if b.config == nil {
		b.config = make(map[string]string)
	}
	set := func(key, value string) {
		if value != b.config[key] {
			b.print("%s\n", benchline.Config(key, value))
			b.config[key] = value
		}
	}
	for _, f := range facts(m) {
		set(configKeys[f.Name], f.Value)
	}
	ended := ""
	if wasCutShort(p) {
		ended = string(bench.Interrupted)
	}
	set(benchline.Ended, ended)
	if p.Limits.Time > 0 {
		b.comment(timeLimitOf+p.ID, units.Exactly(p.Limits.Time))
	}
}

// Names of settings, in comments and in [bench.Saved].
const (
	judgesGo    = "the judge's Go"
	timeLimitOf = "time limit of "
)

// configKeys maps the names of the facts of a machine to configuration keys.
var configKeys = map[string]string{
	"system": benchline.OS, "architecture": benchline.Arch, "CPU": benchline.CPU, "cores": benchline.Cores, "kernel": benchline.Kernel,
	"protection": benchline.Protection, "pinned": benchline.Pinned, "fixed addresses": benchline.FixedAddresses,
}

func (b *benchWriter) print(format string, args ...any) {
	if b.err == nil {
		_, b.err = fmt.Fprintf(b.w, format, args...)
	}
}

// comment writes a line that other readers of benchmarks ignore.
func (b *benchWriter) comment(key, value string) {
	if value != "" {
		b.print("# %s: %s\n", terminal.Clean(key), terminal.Clean(value))
	}
}

// line writes one run.
func (b *benchWriter) line(n benchline.Name, o sandbox.Outcome) {
	b.print("BenchmarkJudge/%s 1 %d cpu-ns/op %d wall-ns/op %d peak-B", n, o.CPU.Nanoseconds(), o.Wall.Nanoseconds(), units.PeakBytes(o.Memory))
	if o.Instructions > 0 {
		b.print(" %d instr/op", o.Instructions)
	}
	b.print("\n")
}

// without writes why a submission or a case has no times, in the form of go test.
func (b *benchWriter) without(n benchline.Name, failed bool, why string) {
	b.print("--- %s: BenchmarkJudge/%s\n    %s\n", map[bool]string{true: "FAIL", false: "SKIP"}[failed], n, terminal.Clean(why))
}

func (b *benchWriter) report(problem string, r *judge.Report) {
	saved := savedReport(problem, r)
	fails := StandingOf(r) == Unexpected
	if why := cmp.Or(saved.Wrong, saved.Unknown); why != "" {
		b.without(benchline.Name{Problem: problem, Submission: r.Submission}, saved.Wrong != "" && fails, why)
	}
	for i := range r.Runs {
		run, n := &r.Runs[i], benchline.Name{Problem: problem, Submission: r.Submission, Case: r.Runs[i].Case}
		if bad, unknown := wrong(run.Verdict, run.Why, message(run.Err)); bad+unknown != "" {
			b.without(n, bad != "" && fails, cmp.Or(bad, unknown))
			continue
		}
		times := run.Times
		if len(times) == 0 {
			times = []sandbox.Outcome{run.Outcome}
		}
		for _, o := range times {
			b.line(n, o)
		}
	}
}

// measurement writes the trials in the order in which they were run.
func (b *benchWriter) measurement(p *record.Problem, m *bench.Measurement) {
	b.comment("problem", fmt.Sprintf("%s, %s", m.Problem, m.Kind))
	b.comment("seed", strconv.FormatUint(m.Seed, 10))
	b.comment("looks", strconv.Itoa(m.Looks))
	for _, d := range doubtsOf(p) {
		b.comment("doubt", d)
	}
	type place struct {
		submission int
		name       string
		size       float64
	}
	failed := make(map[place]bool)
	for i := range m.Trials {
		if t := &m.Trials[i]; fails(m, t) {
			failed[place{t.Submission, m.Cases[t.Case].Name, m.Cases[t.Case].Size}] = true
		}
	}
	bad := make(map[benchline.Name]bool)
	for i, p := range savedMeasurement(m) {
		n := benchline.Name{Problem: m.Problem, Submission: p.Name}
		if why := cmp.Or(p.Wrong, p.Unknown); why != "" {
			b.without(n, p.Wrong != "" && m.Kind != bench.ForScale && m.Kind != bench.ForLimits, why)
		}
		for _, c := range p.Cells {
			n.Case, n.Size = c.Case, c.Size
			if why := cmp.Or(c.Wrong, c.Unknown); why != "" {
				bad[n] = true
				b.without(n, c.Wrong != "" && failed[place{i, c.Case, c.Size}], why)
			}
		}
	}
	for _, t := range m.Trials {
		c := m.Cases[t.Case]
		n := benchline.Name{Problem: m.Problem, Submission: m.Submissions[t.Submission].Name, Case: c.Name, Size: c.Size}
		if t.Round >= 0 && !bad[n] {
			b.line(n, t.Outcome)
		}
	}
}
