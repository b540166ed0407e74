package cli

import (
	"bytes"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

// The progress of the measurement is not part of the output.
func TestDoctorPrintsOnlyTheResult(t *testing.T) {
	testkit.InMatrix(t)
	var b bytes.Buffer
	(&LabelWriter{w: &b}).measure(t.Context(), NewProgress(&b), 1)
	if got := b.String(); !strings.HasPrefix(got, "times         too few runs") || strings.Contains(got, "measuring") {
		t.Errorf("%q, expected the verdict, without progress", got)
	}
}
