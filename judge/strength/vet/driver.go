package vet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// A Finding is a fault that an analyzer reports.
type Finding struct {
	Analyzer *analysis.Analyzer
	Position token.Position // where it starts
	End      token.Position
	analysis.Diagnostic
}

// Check applies analyzers to a program and returns what they report, sorted by
// position. The error is a fault of an analyzer.
func Check(p *Submission, analyzers []*analysis.Analyzer) (all []Finding, err error) {
	results := make(map[*analysis.Analyzer]any)
	var run func(a *analysis.Analyzer) error
	run = func(a *analysis.Analyzer) error {
		if _, done := results[a]; done || p.Incomplete() && !a.RunDespiteErrors {
			return nil
		}
		for _, b := range a.Requires {
			if err := run(b); err != nil {
				return err
			}
		}
		pass := &analysis.Pass{
			Analyzer: a, Fset: p.Fset, Files: p.Files, Pkg: p.Types, TypesInfo: p.info,
			TypesSizes: p.sizes, TypeErrors: p.missing, ResultOf: results, ReadFile: os.ReadFile,
			Report: func(d analysis.Diagnostic) {
				all = append(all, Finding{a, p.Fset.PositionFor(d.Pos, false), p.Fset.PositionFor(cmp.Or(d.End, d.Pos), false), d})
			},
		}
		result, err := a.Run(pass)
		if err != nil {
			return fmt.Errorf("analyzer %s: %w", a.Name, err)
		}
		results[a] = result
		return nil
	}
	for _, a := range analyzers {
		if err := run(a); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Position.Filename, b.Position.Filename),
			cmp.Compare(a.Position.Offset, b.Position.Offset),
			cmp.Compare(a.Analyzer.Name, b.Analyzer.Name),
		)
	})
	return all, nil
}

// A Submission is the source of one submission, parsed and type-checked.
type Submission struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	// Sources are the names of its files, in the order of Files. Those of a folder
	// have its name in front.
	Sources []string

	texts   map[string][]byte
	library *library
	info    *types.Info
	sizes   types.Sizes
	missing []types.Error // imports that cannot be found; there are no other errors
}

// Incomplete reports whether types are unknown because of foreign imports, so that
// only the analyzer imports runs.
func (p *Submission) Incomplete() bool { return len(p.missing) > 0 }

// Name returns the name of the only file of p, or the folder of its files.
func (p *Submission) Name() string {
	if len(p.Sources) == 1 {
		return p.Sources[0]
	}
	return filepath.Dir(p.Sources[0])
}
