package report

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge/record"
	"crucible/judge/terminal"
)

func TestShortenedNamesStayApart(t *testing.T) {
	tests := []struct {
		name  string
		names []string
		most  int
		want  []string // nil if they would look alike
	}{
		{"what fits stays", []string{"accepted/a.go", "accepted/b.go"}, 13, []string{"accepted/a.go", "accepted/b.go"}},
		{"both ends are kept", []string{"accepted/very_long_generator.cpp"}, 24, []string{"accepted/very_l…ator.cpp"}},
		{"what differs in the middle is cut elsewhere", []string{"accepted/dancing_links_of_a_generator.cpp", "accepted/dancing_links_of_my_generator.cpp"}, 24,
			[]string{"accepte…_a_generator.cpp", "accepte…my_generator.cpp"}},
		{"or at the start", []string{"accepted/dlx_in_a_generator.cpp", "accepted/dlx_in_the_generator.cpp"}, 20, []string{"…_in_a_generator.cpp", "…n_the_generator.cpp"}},
		{"one name stands twice", []string{"accepted/very_long_generator.cpp", "accepted/very_long_generator.cpp"}, 20, []string{"accepted/ver…tor.cpp", "accepted/ver…tor.cpp"}},
		{"wide letters", []string{"accepted/舞蹈链舞蹈链舞蹈链.cpp"}, 20, []string{"accepted/舞…蹈链.cpp"}},
		{"nothing helps", []string{strings.Repeat("x", 30) + "a" + strings.Repeat("x", 30), strings.Repeat("x", 30) + "b" + strings.Repeat("x", 30)}, 20, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := shortened(tt.names, tt.most)
			if (got == nil) != (tt.want == nil) {
				t.Fatalf("shortened to %q, want %q", got, tt.want)
			}
			for i, want := range tt.want {
				if short := got[tt.names[i]]; short != want || terminal.Width(short) > tt.most {
					t.Errorf("%q is shortened to %q, want %q", tt.names[i], short, want)
				}
			}
		})
	}
}

// longNames gives a measurement names that no table of 80 columns has room for.
func longNames(d *record.Document) *record.Document {
	names := []string{"accepted/very_long_name_of_a_generator.cpp", "accepted/very_long_name_of_another_generator.cpp", "wrong_answer/forgets_the_last_of_many_cases.cpp",
		"time_limit_exceeded/backtracking_without_pruning.py", "time_limit_exceeded/backtracking_with_some_pruning.py", "wrong_answer/forgets_the_first_of_many_cases.cpp"}
	m := d.Problems[0].Measurement
	for i := range m.Submissions {
		m.Submissions[i].Name = names[i]
	}
	return d
}

func TestLongNamesAreShortenedOnATerminal(t *testing.T) {
	row := regexp.MustCompile(`(?m)^ .*…`)
	for name, d := range map[string]*record.Document{
		"scaling":    longNames(scaledDocument()),
		"limits":     longNames(&record.Document{Problems: []record.Problem{{ID: "sum", Band: bandOf(time.Second, "accepted/a = 100", "accepted/b = 300", "accepted/c = 320", "time_limit_exceeded/d = 1600", "time_limit_exceeded/e = 3000+")}}}),
		"comparison": longNames(measuredDocument(20, four[:3], []float64{10, 200}, []float64{5, 90}, []float64{11, 300})),
	} {
		write := func(text Text) string {
			var b strings.Builder
			if err := text.Write(&b, d); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		for _, columns := range []int{80, 100} {
			narrow := write(Text{Columns: columns})
			for line := range strings.Lines(narrow) {
				if w := terminal.Width(strings.TrimSuffix(line, "\n")); w > columns {
					t.Errorf("%s: a line of %d columns, want %d at most: %s", name, w, columns, line)
				}
			}
			if !strings.Contains(narrow, "--verbose") {
				t.Errorf("%s in %d columns does not say how to see all of the names:\n%s", name, columns, narrow)
			}
			full := write(Text{Columns: columns, Verbose: true})
			for _, s := range d.Problems[0].Measurement.Submissions {
				if !strings.Contains(full, s.Name) {
					t.Errorf("%s: --verbose does not name %s", name, s.Name)
				}
			}
		}
		_, tables, _ := strings.Cut(write(Text{}), "\n\n")
		if name != "limits" && row.MatchString(tables) { // whose picture is as wide as it is
			t.Errorf("%s: names are cut where there is no terminal:\n%s", name, tables)
		}
	}
}

func TestNumbersKeepTheirUnits(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"it was busy for 80 % of the time", "it was busy for|80 % of the|time"},
		{"which takes about 11.2 s, too", "which takes|about 11.2 s,|too"},
		{"the limit of 64 MiB is far", "the limit of|64 MiB is far"},
		{"there were 12345 submissions", "there were|12345|submissions"},
	} {
		if got := strings.Join(wrapped(tt.text, 15), "|"); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
