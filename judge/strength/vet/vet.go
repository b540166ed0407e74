// Package vet finds faults that are common in Go submissions to programming
// contests, by static analysis. It looks at the source alone and runs nothing.
//
// Analyzers work with every driver of golang.org/x/tools/go/analysis; [Check] is one for
// submissions.
package vet

import (
	"golang.org/x/tools/go/analysis"
)

// Analyzers is the table of analyzers, in the order of the help.
var Analyzers = []*analysis.Analyzer{
	Unbuffered,
	Scan,
	Flush,
	Debug,
	Imports,
}
