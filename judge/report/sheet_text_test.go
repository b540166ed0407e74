package report_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// measuredDocument returns a document of one comparison with synthetic trials.
// millis[s][k] is the approximate time of submission s on case k in milliseconds;
// 0 is a wrong answer.
func measuredDocument(rounds int, names []string, millis ...[]float64) *record.Document {
	m := &bench.Measurement{
		Kind: bench.ForBench, Problem: "sum", Limits: problem.Limits{Time: time.Second, Memory: 256 << 20}, Seed: 42, Confidence: 0.95, Looks: 1,
		Cores: []int{1}, Precision: 0.01, Budget: time.Minute, Ended: bench.OutOfBudget, Load: machine.Activity{Others: 0.4},
	}
	for _, name := range names {
		m.Submissions = append(m.Submissions, bench.Submission{Name: name, Language: "cpp"})
	}
	for k := range millis[0] {
		m.Cases = append(m.Cases, bench.Input{Name: fmt.Sprintf("secret/%d", k+1)})
	}
	r := rand.New(rand.NewPCG(1, 2))
	var clock time.Duration
	for round := range rounds {
		for s := range millis {
			for k, ms := range millis[s] {
				took := time.Duration(ms * math.Exp(0.01*r.NormFloat64()) * float64(time.Millisecond))
				t := bench.Trial{
					Submission: s, Case: k, Round: round, Verdict: problem.Accepted, At: clock,
					Outcome: sandbox.Outcome{CPU: took, Wall: took + time.Millisecond, Memory: int64(3+s) << 20, Instructions: int64(took) * 3},
				}
				clock += took + 2*time.Millisecond
				if ms == 0 {
					t.Verdict, t.Why, t.Outcome = problem.WrongAnswer, "line 1: want 3, got 4", sandbox.Outcome{}
				}
				m.Trials = append(m.Trials, t)
			}
		}
	}
	for range 10 {
		m.Submissions[0].Startup = append(m.Submissions[0].Startup, sandbox.Outcome{CPU: 812 * time.Microsecond})
	}
	return &record.Document{
		Machine:  record.Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Kernel: "6.1", Pinned: true, Protection: "box"},
		Problems: []record.Problem{{ID: "sum", Limits: m.Limits, Sections: record.Sections{"measurement": m, "comparison": bench.CompareOf(m)}}},
		Elapsed:  61 * time.Second,
	}
}

var four = []string{"accepted/links.cpp", "accepted/bands.cpp", "accepted/links_again.cpp", "wrong_answer/hasty.cpp", "accepted/slow.cpp"}

