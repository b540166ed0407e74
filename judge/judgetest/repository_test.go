package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// TestRepository judges every solution of every problem of this repository.
func TestRepository(t *testing.T) {
	root := "../.."
	if raced {
		// The programs take all the time there, and the race detector does not see
		// into them; what this package does is the same for a problem of two.
		root = "../cmd/judge/testdata/sum"
	}
	judgetest.RunAll(t, root)
}

// BenchmarkRepository times every accepted solution on every case.
func BenchmarkRepository(b *testing.B) { judgetest.Bench(b, "../..") }
