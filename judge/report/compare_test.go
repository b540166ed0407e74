package report_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
)

// against returns a comparison of stored runs with every possible result.
func against() *bench.RunComparison {
	cell := func(name string, factor float64, n int) bench.StoredCell {
		c := bench.StoredCell{Case: name}
		for i := range n {
			// deterministic noise of up to 0.1 %, without a trend
			noise := 1 + 0.0002*float64((i*7)%11-5)
			c.Add(i, map[bench.Metric]float64{bench.ByCPU: 0.02 * factor * noise, bench.ByWall: 0.021 * factor * noise, bench.ByMemory: 3 << 20})
		}
		return c
	}
	program := func(name, source string, cells ...bench.StoredCell) bench.StoredProgram {
		return bench.StoredProgram{Problem: "sum", Name: name, Language: "cpp", Source: source, Cells: cells}
	}
	machine := func(kernel string) []record.Fact {
		m := record.Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Kernel: kernel, Protection: "box", Pinned: true}
		return m.Facts()
	}
	wrong := func(name, why string) bench.StoredCell { return bench.StoredCell{Case: name, Wrong: why} }
	old := &bench.StoredRun{Name: "old.json", Machine: machine("6.1"), Setting: []record.Fact{{Name: "toolchain of cpp", Value: "g++ 14"}}, Programs: []bench.StoredProgram{
		program("accepted/same.cpp", "1", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		program("accepted/slower.cpp", "2", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		program("accepted/faster.cpp", "3", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		program("accepted/few.cpp", "4", cell("secret/1", 1, 4), cell("secret/2", 2, 4)),
		program("accepted/wrong.cpp", "5", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		program("accepted/right.cpp", "6", cell("secret/1", 1, 30), wrong("secret/2", "WA: line 1")),
		program("accepted/typo.cpp", "7", cell("secret/1", 1, 30)),
		program("accepted/"+evil, "8", cell("secret/1", 1, 30), cell(evil, 1, 30)),
		program("accepted/gone.cpp", "9", cell("secret/1", 1, 30)),
		program("wrong_answer/hasty.cpp", "10", cell("secret/1", 1, 30), wrong("secret/2", "WA: line 2")),
	}}
	new := &bench.StoredRun{Name: evil, Machine: machine("6.2"), Setting: []record.Fact{{Name: "toolchain of cpp", Value: "g++ 15"}}, Doubts: []string{"load: " + evil}, Programs: []bench.StoredProgram{
		program("accepted/same.cpp", "1", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		program("accepted/slower.cpp", "2b", cell("secret/1", 1.3, 30), cell("secret/2", 2, 20)),
		program("accepted/faster.cpp", "3b", cell("secret/1", 0.5, 30), cell("secret/2", 1, 30)),
		program("accepted/few.cpp", "4b", cell("secret/1", 1, 4), cell("secret/2", 2, 4)),
		program("accepted/wrong.cpp", "5b", cell("secret/1", 1, 30), wrong("secret/2", "WA: "+evil)),
		program("accepted/right.cpp", "6b", cell("secret/1", 1, 30), cell("secret/2", 2, 30)),
		{Problem: "sum", Name: "accepted/typo.cpp", Wrong: "CE: " + evil},
		program("accepted/"+evil, "8b", cell("secret/1", 2, 30), cell(evil, 2, 30)),
		program("wrong_answer/hasty.cpp", "10", cell("secret/1", 1, 30), wrong("secret/2", "WA: line 2")),
		program("accepted/new.cpp", "11", cell("secret/1", 1, 30)),
	}}
	a, err := bench.RunComparisonOf(old, new, bench.Criterion{Threshold: 0.05})
	if err != nil {
		panic(err)
	}
	return a
}

func TestAgainstInEveryFormat(t *testing.T) {
	for _, f := range formats {
		if f.Name == "benchfmt" || f.Name == "csv" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Write(&b, &record.Document{Against: against()}); err != nil {
				t.Fatal(err)
			}
			golden(t, "against"+f.Ext, b.Bytes())
			if i := bytes.IndexFunc(b.Bytes(), func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
				t.Errorf("control character %q at byte %d", b.Bytes()[i], i)
			}
		})
	}
}

func TestAgainstIsNoBenchmark(t *testing.T) {
	if err := sheet.Writer.WriteBenchfmt(new(bytes.Buffer), &record.Document{Against: against()}); err == nil {
		t.Error("a comparison is written as benchmark lines, of which it has none")
	}
}

func TestAgainstSummary(t *testing.T) {
	want := "regressions in 4 of 9 submissions; 3 comparisons faster, 7 held, 3 open (too few runs, or too noisy, to rule out 5 %), 1 not compared"
	if got := sheet.RunComparisonSummary(against()); got != want {
		t.Errorf("summary %q, expected %q", got, want)
	}
}

func TestJUnitOfAComparisonTellsItsDoubts(t *testing.T) {
	a := against()
	a.Doubts = append(a.Doubts, stat.Doubt{Kind: "load", Text: "OLD: " + report.CutShort})
	for _, s := range suites(t, sheet.Writer, &record.Document{Against: a}).Suites[:len(a.Programs)] {
		if !strings.Contains(s.SystemErr, "OLD: "+report.CutShort) || !strings.Contains(s.SystemErr, "kernel was 6.1, is 6.2") {
			t.Errorf("%s: system-err %q, expected all doubts", s.Name, s.SystemErr)
		}
	}
}
