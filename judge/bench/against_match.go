package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"crucible/judge/stat"
)

// match finds what is in both runs, and says of the rest why it is not
// compared. The pairings are those of the programs, in the same order.
func (a *Against) match() []pairing {
	var pairs []pairing
	for i := range a.New.Programs {
		after := &a.New.Programs[i]
		before := a.Old.program(after.Problem, after.Name)
		if before == nil {
			a.leave(after, "", "in NEW only", false)
			continue
		}
		m, p := a.matched(before, after)
		if m.Lost == "" && len(m.Cells) == 0 {
			continue
		}
		a.Programs, pairs = append(a.Programs, m), append(pairs, p)
	}
	for i := range a.Old.Programs {
		before := &a.Old.Programs[i]
		if a.New.program(before.Problem, before.Name) == nil {
			a.leave(before, "", "in OLD only", true)
		}
	}
	return pairs
}

func (a *Against) leave(p *SavedProgram, name, why string, missing bool) {
	a.Left = append(a.Left, Leftover{Problem: p.Problem, Name: p.Name, Case: name, Why: why, Missing: missing})
}

// matched matches the cells of one submission.
func (a *Against) matched(before, after *SavedProgram) (Matched, pairing) {
	m := Matched{Problem: after.Problem, Name: after.Name, Language: after.Language,
		SameSource: before.Source != "" && before.Source == after.Source}
	var p pairing
	switch {
	case before.Wrong+before.Unknown != "":
		a.leave(after, "", "in OLD "+before.Wrong+before.Unknown, false)
		return m, p
	case after.Unknown != "":
		a.leave(after, "", "in NEW "+after.Unknown, true)
		return m, p
	case after.Wrong != "":
		m.Lost = after.Wrong
		return m, p
	}
	for i := range after.Cells {
		now := &after.Cells[i]
		was := before.cell(now.Case, now.Size)
		switch {
		case was == nil:
			a.leave(after, now.Case, "in NEW only", false)
			continue
		case was.Unknown+now.Unknown != "":
			a.leave(after, now.Case, cmp.Or(was.Unknown, now.Unknown), was.Unknown == "")
			continue
		case was.Data != "" && now.Data != "" && was.Data != now.Data:
			a.leave(after, now.Case, "its data has changed", true)
			continue
		}
		cell := MatchedCell{Case: now.Case, Size: now.Size}
		switch {
		case was.Wrong == "" && now.Wrong != "":
			cell.Lost = now.Wrong
		case was.Wrong != "" && now.Wrong == "":
			cell.Found = was.Wrong
		case was.Wrong != "":
			cell.Wrong = now.Wrong
		case was.values(a.Metric) != nil && now.values(a.Metric) != nil:
		case a.Reference == "":
			a.leave(after, now.Case, fmt.Sprintf("no %s in both", a.Metric), true)
			continue
		case a.Reference == after.Name:
			continue // it is what the others are relative to
		default:
			a.leave(after, now.Case, fmt.Sprintf("no %s in both, of it and of %s", a.Metric, a.Reference), true)
			continue
		}
		if cell.Lost+cell.Found+cell.Wrong != "" {
			was, now = nil, nil
		}
		m.Cells, p.old, p.new = append(m.Cells, cell), append(p.old, was), append(p.new, now)
	}
	for i := range before.Cells {
		if was := &before.Cells[i]; after.cell(was.Case, was.Size) == nil {
			a.leave(before, was.Case, "in OLD only", true)
		}
	}
	return m, p
}

// sameNumbers reports whether all CPU times of both runs are the same to the
// nanosecond, which no two runs have: they are one, such as a file and what the
// history has of it.
func sameNumbers(pairs []pairing) bool {
	some := false
	for _, p := range pairs {
		old, new := p.timed()
		for i := range old {
			// Formats differ in the last digit of a float.
			if !slices.EqualFunc(old[i].CPU, new[i].CPU, func(a, b float64) bool { return math.Abs(a-b) < 0.5e-9 }) {
				return false
			}
			some = some || len(old[i].CPU) > 0
		}
	}
	return some
}

// doubt says what is to be doubted of all numbers.
func (a *Against) doubt(pairs []pairing) {
	if sameNumbers(pairs) {
		a.Doubts = append(a.Doubts, stat.Doubt{Kind: "same", Text: "all times are the same in both: OLD and NEW are one run"})
	}
	for _, side := range []struct {
		name string
		run  *Saved
	}{{"OLD", a.Old}, {"NEW", a.New}} {
		for _, d := range side.run.Doubts {
			a.Doubts = append(a.Doubts, stat.Doubt{Kind: "load", Text: side.name + ": " + d})
		}
	}
	a.doubtReference()
	moved, same, most := 0, 0, 1.0
	for _, p := range a.Programs {
		c := p.summary()
		if !p.SameSource || c == nil {
			continue
		}
		same++
		if c.Claim != stat.CannotTell {
			moved++
			most = max(most, c.Ratio.Ratio, 1/c.Ratio.Ratio)
		}
	}
	if moved > 0 {
		a.Doubts = append(a.Doubts, stat.Doubt{Kind: "apart", Text: fmt.Sprintf(
			"%d of %d submissions of unchanged source differ, by up to %.1f %%: so much may be the machine's or the toolchain's in the others, too%s", moved, same, 100*(most-1),
			map[bool]string{true: "; relative to one of them (--reference) it would not be"}[a.Reference == ""])})
	}
}

// summary is the change that speaks for the whole submission: of all its cases,
// or of the only one; nil if it has none.
func (m *Matched) summary() *Change {
	if m.Overall != nil {
		return m.Overall
	}
	for _, c := range m.Cells {
		if c.Change != nil {
			return c.Change
		}
	}
	return nil
}
