package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/record"
)

func TestTableIsReadable(t *testing.T) {
	text, err := os.ReadFile("differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseTable("differences.txt", string(text))
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if _, err := parseTable("f", "# a comment\n\na/b | - | part |\n"); err == nil || err.Error() != `f:3: expected PACKAGE | SUBMISSION | PART | REASON, found "a/b | - | part |"` {
		t.Errorf("a row without a reason: %v", err)
	}
}

func TestCompare(t *testing.T) {
	rows, err := parseTable("f", "p | - | no data | r\np | a.c | is TLE | r\np | b.c | ? WA | r\nq | c.c | RTE | r\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		found []difference
		want  []string
	}{
		{"all rows happen", []difference{{"-", "p/data: no data"}, {"a.c", "it is TLE"}, {"b.c", "WA"}}, nil},
		{"a row with ? may be missing", []difference{{"-", "no data"}, {"a.c", "is TLE"}}, nil},
		{"a difference without a row", []difference{{"-", "no data"}, {"a.c", "is TLE"}, {"c.c", "RTE"}}, []string{"not in the table: c.c: RTE"}},
		{"another difference than the row's", []difference{{"-", "no data"}, {"a.c", "is WA"}}, []string{"not in the table: a.c: is WA", "f:2: expected, and did not happen: a.c: is TLE"}},
		{"a row that does not happen", []difference{{"a.c", "is TLE"}}, []string{"f:1: expected, and did not happen: -: no data"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, compare("p", c.found, rows)); diff != "" {
				t.Errorf("compare (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	yes, no := true, false
	found, sum := outcome(&record.Problem{Reports: []*judge.Report{
		{Submission: "good.c", AsExpected: &yes},
		{Submission: "bad.c", AsExpected: &no, Broken: "permits AC, 1 is WA"},
		{Submission: "lost.c", Err: errors.New("no entry point")},
		{Submission: "ada.adb", Skipped: "ada is not installed"},
	}})
	if diff := cmp.Diff([]difference{{"bad.c", "permits AC, 1 is WA"}, {"lost.c", "judge error: no entry point"}}, found, cmp.AllowUnexported(difference{})); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if want := (tally{judged: 3, asExpected: 1, skipped: 1}); sum != want {
		t.Errorf("tally %+v, expected %+v", sum, want)
	}
}

func TestRelink(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"data/sample/1.in": "3 4\n", "data/secret/1.in": "../sample/1.in", "data/secret/2.in": "../sample/2.in", "data/secret/3.in": "../../../etc/passwd"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := relink(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"1.in": "3 4\n", "2.in": "../sample/2.in", "3.in": "../../../etc/passwd"} {
		got, err := os.ReadFile(filepath.Join(dir, "data", "secret", name))
		if string(got) != want || err != nil {
			t.Errorf("%s: %q, %v; expected %q", name, got, err, want)
		}
	}
}
