package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// benchUnits are the units of a benchmark line, in which less is better.
var benchUnits = []string{"cpu-ns/op", "wall-ns/op", "peak-B", "instr/op"}

// WriteBenchfmt writes the document in Go's benchmark format
// (golang.org/design/14313-benchmark-format), for benchstat: one line for each
// accepted run, none for warm-ups.
//
//	BenchmarkJudge/problem=sum/sol=accepted:a.go/case=secret:1 1 2100000 cpu-ns/op 2300000 wall-ns/op 2662400 peak-B
//
// peak-B is rounded by [terminal.PeakBytes]. A line has instr/op only if instructions
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
// lines; ReadBenchfmt of package sheet reads the verdict from both.
//
// WriteBenchfmt returns an error for a comparison of stored runs, which has no
// runs.
func (w Writer) WriteBenchfmt(to io.Writer, d *record.Document) error {
	if d.Against != nil {
		return errors.New("a comparison of stored runs has no benchmark lines")
	}
	var b benchWriter
	for _, unit := range benchUnits {
		b.print("Unit %s better=lower\n", unit)
	}
	b.comment(JudgesGo, d.Machine.Go)
	for i := range d.Problems {
		p := &d.Problems[i]
		part := w.part(p)
		b.configure(d.Machine, p, part.ending(p))
		b.problem(p, &part)
	}
	_, err := b.text.WriteTo(to)
	return err
}

// A benchWriter collects the lines of a document.
type benchWriter struct {
	text   bytes.Buffer
	config map[string]string // the configuration so far
}

// configure writes the configuration of a problem, except the values that are in
// effect already.
func (b *benchWriter) configure(m record.Machine, p *record.Problem, ending string) {
	if b.config == nil {
		b.config = make(map[string]string)
	}
	set := func(key, value string) {
		if value != b.config[key] {
			b.print("%s\n", terminal.BenchConfig(key, value))
			b.config[key] = value
		}
	}
	for _, f := range m.Facts() {
		set(ConfigKeys[f.Name], f.Value)
	}
	set(terminal.Counter, m.Counter)
	set(terminal.Ended, ending)
	if p.Limits.Time > 0 {
		b.comment(TimeLimitOf+p.ID, terminal.Exactly(p.Limits.Time))
	}
}

// Names of settings in comments.
const (
	JudgesGo    = "the judge's Go"
	TimeLimitOf = "time limit of "
)

// ConfigKeys maps the names of the facts of a machine to configuration keys.
var ConfigKeys = map[string]string{
	"system": terminal.OS, "architecture": terminal.Arch, "CPU": terminal.CPU, "cores": terminal.Cores,
	"kernel":     terminal.Kernel,
	"protection": terminal.Protection, "pinned": terminal.Pinned, "fixed addresses": terminal.FixedAddresses,
}

func (b *benchWriter) print(format string, args ...any) { fmt.Fprintf(&b.text, format, args...) }

// comment writes a line that other readers of benchmarks ignore.
func (b *benchWriter) comment(key, value string) {
	if value != "" {
		b.print("# %s: %s\n", terminal.Clean(key), terminal.Clean(value))
	}
}

// line writes one run.
func (b *benchWriter) line(n terminal.BenchName, o sandbox.Outcome) {
	b.print("BenchmarkJudge/%s 1 %d cpu-ns/op %d wall-ns/op %d peak-B", n, o.CPU.Nanoseconds(), o.Wall.Nanoseconds(),
		terminal.PeakBytes(o.Memory))
	if o.Instructions > 0 {
		b.print(" %d instr/op", o.Instructions)
	}
	b.print("\n")
}

// without writes why a submission or a case has no times, in the form of go test.
func (b *benchWriter) without(n terminal.BenchName, failed bool, why string) {
	b.print("--- %s: BenchmarkJudge/%s\n    %s\n", map[bool]string{true: "FAIL", false: "SKIP"}[failed], n,
		terminal.Clean(why))
}

// problem writes the submissions and cases that have no times, and then the runs of
// the others in their order.
func (b *benchWriter) problem(p *record.Problem, part *Part) {
	for _, r := range part.Remarks {
		b.comment(r.Name, r.Value)
	}
	programs, runs := part.programs(p)
	nameOf := func(r *Run) terminal.BenchName {
		return terminal.BenchName{Problem: programs[r.Program].Problem, Submission: r.Name, Case: r.Case, Size: r.Size}
	}
	failed, bad := make(map[terminal.BenchName]bool), make(map[terminal.BenchName]bool)
	for i := range runs {
		if r := &runs[i]; r.Failure {
			failed[nameOf(r)] = true
		}
	}
	for _, s := range programs {
		n := terminal.BenchName{Problem: s.Problem, Submission: s.Name}
		if why := cmp.Or(s.Wrong, s.Unknown); why != "" {
			b.without(n, s.Wrong != "" && s.Failure, why)
		}
		for _, c := range s.Cases {
			n.Case, n.Size = c.Name, c.Size
			if why := cmp.Or(c.Wrong, c.Unknown); why != "" {
				bad[n] = true
				b.without(n, c.Wrong != "" && failed[n], why)
			}
		}
	}
	for i := range runs {
		if r := &runs[i]; r.Round >= 0 && !bad[nameOf(r)] {
			b.line(nameOf(r), r.Outcome)
		}
	}
}
