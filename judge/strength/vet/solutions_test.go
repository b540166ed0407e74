package vet_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crucible/judge/strength/vet"
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
	programs, err := vet.Load(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) < 60 {
		t.Errorf("found %d accepted Go submissions, expected at least 60", len(programs))
	}
	for _, p := range programs {
		findings, err := vet.Check(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			t.Errorf("%s: %s (%s)", f.Position, f.Message, f.Analyzer.Name)
		}
	}
}
