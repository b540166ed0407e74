package report_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// longNames gives a measurement names that do not fit a table of 80 columns.
func longNames(d *record.Document) *record.Document {
	names := []string{"accepted/very_long_name_of_a_generator.cpp", "accepted/very_long_name_of_another_generator.cpp", "wrong_answer/forgets_the_last_of_many_cases.cpp",
		"time_limit_exceeded/backtracking_without_pruning.py", "time_limit_exceeded/backtracking_with_some_pruning.py", "wrong_answer/forgets_the_first_of_many_cases.cpp"}
	m := record.Of[*bench.Measurement](&d.Problems[0])
	for i := range m.Submissions {
		m.Submissions[i].Name = names[i]
	}
	return d
}

func TestLongNamesAreShortenedOnATerminal(t *testing.T) {
	band := bandOf(time.Second, "accepted/a = 100", "accepted/b = 300", "accepted/c = 320", "time_limit_exceeded/d = 1600", "time_limit_exceeded/e = 3000+")
	row := regexp.MustCompile(`(?m)^ .*…`)
	for name, d := range map[string]*record.Document{
		"scaling":    longNames(scaledDocument()),
		"limits":     longNames(&record.Document{Problems: []record.Problem{{ID: "sum", Sections: record.Sections{"measurement": band.Measurement, "band": band}}}}),
		"comparison": longNames(measuredDocument(20, four[:3], []float64{10, 200}, []float64{5, 90}, []float64{11, 300})),
	} {
		write := func(text report.Text) string {
			var b strings.Builder
			if err := text.Write(&b, d); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		for _, columns := range []int{80, 100} {
			narrow := write(report.Text{Writer: sheet.Writer, Columns: columns})
			for line := range strings.Lines(narrow) {
				if w := terminal.Width(strings.TrimSuffix(line, "\n")); w > columns {
					t.Errorf("%s: a line of %d columns, expected %d at most: %s", name, w, columns, line)
				}
			}
			if !strings.Contains(narrow, "--verbose") {
				t.Errorf("%s in %d columns does not say how to see all of the names:\n%s", name, columns, narrow)
			}
			full := write(report.Text{Writer: sheet.Writer, Columns: columns, Verbose: true})
			for _, s := range record.Of[*bench.Measurement](&d.Problems[0]).Submissions {
				if !strings.Contains(full, s.Name) {
					t.Errorf("%s: --verbose does not name %s", name, s.Name)
				}
			}
		}
		_, tables, _ := strings.Cut(write(report.Text{Writer: sheet.Writer}), "\n\n")
		if name != "limits" && row.MatchString(tables) { // the picture of limits has a fixed width, with cut names
			t.Errorf("%s: names are cut where there is no terminal:\n%s", name, tables)
		}
	}
}
