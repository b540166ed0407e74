package testkit

import (
	"os"
	"testing"
)

// Matrix reports whether tests try every combination: attack and level, language and feature,
// format and part. scripts/check sets CRUCIBLE_MATRIX for that. Otherwise go test tries one
// path of each matrix, because all of them take longer than one waits after a change. Tests
// under the race detector say themselves what it needs.
func Matrix() bool { return Raced || os.Getenv("CRUCIBLE_MATRIX") != "" }

// FewRows reports whether some rows of a table are enough: outside of the matrix, and under the
// race detector, if the rows differ in what programs do and not in the judge's goroutines.
func FewRows() bool { return Raced || !Matrix() }

// InMatrix skips a test, or a row of its table, that repeats what another shows.
func InMatrix(t testing.TB) {
	t.Helper()
	if !Matrix() {
		t.Skip("one of a matrix, which scripts/check tries")
	}
}
