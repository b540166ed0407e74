package judge

import (
	"strings"
	"testing"
)

// TestVerifyRunsBeyondTheLimitForTheMargin wants of each submission what it must
// show about a time limit of 2 s, and no more: the limits are the CPU times at
// which its runs would have been stopped.
func TestVerifyRunsBeyondTheLimitForTheMargin(t *testing.T) {
	for _, c := range []struct {
		name, folder, cases string
		limits              string
		broken              string
	}{
		{"a slow one until one case is slow enough", "time_limit_exceeded", "AC TLE TLE AC TLE", "3s 3s 2s 2s 2s", ""},
		{"what passes the limit alone is not slow enough", "time_limit_exceeded", "2.5s AC 3s TLE", "3s 3s 3s 2s", ""},
		{"none is slow enough", "time_limit_exceeded", "2.5s 2.9s AC", "3s 3s 3s", "takes only 2.90 s, want at least 3.00 s"},
		{"one that must pass is waited for, to tell how long it takes", "accepted", "AC 1.9s 3.7s", "4s 4s 4s", "takes 3.70 s, times ac_to_time_limit 2 is 7.40 s"},
		{"one that must fail in time, too", "wrong_answer", "AC 1.1s WA", "4s 4s 4s", "takes 1.10 s"},
		{"one that may be slow bounds nothing", "brute_force", "AC 2.5s TLE", "2s 2s 2s", ""},
		{"one of which nothing is known bounds nothing", "other", "AC TLE WA", "2s 2s 2s", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := scriptedProblem(t, c.folder, strings.Fields(c.cases)...)
			j := &Judge{Runner: &scripted{}, Jobs: 1, Cache: t.TempDir()}
			defer j.Close()
			v, err := j.Verify(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			var limits []string
			for _, run := range v.Reports[0].Runs {
				limits = append(limits, run.Times[0].Limits.CPU.String())
			}
			if got := strings.Join(limits, " "); got != c.limits {
				t.Errorf("%s on %s: run under %s, want %s", s.Name, c.cases, got, c.limits)
			}
			var broken []string
			for _, err := range v.Promises[len(v.Promises)-1].Broken {
				if !strings.Contains(err.Error(), "no submission bounds the time limit from below") {
					broken = append(broken, err.Error())
				}
			}
			if got := strings.Join(broken, "; "); !strings.Contains(got, c.broken) || (got == "") != (c.broken == "") {
				t.Errorf("%s on %s: broken %q, want %q", s.Name, c.cases, got, c.broken)
			}
		})
	}
}
