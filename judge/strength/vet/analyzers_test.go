package vet_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"crucible/judge/strength/vet"
)

// TestAnalyzers compares what each analyzer reports in the programs
// testdata/src/vet/NAME and testdata/src/vet/NAME_* with the comments there, and the
// programs after the suggested fixes with golden files. Programs that need not compile
// are loaded apart. Each load type-checks the standard library from its source, so there
// is one for all analyzers, not one for each.
func TestAnalyzers(t *testing.T) {
	for name, despiteErrors := range map[string]bool{"compile": false, "need not compile": true} {
		t.Run(name, func(t *testing.T) {
			byProgram := make(map[string]*analysis.Analyzer)
			for _, a := range vet.Analyzers {
				if a.RunDespiteErrors != despiteErrors {
					continue
				}
				dirs, err := filepath.Glob("testdata/src/vet/" + a.Name + "_*")
				if err != nil {
					t.Fatal(err)
				}
				for _, dir := range append(dirs, a.Name) {
					byProgram["vet/"+filepath.Base(dir)] = a
				}
			}
			analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), oneOf(byProgram), slices.Sorted(maps.Keys(byProgram))...)
		})
	}
}

// oneOf returns an analyzer that runs on each program the analyzer of the map.
func oneOf(byProgram map[string]*analysis.Analyzer) *analysis.Analyzer {
	one := &analysis.Analyzer{Name: "one", Doc: "run the analyzer of the program"}
	for _, a := range byProgram {
		one.RunDespiteErrors = a.RunDespiteErrors
		for _, required := range a.Requires {
			if !slices.Contains(one.Requires, required) {
				one.Requires = append(one.Requires, required)
			}
		}
	}
	one.Run = func(pass *analysis.Pass) (any, error) {
		a := byProgram[pass.Pkg.Path()]
		if a == nil {
			return nil, fmt.Errorf("%s: no analyzer", pass.Pkg.Path())
		}
		its := *pass
		its.Analyzer = a
		return a.Run(&its)
	}
	return one
}
