package stress

import (
	"testing"

	"crucible/judge/problem"
)

func TestWayOf(t *testing.T) {
	for _, c := range []struct {
		fact, one, other string
		v                problem.Verdict
		same             bool
	}{
		{"other places and texts are one way", `line 1, column 1: got "a\"3", expected "-1"`, `line 12, column 7: got "0", expected "x y"`, problem.WrongAnswer, true},
		{"a missing output is another way than a wrong one", `line 1, column 1: got "0", expected "-1"`, `line 1, column 1: the output ends, expected "-1"`, problem.WrongAnswer, false},
		{"numbers in a validator's message do not count", "more than 10 guesses", "more than 7.5 guesses", problem.WrongAnswer, true},
		{"exit statuses are different ways", "exit status 1", "exit status 2", problem.RuntimeError, false},
		{"times are not", "1.2 s of CPU time", "2 s of CPU time, stopped", problem.TimeLimit, true},
	} {
		if got := failureOf(c.v, c.one) == failureOf(c.v, c.other); got != c.same {
			t.Errorf("%s: %q and %q are one way: %v, expected %v", c.fact, c.one, c.other, got, c.same)
		}
	}
}
