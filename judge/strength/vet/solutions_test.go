package vet_test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crucible/judge/strength/vet"
	"crucible/judge/strength/vet/driver"
)

// TestAccepted checks that the analyzers report nothing in the accepted
// submissions of this repository.
func TestAccepted(t *testing.T) {
	var names []string
	err := filepath.WalkDir("../../../solutions", func(name string, e fs.DirEntry, err error) error {
		dir, file := filepath.Split(name)
		switch {
		case err != nil:
			return err
		case filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
		case filepath.Base(dir) == "accepted":
			names = append(names, name)
		case filepath.Base(filepath.Dir(filepath.Clean(dir))) == "accepted" && !slices.Contains(names, filepath.Clean(dir)):
			names = append(names, filepath.Clean(dir)) // a submission of several files
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	programs, err := driver.Load(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) < 60 {
		t.Errorf("found %d accepted Go submissions, expected at least 60", len(programs))
	}
	for _, p := range programs {
		findings, err := driver.Check(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			t.Errorf("%s: %s (%s)", f.Position, f.Message, f.Analyzer.Name)
		}
	}
}

// TestRejected checks the other submissions of this repository: none recurses as deep as
// its input, one does not reset its count, and one does not reset its rows.
func TestRejected(t *testing.T) {
	names, err := filepath.Glob("../../../solutions/*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]bool)
	for place := range check(t, names) {
		if _, analyzer, _ := strings.Cut(place, " "); analyzer == "recursion" || analyzer == "reset" {
			got[place] = true
		}
	}
	if want := map[string]bool{"not_reset.go:69 reset": true, "stale_rows.go:134 reset": true}; !maps.Equal(got, want) {
		t.Errorf("recursion and reset report %v, expected %v", got, want)
	}
}
