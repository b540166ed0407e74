package verify

import (
	"time"

	"crucible/judge/problem"
)

// boundsReached is the name of the promise of bounds.
const boundsReached = "the cases reach the bounds of the input"

// boundsTime limits the questions that input validators are asked about bounds.
const boundsTime = 5 * time.Second

// bounds finds bounds of the input that no case has, and inputs outside the statement's
// bounds that the input validators accept. Both are doubts: the statement is text, and the
// form of the input is inferred.
func (v *verifier) bounds() error {
	invalid := make(map[*problem.Case]bool)
	if v.inputsBroken {
		invalid = nil // Validators finds the cases that the validators reject
	}
	f, err := Validators(v.ctx, v.j, v.p, ValidatorOptions{Cheap: true, Budget: boundsTime, Invalid: invalid})
	if f != nil {
		v.Probed, v.Checked = f, len(f.Bounds)
		for _, one := range f.Findings {
			at := one.Program
			if at == "" {
				at = "data"
			}
			v.Doubts = append(v.Doubts, v.defect(at, "%s", one.Reason))
		}
	}
	return err
}
