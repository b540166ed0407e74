package vet_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"crucible/judge/vet"
)

// TestAnalyzers compares what each analyzer reports in the programs
// testdata/src/vet/NAME and testdata/src/vet/NAME_* with the comments there, and the
// programs after the suggested fixes with golden files.
func TestAnalyzers(t *testing.T) {
	for _, a := range vet.Analyzers {
		t.Run(a.Name, func(t *testing.T) {
			dirs, err := filepath.Glob("testdata/src/vet/" + a.Name + "_*")
			if err != nil {
				t.Fatal(err)
			}
			programs := []string{"vet/" + a.Name}
			for _, dir := range dirs {
				programs = append(programs, "vet/"+filepath.Base(dir))
			}
			analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), a, programs...)
		})
	}
}
