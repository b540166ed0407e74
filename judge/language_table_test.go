package judge

import (
	"sync"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/problem"
)

// TestTwoTables judges one file with two judges of one process at the same time, which
// have different languages for its extension and that of the output validator. For a judge
// with the built-in table it is in no language.
func TestTwoTables(t *testing.T) {
	testkit.NeedsShell(t)
	testkit.Needs(t, "env")
	files := testkit.Pack("-- data/secret/1-a.in --\n1 2\n-- data/secret/1-a.ans --\n3\n-- data/secret/1.in --\nabsent\n" +
		"-- data/secret/1.ans --\nabsent\n-- data/secret/sub/x.in --\nabsent\n-- data/secret/sub/x.ans --\nabsent\n" +
		"-- submissions/accepted/a.py --\nabsent\n-- submissions/wrong_answer/b.go --\nabsent\n" +
		"-- submissions/accepted/a.sum --\nread a b\necho $((a + b + MORE))\n" +
		"-- output_validator/v.sum --\nread x\nif [ $x = $((3 + MORE)) ]; then exit $((42 + MORE)); fi\nexit 1\n")
	tests := []struct {
		run  string
		want problem.Verdict
	}{
		{"['{runtime}', MORE=0, sh, '{entry}']", problem.Accepted},
		{"['{runtime}', MORE=1, sh, '{entry}']", problem.WrongAnswer},
	}
	var wg sync.WaitGroup
	for _, c := range tests {
		text := "sum: {extensions: .sum, runtime: env, run: " + c.run + ", hello: 'echo hello'}"
		table, err := language.Builtin.Customize("languages.yaml", []byte(text), false)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			p, err := problem.Open(files, problem.WithLanguages(table))
			if err != nil {
				t.Error(err)
				return
			}
			j := &Judge{Languages: table, Cache: testkit.Cache(t)}
			defer j.Close()
			for _, r := range j.RunAll(t.Context(), p.Submissions, p.Cases) {
				if got := r.Verdict; got != c.want {
					t.Errorf("%s: %v, expected %v: %v", c.run, got, c.want, r.JudgeError())
				}
			}
		})
	}
	wg.Wait()
	p, err := problem.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Submissions) != 1 || p.Submissions[0].Unusable == "" {
		t.Errorf("the built-in table has a language for .sum")
	}
}
