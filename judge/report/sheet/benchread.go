package sheet

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// ErrNoBenchmark is the error for a text without a benchmark line of the judge or
// of judgetest.Bench.
var ErrNoBenchmark = errors.New("no benchmark with problem=, sol= and case= in its name")

// ReadBenchfmt reads benchmark lines of judge --format benchfmt, or of go test
// -bench with judgetest.Bench, as a stored run; file is its name. The k-th line of
// each case becomes its round k. A line of go test is the mean of several runs.
// Lines of other benchmarks are ignored. If there are no others, the error wraps
// [ErrNoBenchmark]. There is an error, too, if a line breaks the format, has a
// negative or infinite value, or is from another machine than the first.
func ReadBenchfmt(r io.Reader, file string) (*bench.StoredRun, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	b := &benchReader{saved: &bench.StoredRun{Name: file}, at: make(map[terminal.BenchName]*bench.StoredCell)}
	lines := benchfmt.NewReader(bytes.NewReader(all), file)
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%w; expected what judge --format benchfmt or go test -bench writes", line)
		case *benchfmt.Result:
			if err := b.result(line); err != nil {
				return nil, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	b.remarks(all)
	if len(b.order) == 0 {
		return nil, fmt.Errorf("%s: %w", file, ErrNoBenchmark)
	}
	for _, n := range b.order {
		b.saved.Programs = addCell(b.saved.Programs, n, b.at[n])
	}
	return b.saved, nil
}

// A benchReader collects the lines of a file by submission and case.
type benchReader struct {
	saved *bench.StoredRun
	order []terminal.BenchName // the keys of at, in the order of the file
	at    map[terminal.BenchName]*bench.StoredCell
}

func (b *benchReader) cell(n terminal.BenchName) *bench.StoredCell {
	if b.at[n] == nil {
		b.order, b.at[n] = append(b.order, n), &bench.StoredCell{Case: n.Case, Size: n.Size}
	}
	return b.at[n]
}

func (b *benchReader) result(line *benchfmt.Result) error {
	n, ok := terminal.ParseBenchName(string(line.Name))
	if !ok || n.Case == "" {
		return nil
	}
	if err := b.configure(line); err != nil {
		return err
	}
	c := b.cell(n)
	values := make(map[bench.Metric]float64)
	for _, v := range line.Values {
		if !(v.Value >= 0) || math.IsInf(v.Value, 1) {
			file, at := line.Pos()
			return fmt.Errorf("%s:%d: %v %s: expected a number that is 0 or more", file, at, v.Value, v.Unit)
		}
		switch v.Unit { // package benchfmt converts nanoseconds to seconds, except 0
		case "cpu-sec/op", "cpu-ns/op":
			values[bench.ByCPU] = v.Value
		case "wall-sec/op", "wall-ns/op":
			values[bench.ByWall] = v.Value
		case "peak-B":
			values[bench.ByMemory] = float64(terminal.PeakBytes(int64(v.Value)))
		case "instr/op":
			values[bench.ByInstructions] = v.Value
		}
	}
	c.Add(len(c.Rounds), values)
	return nil
}

// configure stores the facts of the machine, which must be the same for all lines.
func (b *benchReader) configure(line *benchfmt.Result) error {
	for i, f := range new(record.Machine).Facts() {
		value := line.GetConfig(report.ConfigKeys[f.Name])
		switch {
		case i == len(b.saved.Machine):
			b.saved.Machine = append(b.saved.Machine, record.Fact{Name: f.Name, Value: value})
		case b.saved.Machine[i].Value != value:
			file, at := line.Pos()
			return fmt.Errorf("%s:%d: %s %s and %s in one file: expected one machine", file, at, f.Name,
				b.saved.Machine[i].Value, value)
		}
	}
	counter := line.GetConfig(terminal.Counter)
	if len(b.order) > 0 && counter != b.saved.Counter {
		file, at := line.Pos()
		return fmt.Errorf("%s:%d: %s %q and %q in one file: expected one clock", file, at, report.CountedBy, b.saved.Counter,
			counter)
	}
	b.saved.Counter = counter
	return nil
}

// remarks reads the lines that are not part of the benchmark format: go test's
// lines for benchmarks that failed or were skipped, with the reason on the next
// line, and the comments of [report.Writer.WriteBenchfmt].
func (b *benchReader) remarks(all []byte) {
	var about *terminal.BenchName
	failed := false
	lines := bufio.NewScanner(bytes.NewReader(all))
	for lines.Scan() {
		line := lines.Text()
		if about != nil {
			// A parent of a failed benchmark fails, too, without a reason.
			if why, ok := strings.CutPrefix(line, "    "); ok {
				b.failed(*about, failed, strings.TrimSpace(why))
			} else if about.Case != "" {
				b.failed(*about, failed, "")
			}
			about = nil
		}
		outcome, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch outcome {
		case "--- FAIL", "--- SKIP":
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "Benchmark"), " ")
			if n, ok := terminal.ParseBenchName(name); ok {
				about, failed = &n, outcome == "--- FAIL"
			}
		case "# looks":
			looks, err := strconv.Atoi(rest)
			if err == nil && looks < 1000 {
				b.saved.Looks = max(b.saved.Looks, looks)
			}
		case "# doubt":
			b.saved.Doubts = append(b.saved.Doubts, rest)
		case terminal.Ended:
			if rest == string(bench.Interrupted) && !slices.Contains(b.saved.Doubts, report.CutShort) {
				b.saved.Doubts = append(b.saved.Doubts, report.CutShort)
			}
		case "panic":
			b.saved.Doubts = append(b.saved.Doubts, "it ended in a panic ("+rest+"), so it may lack runs")
		default:
			if key, ok := strings.CutPrefix(outcome, "# "); ok && (key == report.JudgesGo ||
				strings.HasPrefix(key, report.TimeLimitOf)) {
				b.saved.Setting = append(b.saved.Setting, record.Fact{Name: key, Value: rest})
			}
		}
	}
}

