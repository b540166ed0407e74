package judgetest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"crucible/judge/internal/testkit"
)

// other is a module outside this repository that judges its own package.
const other = `
-- go.mod --
module example.com/contest

go 1.26

require crucible v0.0.0

replace crucible => {{crucible}}
-- contest_test.go --
package contest

import (
	"testing"

	"crucible/judge/judgetest"
)

func TestProblems(t *testing.T) { judgetest.RunAll(t, "packages") }

func BenchmarkProblems(b *testing.B) { judgetest.Bench(b, "packages") }
-- packages/sum/problem.yaml --
problem_format_version: 2025-09
name: Sum
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
limits: {time_limit: 10}
-- packages/sum/data/sample/1.in --
1 2
-- packages/sum/data/sample/1.ans --
3
-- packages/sum/data/secret/big.in --
100 200
-- packages/sum/data/secret/big.ans --
300
-- packages/sum/submissions/accepted/sum.go --
//go:build ignore

package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a + b)
}
-- packages/sum/submissions/wrong_answer/difference.go --
//go:build ignore

package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a - b)
}
-- packages/sum/submissions/accepted/odd.zzz --
no language has this extension
`

// A module is a second module in a temporary folder.
type module struct {
	t   *testing.T
	dir string
	env []string
}

func newModule(t *testing.T) *module {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a second module")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command:", err)
	}
	ours, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t: t, dir: t.TempDir()}
	for _, f := range txtar.Parse([]byte(strings.ReplaceAll(other, "{{crucible}}", ours))).Files {
		m.write(f.Name, string(f.Data))
	}
	// The checksums and versions are those of this module, so that nothing is
	// downloaded.
	sums, err := os.ReadFile(filepath.Join(ours, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.sum", string(sums))
	m.env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CRUCIBLE_REQUIRE_LANGUAGES=")
	return m
}

// write writes a file with a modification time that is old enough for go test to
// cache.
func (m *module) write(name, text string) {
	m.t.Helper()
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
	m.old(name)
}

// old sets back the times of a file and its folders: go test does not cache a
// result that depends on files that changed within the last two seconds.
func (m *module) old(name string) {
	m.t.Helper()
	then := time.Now().Add(-time.Hour)
	for at := name; strings.HasPrefix(at, m.dir); at = filepath.Dir(at) {
		if err := os.Chtimes(at, then, then); err != nil {
			m.t.Fatal(err)
		}
	}
}

// test runs go test with the arguments and returns what it printed.
func (m *module) test(args ...string) (out string, ok bool) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "go", append([]string{"test"}, args...)...)
	cmd.Dir, cmd.Env = m.dir, m.env
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	return b.String(), err == nil
}

// notRaced skips a test under the race detector. It is for tests whose work is
// done in a go command of their own, which is built without the detector, so the
// test would be the same twice.
func notRaced(t *testing.T) {
	if testkit.Raced {
		t.Skip("the race detector does not see into another go test")
	}
}

