package report

import (
	"testing"

	"crucible/judge"
	"crucible/judge/sandbox"
)

func TestBesideText(t *testing.T) {
	for _, c := range []struct {
		run  judge.Run
		want string
	}{
		{judge.Run{}, ""},
		{judge.Run{Outcome: sandbox.Outcome{Beside: 1}}, "beside 1 other"},
		{judge.Run{Outcome: sandbox.Outcome{Beside: 3}}, "beside 3 others"},
		{judge.Run{Retried: "unexpected TLE beside 3 other programs: used 1.02 s CPU"}, "run again alone: unexpected TLE beside 3 other programs: used 1.02 s CPU"},
		{judge.Run{Retried: "TLE: used 1.02 s CPU", Worker: "b", Others: []judge.Attempt{{Worker: "a"}}}, "run again on another worker: TLE: used 1.02 s CPU"},
	} {
		if got := BesideText(&c.run); got != c.want {
			t.Errorf("%+v: %q, expected %q", c.run, got, c.want)
		}
	}
}
