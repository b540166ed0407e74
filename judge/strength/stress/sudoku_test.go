package stress

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// TestShrinkSudokus shrinks inputs with several sudokus to one sudoku: in one problem a
// count comes first, in the other one empty lines separate sudokus.
func TestShrinkSudokus(t *testing.T) {
	testkit.InMatrix(t)
	testkit.Needs(t, "go")
	for _, id := range []string{"poj2676", "hdu1426"} {
		t.Run(id, func(t *testing.T) {
			if id != "poj2676" && os.Getenv("CRUCIBLE_STRESS_ALL") == "" {
				t.Skip("CRUCIBLE_STRESS_ALL is not set")
			}
			p, err := problem.OpenDir("../../../problems/" + id)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			j := &judge.Judge{Cache: t.TempDir()}
			defer j.Close()
			s := Search{Problem: p, Reference: p.SubmissionNamed("accepted/bands.go"), Budget: time.Minute, Shrink: time.Minute}
			s.Targets = []*problem.Submission{p.SubmissionNamed("wrong_answer/no_boxes.go")}
			for ; s.Seed < 5; s.Seed++ {
				r, err := s.Run(t.Context(), j)
				if err != nil || len(r.Counterexamples) != 1 {
					t.Fatalf("seed %d: found %d counterexamples, error %v; expected one", s.Seed, len(r.Counterexamples), err)
				}
				c := r.Counterexamples[0]
				if bytes.Count(c.Input, []byte("\n")) < 18 {
					continue // it has one sudoku
				}
				lines := strings.Split(strings.TrimSuffix(string(c.Smallest()), "\n"), "\n")
				if id == "poj2676" && lines[0] == "1" {
					lines = lines[1:]
				}
				if len(lines) != 9 {
					t.Errorf("seed %d: %d bytes became %q by %q; expected one sudoku", s.Seed, len(c.Input), c.Smallest(), c.Steps)
				}
				return
			}
			t.Error("no search found an input with several sudokus")
		})
	}
}
