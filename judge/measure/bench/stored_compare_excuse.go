package bench

import (
	"crucible/judge/measure/stat"
	"crucible/judge/record"
)

// excuse withdraws claims that unchanged programs contradict. If an unchanged
// program became slower or faster, the machine is the cause, so a change of another
// program counts only if it is significantly larger.
func (a *RunComparison) excuse() {
	least, most := 1.0, 1.0
	for i := range a.Programs {
		p := &a.Programs[i]
		switch c := p.summary(); {
		case c == nil || !a.unchanged(p):
		case c.Claim == stat.Slower:
			most = max(most, c.Ratio.Ratio)
		case c.Claim == stat.Faster:
			least = min(least, c.Ratio.Ratio)
		}
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		same := a.unchanged(p)
		for _, c := range p.Changes() {
			switch {
			case c.Outcome == Regression:
				if c.Withheld = same || most > 1 && c.Lo <= most; c.Withheld {
					c.Outcome = Open
				}
			case c.Outcome == Held:
				c.Withheld = c.Claim == stat.Faster && (same || least < 1 && c.Hi >= least)
				// A faster machine hides slower programs.
				hidden := !same && least < 1 && c.Hi >= least*(1+a.Threshold)
				if hidden || same && c.Withheld && c.Ratio.Ratio*(1+a.Threshold) <= 1 {
					c.Outcome = Open
				}
			}
		}
	}
}

// unchanged reports whether source and toolchain are known and the same in both.
func (a *RunComparison) unchanged(p *ProgramChange) bool {
	if !p.SameSource {
		return false
	}
	of := func(s *StoredRun) string {
		if f := find(s.Setting, func(f *record.Fact) bool { return f.Name == ToolchainOf+p.Language }); f != nil {
			return f.Value
		}
		return ""
	}
	return of(a.Old) != "" && of(a.Old) == of(a.New)
}
