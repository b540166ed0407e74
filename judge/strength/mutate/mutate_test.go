package mutate

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
)

var update = flag.Bool("update", false, "write the expected mutants of testdata")

// absent are the operators that have no mutants in a language, with the reason.
var absent = map[string]map[string]string{
	"small-size":  {"python3": "containers grow"},
	"narrow-type": {"javascript": "all numbers are of one type"},
}

// list returns one line for each mutant.
func list(all []*Mutant) string {
	var b strings.Builder
	for _, m := range all {
		fmt.Fprintf(&b, "%d:%d %s", m.Line, m.Column, m.Operator)
		for _, e := range m.Edits {
			fmt.Fprintf(&b, " %q -> %q", e.Old, e.New)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAllMutantsOfOneProgramPerLanguage(t *testing.T) {
	testkit.InOneGoroutine(t)
	programs, err := filepath.Glob("testdata/[aA]ll.*")
	if err != nil {
		t.Fatal(err)
	}
	languages := 0
	for _, name := range programs {
		if strings.HasSuffix(name, ".mutants") {
			continue
		}
		languages++
		t.Run(filepath.Ext(name), func(t *testing.T) {
			all := mutantsOf(t, name)
			got := list(all)
			if *update {
				if err := os.WriteFile(name+".mutants", []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(read(t, name+".mutants")), got); diff != "" {
				t.Errorf("mutants of %s (-expected +got):\n%s", name, diff)
			}
			l, _ := language.Builtin.Of([]string{name})
			for _, op := range Operators {
				found := slices.ContainsFunc(all, func(m *Mutant) bool { return m.Operator == op.Name })
				if _, none := absent[op.Name][l.Code]; found == none {
					t.Errorf("%s: %s has mutants: %v, expected %v", l.Name, op.Name, found, !none)
				}
			}
			for _, m := range all {
				if strings.Contains(m.Edits[0].Old, "a < b") && len(m.Edits[0].Old) < 10 {
					t.Errorf("%d:%d: a string or a comment is changed: %q", m.Line, m.Column, m.Edits[0].Old)
				}
			}
		})
	}
	if languages != 7 {
		t.Errorf("%d languages in testdata, expected 7", languages)
	}
}

func TestUnsupported(t *testing.T) {
	supported := 0
	for _, l := range language.Builtin.All() {
		_, err := Mutants(&l, map[string][]byte{"a" + l.Ext(): []byte(l.Hello)})
		if Supports(&l) != (err == nil) {
			t.Errorf("%s: Supports is %v, error of Mutants: %v", l.Name, Supports(&l), err)
		}
		if Supports(&l) {
			supported++
		}
	}
	if supported != 11 {
		t.Errorf("%d languages, expected 11", supported)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ code, text, err string }{
		{"kotlin", "fun main() {}", "Kotlin: no mutants are made in this language"},
		{"go", "package main\nfunc main() {", `a.go:2: "{" is not closed`},
		{"cpp", "int main() {\n  f(];\n}", `a.cc:2: "]" closes no bracket`},
		{"python3", "x = (1\n", `a.py:1: "(" is not closed`},
		{"c", strings.Repeat(" ", MostBytes+1), "a.c: 1048577 bytes, expected at most 1048576"},
	} {
		l := language.Builtin.ByCode(test.code)
		_, err := Mutants(l, map[string][]byte{"a" + l.Ext(): []byte(test.text)})
		if err == nil || err.Error() != test.err {
			t.Errorf("%s: error %v, expected %s", test.code, err, test.err)
		}
	}
}

// mutantsOfSources returns all mutants of the programs of testdata.
func mutantsOfSources(t *testing.T) map[string][]*Mutant {
	t.Helper()
	all := make(map[string][]*Mutant)
	names, _ := filepath.Glob("testdata/[aA]ll.*")
	for _, name := range names {
		if !strings.HasSuffix(name, ".mutants") {
			all[name] = mutantsOf(t, name)
		}
	}
	return all
}

func TestMutantsDiffer(t *testing.T) {
	for name, all := range mutantsOfSources(t) {
		original := string(read(t, name))
		compact := func(text string) string { return strings.Join(strings.Fields(text), "") }
		seen, ids := map[string]bool{compact(original): true}, make(map[string]bool)
		for _, m := range all {
			text := string(m.Source())
			if seen[compact(text)] {
				t.Errorf("%s:%d:%d %s: equal to the original or to another mutant", m.File, m.Line, m.Column, m.Operator)
			}
			if ids[m.ID] || len(m.ID) != 16 {
				t.Errorf("%s: %q", name, m.ID)
			}
			seen[compact(text)], ids[m.ID] = true, true
			lines := strings.SplitAfter(original, "\n")
			if at := len(strings.Join(lines[:m.Line-1], "")) + m.Column - 1; at != m.Edits[0].From {
				t.Errorf("line %d column %d is byte %d, expected %d", m.Line, m.Column, at, m.Edits[0].From)
			}
			for _, e := range m.Edits {
				if original[e.From:e.To] != e.Old {
					t.Errorf("replaces %q, expected %q", e.Old, original[e.From:e.To])
				}
			}
			if files := m.Files(); string(files[m.File]) != text || len(files) != 1 {
				t.Errorf("Files differ from Source")
			}
		}
	}
}

func TestDiffsApply(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("no patch")
	}
	for name, all := range mutantsOfSources(t) {
		for _, m := range Sample(all, 20, 1) {
			c := exec.Command("patch", "--quiet", "--fuzz=0", "--output=-", name)
			c.Stdin = strings.NewReader(m.Diff())
			out, err := c.Output()
			if err != nil || string(out) != string(m.Source()) {
				t.Errorf("%s:%d: %v\n%s\ngives\n%s", name, m.Line, err, m.Diff(), out)
			}
		}
	}
}

func TestDiff(t *testing.T) {
	l := language.Builtin.ByCode("python3")
	all, err := Mutants(l, map[string][]byte{"a.py": []byte("a = 3\nb = 4\nc = 5\nd = 6\nprint(abs(a))")})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(m *Mutant) bool { return m.Operator != "dropped-call" })
	want := "--- a.py\n+++ a.py\n@@ -2,4 +2,4 @@\n b = 4\n c = 5\n d = 6\n-print(abs(a))\n\\ No newline at end of file\n+print((a))\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, all[0].Diff()); diff != "" {
		t.Error(diff)
	}
}

func TestSample(t *testing.T) {
	all := mutantsOf(t, "testdata/all.cpp")
	one, two, other := Sample(all, 30, 1), Sample(all, 30, 1), Sample(all, 30, 2)
	if list(one) != list(two) {
		t.Error("the same seed gives another sample")
	}
	if list(one) == list(other) {
		t.Error("another seed gives the same sample")
	}
	if got := Sample(all, len(all)+1, 1); list(got) != list(all) {
		t.Error("a sample as large as all mutants is not all of them")
	}
	count := make(map[string]int)
	for i, m := range one {
		if count[m.Operator]++; i > 0 && one[i-1].Edits[0].From > m.Edits[0].From {
			t.Error("the order of the mutants is not kept")
		}
	}
	for name, n := range count {
		if n > 2 {
			t.Errorf("%s has %d of 30 places; %d operators share them", name, n, len(count))
		}
	}
	sum := 0.0
	for _, w := range Weights(all, one) {
		sum += w
	}
	if math.Abs(sum-float64(len(all))) > 1e-9 {
		t.Errorf("weights add up to %v, expected the number of mutants %d", sum, len(all))
	}
}

// TestLexersAreThoseOfTheModule compares the copies with the files of chroma.
func TestLexersAreThoseOfTheModule(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/alecthomas/chroma/v2").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "lexers", "embedded")
	entries, _ := lexerFiles.ReadDir("lexers")
	if len(entries) != 6 {
		t.Errorf("%d lexers, expected 6", len(entries))
	}
	for _, e := range entries {
		ours, _ := lexerFiles.ReadFile("lexers/" + e.Name())
		name := strings.Replace(e.Name(), "cpp", "c++", 1)
		if theirs := read(t, filepath.Join(dir, name)); string(ours) != string(theirs) {
			t.Errorf("lexers/%s differs from chroma's %s; copy it and run the tests", e.Name(), filepath.Join(dir, name))
		}
	}
}

// FuzzMutants needs -fuzzminimizetime 1x: to minimize one input takes a minute.
func FuzzMutants(f *testing.F) {
	testkit.InOneGoroutine(f)
	codes := slices.Sorted(maps.Keys(dialects))
	names, _ := filepath.Glob("testdata/[aA]ll.*")
	for i := range codes {
		for _, name := range names {
			if !strings.HasSuffix(name, ".mutants") {
				text, err := os.ReadFile(name)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(i, text)
				f.Add(i, text[:len(text)/2])
			}
		}
		f.Add(i, []byte("if if else for while ( ) { return ; < > case : lambda def @ \xff"))
		f.Add(i, []byte("'''\x00"))
	}
	f.Fuzz(func(t *testing.T, code int, text []byte) {
		if len(text) > 4000 {
			return
		}
		l := language.Builtin.ByCode(codes[((code%len(codes))+len(codes))%len(codes)])
		checkEdits(t, "a"+l.Ext(), text)
	})
}

// TestDamagedPrograms makes mutants of programs with random changes, many of which
// the compiler would reject.
func TestDamagedPrograms(t *testing.T) {
	testkit.InOneGoroutine(t)
	random := rand.New(rand.NewPCG(1, 2))
	names, _ := filepath.Glob("testdata/[aA]ll.*")
	for range 150 {
		name := names[random.IntN(len(names))]
		text := read(t, strings.TrimSuffix(name, ".mutants"))
		for range 1 + random.IntN(6) {
			i := random.IntN(len(text))
			j := min(len(text), i+random.IntN(20))
			switch at := random.IntN(len(text)); random.IntN(3) {
			case 0:
				text[i] = byte(random.IntN(256))
			case 1:
				text = slices.Delete(text, i, j)
			case 2:
				text = slices.Insert(text, at, slices.Clone(text[i:j])...)
			}
		}
		checkEdits(t, strings.TrimSuffix(filepath.Base(name), ".mutants"), text)
	}
}

// checkEdits checks that the mutants of a text differ from it inside the file.
func checkEdits(t *testing.T, name string, text []byte) {
	t.Helper()
	l, _ := language.Builtin.Of([]string{name})
	all, err := Mutants(l, map[string][]byte{name: text})
	if err != nil {
		return
	}
	for _, m := range all {
		at := 0
		for _, e := range m.Edits {
			if e.From < at || e.To < e.From || e.To > len(text) || string(text[e.From:e.To]) != e.Old {
				t.Fatalf("edit %+v of %d bytes", e, len(text))
			}
			at = e.To
		}
		if len(m.Edits) == 0 || string(m.Source()) == string(text) {
			t.Fatalf("nothing is changed: %+v", m.Edits)
		}
		m.Diff()
	}
}
