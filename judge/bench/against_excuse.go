package bench

import (
	"slices"

	"crucible/judge/stat"
)

// excuse takes back that something is a regression where programs that are
// known not to have changed say otherwise. These cannot have got slower by
// themselves; and what others lost must surely be more than what the machine,
// as they show, took from all.
func (a *Against) excuse() {
	most := 1.0
	for i := range a.Programs {
		p := &a.Programs[i]
		if c := p.summary(); c != nil && a.unchanged(p) && c.Claim == stat.Slower {
			most = max(most, c.Ratio.Ratio)
		}
	}
	for i := range a.Programs {
		p := &a.Programs[i]
		excused := func(c *Change) bool {
			return c != nil && c.Outcome == Regression && (a.unchanged(p) || most > 1 && c.Lo <= most)
		}
		if excused(p.Overall) {
			p.Overall.Outcome = Open
		}
		for k := range p.Cells {
			if c := p.Cells[k].Change; excused(c) {
				c.Outcome = Open
			}
		}
	}
}

// unchanged reports whether source and toolchain are known to be the same.
func (a *Against) unchanged(p *Matched) bool {
	if !p.SameSource {
		return false
	}
	of := func(s *Saved) string {
		i := slices.IndexFunc(s.Setting, func(f Fact) bool { return f.Name == ToolchainOf+p.Language })
		if i < 0 {
			return ""
		}
		return s.Setting[i].Value
	}
	return of(a.Old) != "" && of(a.Old) == of(a.New)
}
