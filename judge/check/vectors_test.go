package check

import (
	"slices"
	"strings"
)

// The vectors: what the default validator must find, each under the sentence of
// problem package format 2025-09 that decides it. Without a section named, the
// sentence is from section "Default output validator specification".

type vector struct {
	fact           string
	args           string // split at spaces
	answer, output string
	want           Kind // "" when accepted
}

type sentence struct {
	says    string
	vectors []vector
}

// refused is what becomes of arguments that are an error.
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
	long   = strings.Repeat("x", block+3*history) // more than a window
	spaced = strings.Repeat(" \n", len(long)/2)
)

var vectors = slices.Concat(ofArguments, ofTokens, ofTolerances, ofNumbers)
