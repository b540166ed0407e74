package vet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"crucible/judge/strength/vet"
)

// The programs of testdata/seeded have the faults that comments name, as
//
//	fmt.Println(x) // seeded: unbuffered
//
// TestSeeded compares all findings in them with testdata/seeded.txt, which has a line
// for each: found, not found, or not seeded.
func TestSeeded(t *testing.T) {
	names, err := filepath.Glob("testdata/seeded/*.go")
	if err != nil {
		t.Fatal(err)
	}
	seeded := make(map[string]bool) // place and analyzer
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if _, analyzer, ok := strings.Cut(line, "// seeded: "); ok {
				seeded[fmt.Sprintf("%s:%d %s", filepath.Base(name), i+1, analyzer)] = true
			}
		}
	}
	var lines []string
	found := 0
	for place := range check(t, names) {
		if seeded[place] {
			found++
			lines = append(lines, place+" found")
			delete(seeded, place)
		} else {
			lines = append(lines, place+" not seeded")
		}
	}
	for place := range seeded {
		lines = append(lines, place+" not found")
	}
	sort.Strings(lines)
	got := fmt.Sprintf("%d programs, %d of %d seeded faults found\n\n%s\n", len(names), found, found+len(seeded), strings.Join(lines, "\n"))
	golden(t, "testdata/seeded.txt", got)
	if total := found + len(seeded); 10*found < 9*total {
		t.Errorf("%d of %d seeded faults found, expected at least 9 of 10", found, total)
	}
}

// check returns the places of all findings, with the analyzers.
func check(t *testing.T, names []string) map[string]bool {
	t.Helper()
	programs, err := vet.Load(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	places := make(map[string]bool)
	var checked []string
	for _, p := range programs {
		findings, err := vet.Check(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		checked = append(checked, p.Sources...)
		for _, f := range findings {
			places[fmt.Sprintf("%s:%d %s", filepath.Base(f.Position.Filename), f.Position.Line, f.Analyzer.Name)] = true
		}
	}
	if slices.Sort(checked); !slices.Equal(checked, names) {
		t.Errorf("checked %v, expected %v", checked, names)
	}
	return places
}