// failed stores why a submission or a case has no times. It removes the file and
// line that go test writes before the reason.
func (b *benchReader) failed(n terminal.BenchName, wrong bool, why string) {
	if at, rest, ok := strings.Cut(why, ": "); ok && strings.Contains(at, ".go:") {
		why = rest
	}
	c := b.cell(n)
	if (wrong || isVerdict(why)) && !strings.HasPrefix(why, "judge error: ") {
		c.Wrong = cmp.Or(c.Wrong, why, "failed")
	} else {
		c.Unknown = cmp.Or(c.Unknown, why, "skipped")
	}
}

// isVerdict reports whether a reason begins with a verdict.
func isVerdict(why string) bool {
	verdict, _, _ := strings.Cut(why, ": ")
	return slices.Contains([]problem.Verdict{problem.WrongAnswer, problem.TimeLimit, problem.MemoryLimit,
		problem.OutputLimit, problem.RuntimeError, problem.CompileError}, problem.Verdict(verdict))
}

// addCell adds a cell to its submission. A cell without a case applies to all
// cases of the submission.
func addCell(all []bench.StoredProgram, n terminal.BenchName, c *bench.StoredCell) []bench.StoredProgram {
	i := slices.IndexFunc(all,
		func(p bench.StoredProgram) bool { return p.Problem == n.Problem && p.Name == n.Submission })
	if i < 0 {
		i, all = len(all), append(all, bench.StoredProgram{Problem: n.Problem, Name: n.Submission})
	}
	if n.Case == "" {
		all[i].Wrong, all[i].Unknown = c.Wrong, c.Unknown
		return all
	}
	// Some lines may not have a unit.
	maps.DeleteFunc(c.Values, func(_ bench.Metric, all []float64) bool { return len(all) != len(c.Rounds) })
	all[i].Cells = append(all[i].Cells, finished(*c))
	return all
}
