package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// A repository judges its problems with one test. TestRepository runs the same for
// this repository.
func ExampleRunAll() {
	_ = func(t *testing.T) { // func TestProblems(t *testing.T)
		judgetest.RunAll(t, "..")
	}
}
