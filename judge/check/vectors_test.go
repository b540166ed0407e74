package check

import (
	"slices"
	"strings"
)

// The vectors are inputs of the default validator with the expected findings. Each is
// listed under the sentence of the problem package format 2025-09 that decides it. If
// no section is named, the sentence is from section "Default output validator
// specification".

type vector struct {
	fact           string
	args           string // separated by spaces
	answer, output string
	want           Kind // "" when accepted
}

type sentence struct {
	says    string
	vectors []vector
}

// refused is the expected result for invalid arguments.
const refused Kind = "args refused"

const (
	spaceArg = "space_change_sensitive"
	caseArg  = "case_sensitive"
	tol      = "float_tolerance 1e-6"
	abs      = "float_absolute_tolerance 1e-6"
	rel      = "float_relative_tolerance 1e-6"
)

var (
	nines  = strings.Repeat("9", 30)
	zeros  = strings.Repeat("0", 4000)
	long   = strings.Repeat("x", block+3*history) // longer than a window
	spaced = strings.Repeat(" \n", len(long)/2)
)

var vectors = slices.Concat(ofArguments, ofTokens, ofTolerances, ofNumbers)
