package verify

import (
	"slices"
	"strings"

	"crucible/judge/problem"
)

// rejections checks which cases reject the submissions that are not expected to be
// accepted. That such a submission is accepted although it may be, and that only samples
// reject any, are doubts: the secret cases are then not known to reject anything.
func (v *verifier) rejections() error {
	bySample, bySecret := 0, 0
	for i, r := range v.reports {
		s := v.p.Submissions[i]
		passes := func(e *problem.Expectation) bool {
			return slices.Equal(e.Permitted, []problem.Verdict{problem.Accepted}) || e.Partial || len(e.Score) > 0 ||
				slices.Contains(e.Final, problem.Accepted)
		}
		if len(r.Runs) == 0 || r.JudgeError() != nil || problem.AnyRule(s.Expected, passes) {
			continue
		}
		sample, secret := false, false
		for k := range r.Runs {
			if run := &r.Runs[k]; run.Verdict != problem.Accepted {
				within := strings.HasPrefix(run.Case, "sample/")
				sample, secret = sample || within, secret || !within
			}
		}
		switch {
		case secret:
			bySecret++
		case sample:
			bySample++
		case r.AsExpected == nil || !*r.AsExpected:
			continue // another promise, or no expectation
		default:
			v.Doubts = append(v.Doubts, v.defect(s.Path, "no case rejects it"))
		}
		v.Checked++
	}
	if bySecret == 0 && bySample > 0 {
		v.Doubts = append(v.Doubts,
			v.defect("data/secret", "no case rejects a submission: only samples do; judge adequacy shows which"))
	}
	return nil
}
