package vet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"crucible/judge/strength/vet"
)

// TestBlind counts the programs of testdata/blind.txtar in which the analyzer that their
// name begins with reports something. Each has one fault of its kind. Their author had
// not read the analyzers; 66 of the 85 were found before the rules were changed for them.
// The programs without a finding are in testdata/blind.golden.
func TestBlind(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/blind.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var names []string
	for _, f := range archive.Files {
		kind, _, _ := strings.Cut(f.Name, "_")
		if mark := "// !" + kind; !strings.Contains(string(f.Data), mark) {
			t.Errorf("testdata/blind.txtar: %s: expected a line with %q", f.Name, mark)
		}
		name := filepath.Join(dir, strings.TrimSuffix(f.Name, ".go"), f.Name) // a program of its own
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	reported := make(map[string]bool) // program and analyzer
	for place := range check(t, names) {
		program, _, _ := strings.Cut(place, ":")
		_, analyzer, _ := strings.Cut(place, " ")
		reported[program+" "+analyzer] = true
	}
	var missed []string
	all, found := make(map[string]int), make(map[string]int)
	total := len(names)
	for _, name := range names {
		kind, _, _ := strings.Cut(filepath.Base(name), "_")
		all[kind]++
		if reported[filepath.Base(name)+" "+kind] {
			found[kind]++
		} else {
			missed = append(missed, filepath.Base(name)+" not found")
		}
	}
	var head []string
	for _, a := range vet.Analyzers {
		if all[a.Name] > 0 {
			head = append(head, fmt.Sprintf("%s %d of %d", a.Name, found[a.Name], all[a.Name]))
		}
	}
	golden(t, "testdata/blind.golden", fmt.Sprintf("%d of %d found: %s\n\n%s\n", total-len(missed), total, strings.Join(head, ", "), strings.Join(missed, "\n")))
	if 10*len(missed) > total {
		t.Errorf("%d of %d faults not found, expected at most 1 of 10", len(missed), total)
	}
}

// golden compares text with a file, which it writes if UPDATE is set in the environment.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if want, _ := os.ReadFile(name); got != string(want) {
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Errorf("the findings differ from %s; with UPDATE=1 in the environment this test writes it. Got:\n%s", name, got)
	}
}
