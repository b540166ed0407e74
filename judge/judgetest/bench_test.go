package judgetest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"crucible/judge/report/sheet"
)

// TestBenchLines runs go test -bench in another module, and reads its lines as
// benchstat and judge compare do.
func TestBenchLines(t *testing.T) {
	notRaced(t)
	m := newModule(t)
	m.write("packages/sum/data/secret/big-10.in", "1000 2000\n")
	m.write("packages/sum/data/secret/big-10.ans", "3000\n")
	m.write("packages/sum/submissions/accepted/wrong.go", strings.Replace(difference, "-", "*", 1))
	m.write("packages/sum/submissions/accepted/typo.go", "package main\n\nfunc main() { x }\n")
	out, ok := m.test("-run", "^$", "-bench", ".", "-benchtime", "1x", "-count", "2", ".")
	if ok {
		t.Errorf("a wrong answer in accepted/ fails no benchmark:\n%s", out)
	}

	var rows benchproc.ProjectionParser
	by, err := rows.Parse("/sol,/case", nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	lines := benchfmt.NewReader(strings.NewReader(out), "go test")
	for lines.Scan() {
		line, isResult := lines.Result().(*benchfmt.Result)
		if !isResult {
			t.Error(lines.Result())
			continue
		}
		counts[by.Project(line).String()]++
		for _, key := range []string{"goos", "goarch", "cores", "protection", "pinned"} {
			if line.GetConfig(key) == "" {
				t.Errorf("no configuration %q", key)
			}
		}
		for _, unit := range []string{"cpu-sec/op", "wall-sec/op", "peak-B"} {
			if v, ok := line.Value(unit); !ok || v <= 0 {
				t.Errorf("%s: %v %s", line.Name, v, unit)
			}
		}
		if v, ok := line.Value("sec/op"); ok {
			t.Errorf("%s: %v sec/op, which is the judge's time, too", line.Name, v)
		}
	}
	want := map[string]int{
		"/sol:accepted:sum.go /case:sample:1":       2,
		"/sol:accepted:sum.go /case:secret:big":     2,
		"/sol:accepted:sum.go /case:secret:big-10:": 2,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("lines by /sol and /case, -expected +got:\n%s\n%s", diff, out)
	}

	saved, err := sheet.ReadBenchfmt(strings.NewReader(out), "go test")
	if err != nil {
		t.Fatal(err)
	}
	told := make(map[string]string)
	for _, p := range saved.Programs {
		told[p.Name], _, _ = strings.Cut(p.Wrong+p.Unknown, ":")
		for _, c := range p.Cells {
			verdict, _, _ := strings.Cut(c.Wrong+c.Unknown, ":")
			told[p.Name+" "+c.Case] = verdict
		}
	}
	wantTold := map[string]string{
		"accepted/sum.go": "", "accepted/sum.go sample/1": "", "accepted/sum.go secret/big": "", "accepted/sum.go secret/big-10": "",
		"accepted/typo.go":  "CE",
		"accepted/wrong.go": "", "accepted/wrong.go sample/1": "WA", "accepted/wrong.go secret/big": "WA", "accepted/wrong.go secret/big-10": "WA",
	}
	if diff := cmp.Diff(wantTold, told); diff != "" {
		t.Errorf("results as a comparison reads them, -expected +got:\n%s\n%s", diff, out)
	}

	out, ok = m.test("-run", "^$", "-bench", "Problems/problem=sum/sol=accepted:sum.go/case=secret:big$", "-benchtime", "1x", "-v", ".")
	if !ok || strings.Count(out, "peak-B") != 1 || strings.Contains(out, "typo") {
		t.Errorf("-bench that names one case: expected its line alone:\n%s", out)
	}
}
