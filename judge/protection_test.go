package judge

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A protected Runner reports a level, and records the working folders of
// submissions and the files in them.
type protected struct {
	testproblem.Scripted
	has  sandbox.Protection
	dirs []string
	held []string
}

func (p *protected) Protection() sandbox.Protection { return p.has }

func (p *protected) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	if c.Stdin != nil {
		var names []string
		entries, err := os.ReadDir(c.Dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if err != nil {
			return sandbox.Outcome{}, err
		}
		p.dirs, p.held = append(p.dirs, c.Dir), append(p.held, strings.Join(names, " "))
	}
	return p.Scripted.Run(ctx, c)
}

func TestTooLittleProtection(t *testing.T) {
	p, s := testproblem.ScriptedProblem(t, "accepted", "AC")
	for _, c := range []struct {
		least, has sandbox.Level
		err        string
	}{
		{0, sandbox.Process, ""},
		{sandbox.UserBox, sandbox.RootBox, ""},
		{sandbox.UserBox, sandbox.UserBox, ""},
		{sandbox.UserBox, sandbox.Guarded, `expected at least the sandbox level "user box", this machine has only "guarded": no namespaces; to raise it: sysctl x`},
		{sandbox.Guarded, sandbox.Process, `expected at least the sandbox level "guarded", this machine has only "process"`},
	} {
		runner := &protected{has: sandbox.Protection{Level: c.has, Why: "no namespaces", Raise: "sysctl x"}}
		j := &Judge{Runner: runner, Least: c.least, Jobs: 1, Cache: t.TempDir()}
		r := j.Run(t.Context(), s, p.Cases)
		if c.err == "" {
			if r.JudgeError() != nil || r.Verdict != problem.Accepted {
				t.Errorf("least %v, has %v: %v", c.least, c.has, r.JudgeError())
			}
		} else if err := r.JudgeError(); err == nil || !strings.Contains(err.Error(), c.err) || runner.Runs.Load() > 0 {
			t.Errorf("least %v, has %v: %v after %d runs; want %s and none", c.least, c.has, err, runner.Runs.Load(), c.err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWorkplacesOfABox checks that a working folder, which cannot change in a
// box, is used again unchecked, but not after a case that has files of its own.
func TestWorkplacesOfABox(t *testing.T) {
	testkit.Needs(t, "bash")
	p, err := problem.Open(testkit.Pack(`-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/a.sh --
true
-- data/secret/1.files/own.txt --
of this case
-- data/secret/1-a.ans --
right
-- data/secret/1.ans --
right
-- data/secret/sub/x.ans --
right
-- data/sample/1.ans --
right
`))
	if err != nil {
		t.Fatal(err)
	}
	runner := &protected{has: sandbox.Protection{Level: sandbox.RootBox}}
	j := &Judge{Runner: runner, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	if r := j.Run(t.Context(), p.Submissions[0], p.Cases); r.JudgeError() != nil || r.Verdict != problem.Accepted {
		t.Fatal(r.Verdict, r.JudgeError())
	}
	if diff := cmp.Diff([]string{"a.sh", "a.sh own.txt", "a.sh", "a.sh"}, runner.held); diff != "" {
		t.Errorf("the working folders held (-want +got):\n%s", diff)
	}
	if d := runner.dirs; d[0] != d[1] || d[1] == d[2] || d[2] != d[3] {
		t.Errorf("working folders %v; want one until a case brings files, then another", d)
	}
}