func TestComparisonAsText(t *testing.T) {
	d := measuredDocument(20, four, []float64{10, 200}, []float64{5, 90}, []float64{10, 200}, []float64{1, 0}, []float64{11, 500})
	for name, format := range map[string]func(*bytes.Buffer) error{
		"comparison.txt": func(b *bytes.Buffer) error { return sheet.Writer.WriteText(b, d) },
		"comparison.md":  func(b *bytes.Buffer) error { return sheet.Writer.WriteMarkdown(b, d) },
	} {
		var b bytes.Buffer
		if err := format(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

func TestComparisonOfOneCase(t *testing.T) {
	var b bytes.Buffer
	if err := sheet.Writer.WriteText(&b, measuredDocument(3, four[:2], []float64{10}, []float64{5})); err != nil {
		t.Fatal(err)
	}
	golden(t, "comparison_one.txt", b.Bytes())
}

func TestComparisonColorsChangeNothingElse(t *testing.T) {
	d := measuredDocument(20, four, []float64{10, 200}, []float64{5, 90}, []float64{10, 200}, []float64{1, 0}, []float64{11, 500})
	var plain, colored strings.Builder
	if err := (report.Text{Writer: sheet.Writer}).Write(&plain, d); err != nil {
		t.Fatal(err)
	}
	if err := (report.Text{Writer: sheet.Writer, Palette: report.Palette{On: true}}).Write(&colored, d); err != nil {
		t.Fatal(err)
	}
	if plain.String() == colored.String() {
		t.Error("no colors")
	}
	if diff := cmp.Diff(plain.String(), uncolor(colored.String())); diff != "" {
		t.Errorf("-without +with colors, escapes removed:\n%s", diff)
	}
}

func TestLongDetailsAreLeftOut(t *testing.T) {
	many := make([]float64, 30)
	for k := range many {
		many[k] = 10
	}
	d := measuredDocument(12, four[:2], many, many)
	for _, verbose := range []bool{false, true} {
		var b strings.Builder
		if err := (report.Text{Writer: sheet.Writer, Verbose: verbose}).Write(&b, d); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "secret/17  "); got != verbose {
			t.Errorf("verbose %v: details are shown: %v", verbose, got)
		}
		if got := strings.Contains(b.String(), "--verbose"); got == verbose {
			t.Errorf("verbose %v: names --verbose: %v", verbose, got)
		}
	}
}

func TestTablesFitTheTerminal(t *testing.T) {
	names := []string{"accepted/dancing_links_again.cpp", "accepted/dancing_pointers.cpp", "wrong_answer/hasty.cpp"}
	d := measuredDocument(20, names, []float64{10, 200}, []float64{5, 90}, []float64{1, 0})
	written := func(columns int) string {
		var b strings.Builder
		if err := (report.Text{Writer: sheet.Writer, Columns: columns, Verbose: true}).Write(&b, d); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	words := func(text string) map[string]bool {
		all := make(map[string]bool)
		for _, word := range strings.Fields(text) {
			all[word] = true
		}
		return all
	}
	free := written(0)
	for _, columns := range []int{80, 100, 1000} {
		narrow := written(columns)
		if diff := cmp.Diff(words(free), words(narrow)); diff != "" {
			t.Errorf("%d columns: -free +narrow:\n%s", columns, diff)
		}
		if columns == 1000 && narrow != free {
			t.Errorf("what fits is written otherwise:\n%s", cmp.Diff(free, narrow))
		}
		_, tables, _ := strings.Cut(narrow, "\n\n") // the lines before the tables describe the machine
		for line := range strings.Lines(tables) {
			if w := terminal.Width(strings.TrimSuffix(line, "\n")); w > columns {
				t.Errorf("%d columns: a line of %d: %s", columns, w, line)
			}
		}
	}
	// If names leave no room, the table is not split into parts of one column.
	if got, want := strings.Count(written(40), "dancing_pointers"), strings.Count(free, "dancing_pointers"); got != want {
		t.Errorf("40 columns: a name occurs %d times, expected %d", got, want)
	}
}

func TestNoTimesNoTables(t *testing.T) {
	for _, tt := range []struct {
		name  string
		slow  float64
		count int
	}{
		{"one was right", 5, 3},
		{"no submission", 0, 1},
	} {
		d := measuredDocument(8, four[:2], []float64{0, 0}, []float64{tt.slow, tt.slow})
		if got := len(sheet.Writer.Sheets(&d.Problems[0])); got != tt.count {
			t.Errorf("%s: %d tables, expected %d", tt.name, got, tt.count)
		}
	}
}

// With a coarse clock programs may take no time. Then there is no claim for any
// number of rounds.
func TestTimesOfNothingHaveNoRatio(t *testing.T) {
	m := &bench.Measurement{Kind: bench.ForBench, Problem: "p", Confidence: 0.95, Looks: 1, Submissions: []bench.Submission{{Name: "a"}, {Name: "b"}}, Cases: []bench.Input{{Name: "1"}, {Name: "2"}}}
	for i := range 80 {
		m.Trials = append(m.Trials, bench.Trial{Submission: i % 2, Case: i / 2 % 2, Round: i / 4, Verdict: problem.Accepted})
	}
	for _, f := range formats[:2] {
		var b strings.Builder
		if err := f.Write(&b, &record.Document{Problems: []record.Problem{{ID: "p", Sections: record.Sections{"measurement": m, "comparison": bench.CompareOf(m)}}}}); err != nil {
			t.Fatal(err)
		}
		for _, no := range []string{"NaN", "Inf", "too few"} {
			if strings.Contains(b.String(), no) {
				t.Errorf("%s has %q:\n%s", f.Name, no, b.String())
			}
		}
		if !strings.Contains(b.String(), "too coarse") {
			t.Errorf("%s does not tell why:\n%s", f.Name, b.String())
		}
	}
}

func TestHostileNamesInSheets(t *testing.T) {
	names := []string{"accepted/\x1b[31m\u202e|x`y\n# z", "accepted/**b** [a](http://b) <script>", "accepted/www.c.d"}
	d := measuredDocument(3, names, []float64{1, 1}, []float64{1, 1}, []float64{1, 0})
	record.Of[*bench.Comparison](&d.Problems[0]).Measurement.Cases[0].Name = "</summary>|```"
	for _, f := range formats[:2] {
		var b strings.Builder
		if err := f.Write(&b, d); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"\x1b", "\u202e", "\n# z"} {
			if strings.Contains(b.String(), bad) {
				t.Errorf("%s has %q:\n%s", f.Name, bad, b.String())
			}
		}
		if f.Name == "text" {
			continue
		}
		fenced := false
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
				continue
			}
			for _, bad := range []string{"<script>", "http:", "www.", "**b", "</summary>|"} {
				if at := strings.Index(line, bad); at >= 0 && !fenced && !inCode(line, at) {
					t.Errorf("markdown has %q outside of code: %s", bad, line)
				}
			}
		}
	}
}

// inCode reports whether a position in a line is in a code span.
func inCode(line string, at int) bool {
	return strings.Count(line[:at], "`")%2 == 1 || strings.Contains(line[:at], "`` ")
}
