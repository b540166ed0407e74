package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// TestRepository judges every solution of every problem of this repository.
func TestRepository(t *testing.T) { judgetest.RunAll(t, "../..") }

// BenchmarkRepository times every accepted solution on every case.
func BenchmarkRepository(b *testing.B) { judgetest.Bench(b, "../..") }
