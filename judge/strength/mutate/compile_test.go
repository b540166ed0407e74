package mutate

import (
	"flag"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
)

var (
	compiled = flag.Int("compile", 0, "compile this many mutants of each language and report the share that compiles")
	corpora  = flag.String("corpora", "../../../../../shared/corpora", "packages of other people, of which mutants are compiled too")
)

// submissions returns the accepted submissions of one file below a folder, by language.
func submissions(t *testing.T, dir string) map[string][]string {
	found := make(map[string][]string)
	filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Base(filepath.Dir(name)) != "accepted" {
			return nil
		}
		if l, _ := language.Builtin.Of([]string{name}); l != nil && Supports(l) {
			found[l.Code] = append(found[l.Code], name)
		}
		return nil
	})
	return found
}

// mutantsOf returns the mutants of a file. A file that cannot be read has none.
func mutantsOf(t *testing.T, name string) []*Mutant {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := language.Builtin.Of([]string{name})
	all, err := Mutants(l, map[string][]byte{filepath.Base(name): text})
	if err != nil {
		t.Logf("%s: %v", name, err)
	}
	return all
}

// TestAccepted makes all mutants of all accepted submissions and reports the rate. A
// mutant in Go has correct syntax.
func TestAccepted(t *testing.T) {
	testkit.InOneGoroutine(t)
	for code, files := range submissions(t, "../../../solutions") {
		count, taken := 0, time.Duration(0)
		for _, name := range files {
			start := time.Now()
			all := mutantsOf(t, name)
			taken += time.Since(start)
			if len(all) < 20 {
				t.Errorf("%s has %d mutants, expected at least 20", name, len(all))
			}
			count += len(all)
			if code == "go" {
				checkSyntax(t, name, all)
			}
		}
		seconds := taken.Seconds()
		t.Logf("%-12s %3d programs, %6d mutants, %6.0f per second", code, len(files), count, float64(count)/seconds)
	}
}

// checkSyntax parses mutants of a Go file.
func checkSyntax(t *testing.T, name string, all []*Mutant) {
	t.Helper()
	for _, m := range all {
		if _, err := goparser.ParseFile(token.NewFileSet(), m.File, m.Source(), goparser.SkipObjectResolution); err != nil {
			t.Errorf("%s %s: %v", m.Operator, name, err)
		}
	}
}

// checkers are commands that check a source file without making a program.
var checkers = map[string][]string{
	"c":          {"gcc", "-std=gnu17", "-fsyntax-only", "-w"},
	"cpp":        {"g++", "-std=gnu++20", "-fsyntax-only", "-w"},
	"go":         {"go", "vet", "-unsafeptr=true"},
	"java":       {"javac", "-proc:none", "-nowarn", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-d", "out"},
	"rust":       {"rustc", "--edition", "2021", "--emit=metadata", "-A", "warnings", "--crate-name", "main"},
	"javascript": {"node", "--check"},
	"python3":    {"python3", "-m", "py_compile"},
}

func TestMutantsCompile(t *testing.T) {
	if *compiled == 0 {
		t.Skip("no -compile")
	}
	for source, dir := range map[string]string{"solutions": "../../../solutions", "corpora": *corpora} {
		for code, files := range submissions(t, dir) {
			t.Run(source+"/"+code, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, 2))
				good, total, failed := 0, 0, make(map[string]int)
				for n := 0; n < *compiled; n++ {
					name := files[random.IntN(len(files))]
					all := Sample(mutantsOf(t, name), 40, uint64(n))
					if len(all) == 0 {
						continue
					}
					m := all[random.IntN(len(all))]
					total++
					var out string
					if compiles(t, code, m.File, m.Source(), &out) {
						good++
						continue
					}
					if !compiles(t, code, m.File, read(t, name), nil) {
						total-- // the original does not compile alone
						continue
					}
					failed[m.Operator]++
					first, _, _ := strings.Cut(out, "\n")
					t.Logf("%s %s:%d:%d %v\n    %s", m.Operator, m.File, m.Line, m.Column, m.Edits, first)
				}
				t.Logf("RESULT %s %s: %d of %d compile (%.1f %%); rejected: %v", source, code, good, total, 100*float64(good)/float64(max(total, 1)), slices.Sorted(maps.Keys(failed)))
			})
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compiles(t *testing.T, code, name string, text []byte, out *string) bool {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
		t.Fatal(err)
	}
	command := append(slices.Clone(checkers[code]), name)
	if code == "go" {
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.26\n"), 0o666)
		command = []string{"go", "build", "-o", os.DevNull, name}
	}
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	message, err := c.CombinedOutput()
	if out != nil {
		*out = string(message)
	}
	return err == nil
}