func TestFromAnotherModule(t *testing.T) {
	testkit.InMatrix(t)
	notRaced(t)
	m := newModule(t)
	out, ok := m.test("-count=1", "-v", ".")
	if !ok {
		t.Fatal(out)
	}
	for _, want := range []string{
		"--- PASS: TestProblems/sum/accepted/sum.go/sample/1",
		"--- PASS: TestProblems/sum/accepted/sum.go/secret/big",
		"--- PASS: TestProblems/sum/wrong_answer/difference.go",
		"--- SKIP: TestProblems/sum/accepted/odd.zzz",
		`no language of this judge has the extension ".zzz"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}

	out, ok = m.test("-count=1", "-v", "-short", "-run", "TestProblems/sum/accepted/sum.go", ".")
	if !ok || strings.Contains(out, "secret") || strings.Contains(out, "difference") || !strings.Contains(out, "sample/1") {
		t.Errorf("-short -run: expected the sample of sum.go alone:\n%s", out)
	}

	m.write("packages/sum/submissions/accepted/wrong.go", strings.Replace(difference, "-", "*", 1))
	out, ok = m.test("-count=1", ".")
	if ok || !strings.Contains(out, "accepted/wrong.go/sample/1") || !strings.Contains(out, `got "2", expected "3"`) {
		t.Errorf("a wrong answer in accepted/: expected a failure that says what differs:\n%s", out)
	}
}

const difference = `//go:build ignore

package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a - b)
}
`

// TestNoStalePass changes the files that a pass depends on, one at a time. Each
// time go test must not return the cached pass.
func TestNoStalePass(t *testing.T) {
	testkit.InMatrix(t)
	notRaced(t)
	m := newModule(t)
	cached := func() bool {
		out, ok := m.test(".")
		if !ok {
			t.Fatal(out)
		}
		return strings.Contains(out, "(cached)")
	}
	// The first runs fill the toolchain's part of the cache.
	cached()
	if !cached() {
		t.Fatal("an unchanged package is not cached, so this test would prove nothing")
	}
	for _, c := range []struct{ name, file, broken string }{
		{"a changed input", "packages/sum/data/secret/big.in", "100 201\n"},
		{"a changed answer", "packages/sum/data/secret/big.ans", "301\n"},
		{"a changed source", "packages/sum/submissions/accepted/sum.go", difference},
		{"a changed expectation", "packages/sum/submissions/submissions.yaml", "accepted: {required: [WA]}\n"},
		{"a changed problem.yaml", "packages/sum/problem.yaml", "limits: fast\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(m.dir, filepath.FromSlash(c.file))
			before, err := os.ReadFile(name)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			m.write(c.file, c.broken)
			if out, ok := m.test("."); ok {
				t.Errorf("passes all the same:\n%s", out)
			}
			if before == nil {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				m.old(filepath.Dir(name))
				return
			}
			m.write(c.file, string(before))
		})
	}
}

// TestSmallImports checks that a test that imports this package has no plots, no
// HTML and no statistics in its binary.
func TestSmallImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "crucible/judge/terminal") {
		t.Fatalf("go list -deps does not list crucible/judge/terminal:\n%s", out)
	}
	for _, name := range packages {
		for _, forbidden := range []string{"crucible/judge/report", "crucible/judge/measure/bench", "crucible/judge/measure/stat", "html/template", "gonum.org", "golang.org/x/perf", "encoding/xml"} {
			if name == forbidden || strings.HasPrefix(name, forbidden+"/") {
				t.Errorf("imports %s", name)
			}
		}
	}
}

// TestStoredRuns checks when go test makes a run that it has made before.
func TestStoredRuns(t *testing.T) {
	notRaced(t)
	testkit.NeedsBox(t)
	m := newModule(t)
	m.env = append(m.env, "CRUCIBLE_CACHE="+t.TempDir())
	for _, c := range []struct {
		name   string
		flags  []string
		env    string
		stored bool
		matrix bool
	}{
		{"the first time", nil, "", false, false},
		{"the second time", nil, "", true, false},
		{"with -count", []string{"-count=1"}, "", false, false},
		{"for coverage", []string{"-cover"}, "", false, true},
		{"with CRUCIBLE_FRESH", nil, "CRUCIBLE_FRESH=1", false, true},
		{"the last time", nil, "", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.matrix {
				testkit.InMatrix(t)
			}
			// A new case, so that go test itself has no cached pass.
			m.write("packages/sum/data/secret/"+strings.ReplaceAll(c.name, " ", "-")+".in", "1 2\n")
			m.write("packages/sum/data/secret/"+strings.ReplaceAll(c.name, " ", "-")+".ans", "3\n")
			of := *m
			of.env = append(slices.Clone(m.env), c.env)
			out, ok := of.test(append([]string{"-v", "-run", "TestProblems/sum/accepted/sum.go"}, append(c.flags, ".")...)...)
			_, big, found := strings.Cut(out, "=== RUN   TestProblems/sum/accepted/sum.go/secret/big\n")
			line, _, _ := strings.Cut(big, "\n")
			if !ok || !found || strings.Contains(line, "stored") != c.stored {
				t.Errorf("expected secret/big to be stored: %t; got %q in\n%s", c.stored, line, out)
			}
		})
	}
}

func TestLanguagesOfTheRepository(t *testing.T) {
	notRaced(t)
	testkit.Needs(t, "bash")
	m := newModule(t)
	m.write(".git/HEAD", "")
	m.write("packages/sum/submissions/accepted/odd.zzz", "read a b; echo $((a + b))\n")
	m.write("languages.yaml", "zzz: {extensions: .zzz, runtime: bash, run: '{runtime} {entry}', hello: echo hello}\n")
	out, ok := m.test("-v", "-run", "TestProblems/sum/accepted/odd.zzz", ".")
	if want := "--- PASS: TestProblems/sum/accepted/odd.zzz/secret/big"; !ok || !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
	// A pass depends on the file.
	m.write("languages.yaml", "zzz: {}\n")
	out, ok = m.test("-v", "-run", "TestProblems/sum/accepted/odd.zzz", ".")
	if want := "languages.yaml:1:1: language zzz: expected the property extensions"; ok || !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
}
