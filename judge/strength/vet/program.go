package vet

import (
	"golang.org/x/tools/go/analysis"

	"crucible/judge/strength/vet/source"
)

// A program is what the analyzers ask about a program.
type program struct{ *source.Program }

// programs computes the program that the other analyzers require.
var programs = source.Programs

// programOf returns the program that the analyzer of pass requires.
func programOf(pass *analysis.Pass) *program { return &program{source.ProgramOf(pass)} }
