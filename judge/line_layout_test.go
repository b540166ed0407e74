package judge

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

// TestSudokuInAnyLineLayout runs the programs of nwerc2006sudoku on the samples
// with other line breaks between the digits than in the statement. The verdicts
// must not change.
func TestSudokuInAnyLineLayout(t *testing.T) {
	testkit.InMatrix(t)
	p, err := problem.Open(testproblem.Located(t, filepath.Join("..", "problems", "nwerc2006sudoku")))
	if err != nil {
		t.Fatal(err)
	}
	var cases []*problem.Case
	layouts := []struct {
		name           string
		inLine         int // number of digits
		between, after string
	}{
		{"the statement's", 9, "", "\n"},
		{"a line for a grid", 81, "", "\n"},
		{"a line for a pair", 162, "", "\n"},
		{"one line", 1 << 20, "", "\n"},
		{"one line without an end", 1 << 20, "", ""},
		{"a line for a digit", 1, "", "\n"},
		{"lines end within rows and grids", 7, "", "\n"},
		{"spaces between digits", 9, " ", "\n"},
		{"blank lines between rows", 9, "", "\n\n"},
		{"carriage returns", 9, "", "\r\n"},
	}
	samples := 0
	for _, c := range p.Cases {
		if !c.Sample() {
			continue
		}
		samples++
		input, err := fs.ReadFile(c.FS, c.Path(".in"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := fs.ReadFile(c.FS, c.Path(".ans"))
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(input))
		digits := strings.Join(words[1:], "")
		for _, l := range layouts {
			b := []byte(words[0] + "\n")
			for i := range len(digits) {
				b = append(b, digits[i])
				if i%l.inLine == l.inLine-1 || i == len(digits)-1 {
					b = append(b, l.after...)
				} else {
					b = append(b, l.between...)
				}
			}
			again := *c
			again.FS = fstest.MapFS{c.Path(".in"): {Data: b}, c.Path(".ans"): {Data: answer}}
			cases = append(cases, &again)
		}
	}
	if samples == 0 {
		t.Fatal("no samples")
	}

	j := &Judge{Settings: Settings{All: true}}
	defer j.Close()
	judged := 0
	for _, s := range p.Submissions {
		if _, err := j.Toolchain(t.Context(), s.Language.Code); err != nil {
			if os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "1" {
				t.Error(err)
			}
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			report := j.Run(t.Context(), s, cases)
			if err := report.JudgeError(); err != nil {
				t.Fatal(err)
			}
			got, want := make([]string, len(cases)), make([]string, len(cases))
			for i, run := range report.Runs {
				first := report.Runs[i/len(layouts)*len(layouts)]
				name := run.Case + ": " + layouts[i%len(layouts)].name + ": "
				got[i], want[i] = name+string(run.Verdict), name+string(first.Verdict)
				if strings.HasPrefix(s.Name, "accepted/") {
					want[i] = name + string(problem.Accepted)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
		})
		judged++
	}
	if judged == 0 {
		t.Skip("no language of the submissions is usable here")
	}
}
