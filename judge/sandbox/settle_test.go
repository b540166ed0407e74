package sandbox

import (
	"testing"
	"time"
)

func TestLimitPassedWithoutBeingKilled(t *testing.T) {
	limits := Limits{CPU: time.Second, Wall: 2 * time.Second, Memory: 100, Output: 10}
	for _, test := range []struct {
		fact string
		o    Outcome
		want Resource
	}{
		{"at every limit is within it", Outcome{CPU: time.Second, Wall: 2 * time.Second, Memory: 100, Output: 10, Limits: limits}, ""},
		{"CPU", Outcome{CPU: time.Second + 1, Limits: limits}, CPU},
		{"wall", Outcome{Wall: 2*time.Second + 1, Limits: limits}, Wall},
		{"memory", Outcome{Memory: 101, Limits: limits}, Memory},
		{"output", Outcome{Output: 11, Limits: limits}, Output},
		{"what it was killed for stays", Outcome{CPU: time.Hour, Exceeded: Wall, Limits: limits}, Wall},
		{"no limits", Outcome{CPU: time.Hour, Wall: time.Hour, Memory: 1 << 40, Output: 1 << 40}, ""},
	} {
		if test.o.settle(); test.o.Exceeded != test.want {
			t.Errorf("%s: Exceeded %q, want %q", test.fact, test.o.Exceeded, test.want)
		}
	}
}
