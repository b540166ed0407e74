package vet_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crucible/judge/strength/vet"
)

// A fault was put by hand into an accepted or rejected program of solutions/.
type fault struct {
	line      int      // in testdata/byhand.txt
	analyzers []string // one of them is expected to report it
	what      string
	program   string
	changes   [][2]string // text that occurs once, and its replacement
}

func readFaults(t *testing.T) (all []fault) {
	t.Helper()
	text, err := os.ReadFile("testdata/byhand.txt")
	if err != nil {
		t.Fatal(err)
	}
	var old, new []string
	end := func() {
		if len(old)+len(new) > 0 {
			f := &all[len(all)-1]
			f.changes = append(f.changes, [2]string{strings.Join(old, "\n"), strings.Join(new, "\n")})
		}
		old, new = nil, nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "## "):
			end()
			analyzers, what, _ := strings.Cut(line[3:], ": ")
			all = append(all, fault{line: i + 1, analyzers: strings.Fields(analyzers), what: what})
		case strings.HasPrefix(line, "-"):
			if len(new) > 0 {
				end()
			}
			old = append(old, line[1:])
		case strings.HasPrefix(line, "+"):
			new = append(new, line[1:])
		case strings.HasPrefix(line, "solutions/"):
			all[len(all)-1].program = line
		}
	}
	end()
	return all
}

// TestByHand compares what the analyzers find of the faults in testdata/byhand.txt with
// testdata/byhand.golden. Their author had not read the analyzers; 52 of the 69 were
// found before the rules were changed for them. A finding is one that the program
// without the fault does not have.
func TestByHand(t *testing.T) {
	dir := t.TempDir()
	faults := readFaults(t)
	var names []string
	for _, f := range faults {
		original := filepath.Join("../../..", f.program)
		data, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, c := range f.changes {
			if n := strings.Count(text, c[0]); n != 1 {
				t.Errorf("testdata/byhand.txt:%d: expected this text once in %s, found it %d times:\n%s", f.line, f.program, n, c[0])
			}
			text = strings.Replace(text, c[0], c[1], 1)
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.go", f.line))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		if !slices.Contains(names, original) {
			names = append(names, original)
		}
	}
	programs, err := vet.Load(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]map[string]bool) // by program, the analyzers
	for _, p := range programs {
		findings, err := vet.Check(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		found[p.Name()] = make(map[string]bool)
		for _, f := range findings {
			found[p.Name()][f.Analyzer.Name] = true
		}
	}
	var lines []string
	total, all := 0, make(map[string]int)
	hits := make(map[string]int)
	for _, f := range faults {
		got := found[filepath.Join(dir, fmt.Sprintf("%d.go", f.line))]
		before := found[filepath.Join("../../..", f.program)]
		maps.DeleteFunc(got, func(name string, _ bool) bool { return before[name] })
		all[f.analyzers[0]]++
		result := "not found"
		if slices.ContainsFunc(f.analyzers, func(name string) bool { return got[name] }) {
			result = "found"
			total++
			hits[f.analyzers[0]]++
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if !slices.Contains(f.analyzers, name) {
				result += ", and " + name
			}
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", strings.Join(f.analyzers, " "), f.what, result))
	}
	var head []string
	for _, a := range vet.Analyzers {
		head = append(head, fmt.Sprintf("%s %d of %d", a.Name, hits[a.Name], all[a.Name]))
	}
	got := fmt.Sprintf("%d of %d found: %s\n\n%s\n", total, len(faults), strings.Join(head, ", "), strings.Join(lines, "\n"))
	golden(t, "testdata/byhand.golden", got)
	if 10*total < 9*len(faults) {
		t.Errorf("%d of %d faults found, expected at least 9 of 10", total, len(faults))
	}
}
