package report

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// Annotations name files below the working folder, and positions in them.
func TestGithubNamesFiles(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"problems/sum/problem.yaml":       "name: a\n",
		"solutions/sum/accepted/a,b.cpp":  "x\n",
		"testdata/sum/secret/1.in":        "1\n",
		"whole/problem.yaml":              "name: b\n",
		"whole/submissions/accepted/a.py": "x\n",
	} {
		name = filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	no := false
	d := &record.Document{Problems: []record.Problem{
		{ID: "sum", Path: "problems/sum", Reports: []*judge.Report{{
			Submission: "accepted/a,b.cpp", Verdict: problem.CompileError, AsExpected: &no, Broken: "accepted permits AC",
			Compile: build.Compile{Exit: 1, Message: "a,b.cpp:12:5: error: 100%\nb.cpp:1: no"},
		}}},
		{ID: "whole", Path: "whole", Reports: []*judge.Report{{
			Submission: "accepted/a.py", Verdict: problem.WrongAnswer, AsExpected: &no, Broken: "accepted permits AC", BrokenBy: "secret/1",
			Runs: []judge.Run{{Case: "secret/1", Verdict: problem.WrongAnswer, Why: "no"}},
		}}},
		{ID: "yaml", Path: "whole", Err: &problem.Defect{File: "whole/problem.yaml", Line: 3, Column: 2, Msg: "unknown key"}},
		{ID: "gone", Path: "nowhere", Err: errors.New("no such file")},
		{ID: "outside", Path: "/", Err: errors.New("closed")},
	}}
	var b bytes.Buffer
	if err := WriteGithub(&b, d); err != nil {
		t.Fatal(err)
	}
	const want = `::error file=solutions/sum/accepted/a%2Cb.cpp,line=12,col=5,title=sum/accepted/a%2Cb.cpp::accepted permits AC%0A| a,b.cpp:12:5: error: 100%25%0A| b.cpp:1: no
::error file=whole/submissions/accepted/a.py,title=whole/accepted/a.py on secret/1::WA: no%0Aaccepted permits AC
::error file=whole/problem.yaml,line=3,col=2,title=yaml::cannot be opened%0Awhole/problem.yaml:3:2: unknown key
::error title=gone::cannot be opened%0Ano such file
::error title=outside::cannot be opened%0Aclosed
::notice title=judge::0 submissions as expected, 2 not, 3 problems not opened, 1 run
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-expected +got:\n%s", diff)
	}
}
