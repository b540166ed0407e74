package vet_test

import (
	"path/filepath"
	"testing"

	"crucible/judge/strength/vet"
)

// TestFix checks on all seeded programs that fixes remove findings, bring no new ones,
// and leave nothing to fix.
func TestFix(t *testing.T) {
	names, err := filepath.Glob("testdata/seeded/*.go")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := vet.Load(names, nil)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range programs {
		before, err := vet.Check(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		fixed, applied, err := vet.Fix(p, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		after, err := vet.Check(fixed, vet.Analyzers)
		if err != nil {
			t.Fatal(err)
		}
		if len(after) > len(before)-applied {
			t.Errorf("%s: %d findings, and %d after %d fixes", p.Name(), len(before), len(after), applied)
		}
		if changed := len(fixed.Changed(p)); (applied > 0) != (changed > 0) {
			t.Errorf("%s: %d fixes changed %d files", p.Name(), applied, changed)
		}
		if _, again, _ := vet.Fix(fixed, vet.Analyzers); again != 0 {
			t.Errorf("%s: %d fixes after the fixes", p.Name(), again)
		}
		total += applied
	}
	if total < 8 {
		t.Errorf("%d fixes in all programs, expected at least 8", total)
	}
}
