package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// TestRepository judges every solution of every problem of this repository.
func TestRepository(t *testing.T) {
	root := "../.."
	if raced {
		// The programs take most of the time there, and the race detector does
		// not see their memory. For a small problem this package does the same
		// work.
		root = "../cmd/judge/testdata/sum"
	}
	judgetest.RunAll(t, root)
}

// BenchmarkRepository times every accepted solution on every case.
func BenchmarkRepository(b *testing.B) { judgetest.Bench(b, "../..") }
