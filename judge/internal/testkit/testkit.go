package testkit

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// NeedsBox skips the test on machines without full boxes. With
// CRUCIBLE_SANDBOX=require it fails the test instead.
func NeedsBox(t *testing.T) {
	t.Helper()
	var s sandbox.Sandbox
	defer s.Close()
	if p := s.Protection(); !p.Level.Full() {
		if os.Getenv("CRUCIBLE_SANDBOX") == "require" {
			t.Fatal(p.Why)
		}
		t.Skipf("the sandbox is only %v: %s", p.Level, p.Why)
	}
}

// InOneGoroutine skips a test under the race detector. It is for tests that compute
// for seconds in one goroutine, such as opening packages and making mutants: the
// detector can find nothing there.
func InOneGoroutine(t testing.TB) {
	t.Helper()
	if Raced {
		t.Skip("the code under test is run by one goroutine")
	}
}

// Linked makes a repository of two problems and returns its folder. A generator
// of the second problem has links to a file of the first problem, to a file
// beside problems/, and to a file outside the repository. Without symbolic links,
// Linked skips the test.
func Linked(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	Lay(t, root, fstest.MapFS{
		"README":                           {Data: []byte("not of a problem")},
		"problems/a/problem.yaml":          {Data: []byte("name: a\n")},
		"problems/a/generators/g/core.py":  {Data: []byte("shared = 1\n")},
		"problems/b/problem.yaml":          {Data: []byte("name: b\n")},
		"problems/b/generators/g/main.py":  {Data: []byte("import core\n")},
		"testdata/b/secret/1.in":           {Data: []byte("1\n")},
		"solutions/b/accepted/identity.py": {Data: []byte("print(input())\n")},
	})
	for name, to := range map[string]string{
		"core.py":   "../../../a/generators/g/core.py",
		"readme.py": "../../../../README",
		"passwd.py": "/etc/passwd",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(root, "problems", "b", "generators", "g",
			name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	return root
}

// good is a package without defects. Tests change it.
const good = `
-- problem.yaml --
problem_format_version: 2025-09
name: Sum
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
limits:
  time_limit: 2.0
  memory: 64
-- data/sample/1.in --
1 2
-- data/sample/1.ans --
3
-- data/secret/1-a.in --
-- data/secret/1-a.ans --
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/sub/x.in --
-- data/secret/sub/x.ans --
-- submissions/accepted/a.py --
-- submissions/wrong_answer/b.go --
`

// Pack returns the good package with changes, which are a txtar archive. A file
// with the text "absent" is removed; other files are added or replaced.
func Pack(changes string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, archive := range []string{good, changes} {
		for _, f := range txtar.Parse([]byte(archive)).Files {
			if string(f.Data) == "absent\n" {
				delete(m, f.Name)
				continue
			}
			m[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return m
}

// Lay writes files into a real folder.
func Lay(t *testing.T, dir string, files fs.FS) {
	t.Helper()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
}

// A Witness is a sandbox that records the command of each program, by the name of
// the first file in its working folder. It is safe for concurrent use.
type Witness struct {
	sandbox.Sandbox
	mu   sync.Mutex
	Seen map[string][]sandbox.Cmd // commands in order, by the name of the program; read it only when no program runs
}

// Run records the command and runs it.
func (w *Witness) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	who := "nobody"
	if entries, err := os.ReadDir(c.Dir); err == nil && len(entries) > 0 {
		who = entries[0].Name()
	}
	// An output validator works in a folder with the files of a submission.
	for _, arg := range c.Args {
		if name := filepath.Base(arg); filepath.IsAbs(arg) && filepath.Base(filepath.Dir(arg)) == "src" &&
			filepath.Ext(name) == ".sh" {
			who = name
		}
	}
	if strings.Contains(c.Dir, ".building-") && !strings.Contains(c.Dir, "-hello-") {
		who = "build " + who
	}
	w.mu.Lock()
	if w.Seen == nil {
		w.Seen = make(map[string][]sandbox.Cmd)
	}
	w.Seen[who] = append(w.Seen[who], c)
	w.mu.Unlock()
	return w.Sandbox.Run(ctx, c)
}

// Last returns the command of the last run of a program. It fails the test if the
// program was not run.
func (w *Witness) Last(t *testing.T, who string) sandbox.Cmd {
	t.Helper()
	all := w.Seen[who]
	if len(all) == 0 {
		t.Fatalf("no %s was run; those that were: %v", who, slices.Sorted(maps.Keys(w.Seen)))
	}
	return all[len(all)-1]
}

// EveryProgram is a change for [Pack] after which the package has a submission,
// an input validator, an output validator and a generator. All are shell scripts.
const EveryProgram = `-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/answers.sh --
read -r a b
echo $((a + b))
-- input_validators/format.sh --
exit 42
-- output_validator/checks.sh --
exit 42
-- generators/makes.sh --
echo 1 2 > testcase.in
-- generators/generators.yaml --
solution: /submissions/accepted/answers.sh
data:
  sample:
    data:
      '1':
        generate: makes.sh
  secret:
    data: {}
`

// Needs skips the test if the tool is not in the path.
func Needs(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip(err)
	}
}

// NeedsShell skips the test if shell scripts cannot be run as programs.
func NeedsShell(t *testing.T) {
	t.Helper()
	Needs(t, "bash")
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
}

// Score writes a score and its maximum: "60/100", "60" without a maximum, "?" if the score
// is not known.
func Score(score, most *float64) string {
	text := "?"
	if score != nil {
		text = terminal.Score(*score)
	}
	if most != nil {
		text += "/" + terminal.Score(*most)
	}
	return text
}
