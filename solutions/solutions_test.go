// Package solutions has the submissions of the problems of this repository. Its test judges
// all of them.
package solutions

import (
	"testing"

	"crucible/judge/judgetest"
)

// TestProblems judges every submission of every problem. It does not repeat a run that
// judge run or an earlier test has stored.
func TestProblems(t *testing.T) { judgetest.RunAll(t, "..") }

// BenchmarkProblems times every accepted submission on every case.
func BenchmarkProblems(b *testing.B) { judgetest.Bench(b, "..") }
