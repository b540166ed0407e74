package judgetest_test

import (
	"testing"

	"crucible/judge/judgetest"
)

// One test judges all problems of a repository. TestRepository does the same for
// this repository.
func ExampleRunAll() {
	_ = func(t *testing.T) { // func TestProblems(t *testing.T)
		judgetest.RunAll(t, "..")
	}
}
