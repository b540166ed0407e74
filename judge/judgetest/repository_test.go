package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// TestRepository judges every solution of every problem of this repository.
func TestRepository(t *testing.T) {
	root := "../.."
	if raced {
		// Most of the time is that of the programs, whose memory the race
		// detector does not see. A small problem runs the same code of this
		// package.
		root = "../internal/transcript/sum"
	}
	judgetest.RunAll(t, root)
}

// BenchmarkRepository times every accepted solution on every case.
func BenchmarkRepository(b *testing.B) { judgetest.Bench(b, "../..") }
