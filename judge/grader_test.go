package judge

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/result"
)

func TestGradeOutput(t *testing.T) {
	for _, c := range []struct {
		name, out string
		verdict   problem.Verdict
		score     float64
	}{
		{"a verdict and a score", "AC 1.5\n", problem.Accepted, 1.5},
		{"without an end of line", "WA 0", problem.WrongAnswer, 0},
		{"spaces around", "  TLE \t-3.  \r\n", problem.TimeLimit, -3},
		{"an exponent", "RTE 1e2\n", problem.RuntimeError, 100},
		{"nothing", "", "", 0},
		{"no score", "AC\n", "", 0},
		{"no verdict", "1.5\n", "", 0},
		{"a verdict of its own", "PE 1\n", "", 0},
		{"the judge's failure is not the grader's to tell", "JE 0\n", "", 0},
		{"two lines", "AC 1\nAC 1\n", "", 0},
		{"two scores", "AC 1 1\n", "", 0},
		{"on two lines", "AC\n1\n", "", 0},
		{"hexadecimal", "AC 0x10\n", "", 0},
		{"infinity", "AC inf\n", "", 0},
		{"no number", "AC nan\n", "", 0},
		{"beyond all numbers", "AC 1e9999\n", "", 0},
		{"a flood", "AC 1" + strings.Repeat(" ", maxGrade), "", 0},
		{"escapes", "\x1b[2JAC 1\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict, score, err := gradeOutput([]byte(c.out))
			if verdict != c.verdict || score != c.score || (err == nil) != (c.verdict != "") {
				t.Errorf("%q gives %q, %v, %v; want %q, %v", c.out, verdict, score, err, c.verdict, c.score)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("%q is told as it is: %v", c.out, err)
			}
		})
	}
}

func TestGradeInput(t *testing.T) {
	in := []result.Graded{{Verdict: problem.Accepted, Score: 1.5}, {Verdict: problem.MemoryLimit, Score: 0}, {Verdict: problem.OutputLimit, Score: 1e21}, {Verdict: problem.TimeLimit, Score: -0.25}}
	want := "AC 1.5\nRTE 0\nWA 1000000000000000000000\nTLE -0.25\n"
	if got := string(gradeInput(in)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGraderIsRun runs graders of packages, also hostile ones.
func TestGraderIsRun(t *testing.T) {
	testkit.Needs(t, "bash")
	for _, c := range []struct{ name, grader, want string }{
		{"says it all", `while read -r v s; do n=$((n + s)); done; echo "AC $((n * 2)) "`, "6/10 AC"},
		{"has its flags", `[ "$*" = "min max" ] && echo AC 1 || echo WA 0`, "1/10 AC"},
		{"may reject", "cat >/dev/null; echo TLE 3", "?/10 TLE"},
		{"need not read", "echo AC 4", "4/10 AC"},
		{"fails", "echo no >&2; exit 1", "? ? exit status 1, expected 0: no"},
		{"says nothing", "cat >/dev/null", `? ? wrote "": expected one line`},
		{"says too much", "echo AC 1; echo AC 1", "? ? wrote"},
		{"floods", "yes AC 1", "? ? went beyond its"},
		{"never ends", "while :; do :; done", "? ? went beyond its"},
		{"is out of its range", "echo AC 11", "? ? the score 11 of data lies outside of its range 0 to 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := fstest.MapFS{
				"problem.yaml":              {Data: []byte("name: Graded\ntype: scoring\nlimits: {validation_time: 1, validation_output: 1}\n")},
				".timelimit":                {Data: []byte("1\n")},
				"data/testdata.yaml":        {Data: []byte("{grading: custom, grader_flags: min max, range: 0 10}\n")},
				"data/secret/testdata.yaml": {Data: []byte("{grading: default, grader_flags: sum, on_reject: continue}\n")},
				"graders/grade.sh":          {Data: []byte(c.grader + "\n")},
				"submissions/accepted/a.sh": {Data: []byte("cat\n")},
			}
			for i := range 3 {
				m[fmt.Sprintf("data/secret/%d.in", i)] = &fstest.MapFile{Data: []byte("x\n")}
				m[fmt.Sprintf("data/secret/%d.ans", i)] = &fstest.MapFile{Data: []byte("x\n")}
			}
			p, err := problem.Open(m)
			if err != nil {
				t.Fatal(err)
			}
			j := &Judge{Jobs: 2, Cache: t.TempDir()}
			defer j.Close()
			r := j.Run(t.Context(), p.Submissions[0], p.Cases)
			got := testkit.Score(r.Score, r.MaxScore) + " " + string(cmp.Or(r.Verdict, "?"))
			if err := r.JudgeError(); err != nil {
				got += " " + err.Error()
			}
			verdict, why, _ := strings.Cut(c.want, "? ? ")
			if !strings.HasPrefix(got, verdict) || !strings.Contains(got, why) || (r.JudgeError() != nil) != (why != "") {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
