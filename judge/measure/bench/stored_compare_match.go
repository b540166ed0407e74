package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"crucible/judge/measure/stat"
)

// match sets a.Programs to the submissions in both runs, and adds the others to
// a.Left.
func (a *RunComparison) match() {
	for i := range a.New.Programs {
		after := &a.New.Programs[i]
		before := a.Old.program(after.Problem, after.Name)
		if before == nil {
			a.leave(after, "", "in NEW only", false)
			continue
		}
		if m := a.matched(before, after); m.Lost != "" || len(m.Cells) > 0 {
			a.Programs = append(a.Programs, m)
		}
	}
	for i := range a.Old.Programs {
		before := &a.Old.Programs[i]
		if a.New.program(before.Problem, before.Name) == nil {
			a.leave(before, "", "in OLD only", true)
		}
	}
}

func (a *RunComparison) leave(p *StoredProgram, name, why string, missing bool) {
	a.Left = append(a.Left, Omission{Problem: p.Problem, Name: p.Name, Case: name, Why: why, Missing: missing})
}

// matched matches the cells of one submission.
func (a *RunComparison) matched(before, after *StoredProgram) ProgramChange {
	m := ProgramChange{Problem: after.Problem, Name: after.Name, Language: after.Language,
		OldCommand: before.Command, NewCommand: after.Command,
		SameSource: before.Source != "" && before.Source == after.Source &&
			(before.Command == nil || after.Command == nil || slices.Equal(before.Command, after.Command))}
	switch {
	case before.Wrong+before.Unknown != "":
		a.leave(after, "", "in OLD "+before.Wrong+before.Unknown, false)
		return m
	case after.Unknown != "":
		a.leave(after, "", "in NEW "+after.Unknown, true)
		return m
	case after.Wrong != "":
		m.Lost = after.Wrong
		return m
	}
	for i := range after.Cells {
		now := &after.Cells[i]
		was := before.cell(now.Case, now.Size)
		cell, why, missing := a.matchCell(after.Name, was, now)
		if why != "" {
			a.leave(after, now.Case, why, missing)
		}
		if cell != nil {
			m.Cells = append(m.Cells, *cell)
		}
	}
	for i := range before.Cells {
		if was := &before.Cells[i]; after.cell(was.Case, was.Size) == nil {
			a.leave(before, was.Case, "in OLD only", true)
		}
	}
	return m
}

// matchCell matches a case of a submission. If it cannot be compared, the cell is
// nil, and why is the reason; "" for the reference, whose ratio to itself is always 1.
func (a *RunComparison) matchCell(submission string, was, now *StoredCell) (cell *CaseChange, why string,
	missing bool) {
	cell = &CaseChange{Case: now.Case, Size: now.Size}
	switch {
	case was == nil:
		return nil, "in NEW only", false
	case was.Unknown+now.Unknown != "":
		return nil, cmp.Or(was.Unknown, now.Unknown), was.Unknown == ""
	case was.Data != "" && now.Data != "" && was.Data != now.Data:
		return nil, "its data has changed", true
	case was.Wrong == "" && now.Wrong != "":
		cell.Lost = now.Wrong
	case was.Wrong != "" && now.Wrong == "":
		cell.Found = was.Wrong
	case was.Wrong != "":
		cell.Wrong = now.Wrong
	case was.values(a.Metric) != nil && now.values(a.Metric) != nil:
		cell.old, cell.new = was, now
	case a.Reference == "":
		return nil, fmt.Sprintf("no %s in both", a.Metric), true
	case a.Reference == submission:
		return nil, "", false
	default:
		return nil, fmt.Sprintf("no %s in both, for it and for %s", a.Metric, a.Reference), true
	}
	return cell, "", false
}

// sameNumbers reports whether all CPU times of both runs are equal to the
// nanosecond. Then they are the same run, for example in a file and in the history.
func (a *RunComparison) sameNumbers() bool {
	some := false
	for i := range a.Programs {
		old, new := a.Programs[i].timed()
		for k := range old {
			// File formats differ in the last digit of a number.
			if !slices.EqualFunc(old[k].Values[ByCPU], new[k].Values[ByCPU],
				func(a, b float64) bool { return math.Abs(a-b) < 0.5e-9 }) {
				return false
			}
			some = some || len(old[k].Values[ByCPU]) > 0
		}
	}
	return some
}

// doubt adds the doubts about the comparison.
func (a *RunComparison) doubt() {
	add := func(kind, format string, args ...any) {
		a.Doubts = append(a.Doubts, stat.Doubtf(kind, format, args...))
	}
	if a.sameNumbers() {
		add("same", "all times are equal: OLD and NEW are the same run")
	}
	for _, d := range a.Old.Doubts {
		add("load", "OLD: %s", d)
	}
	for _, d := range a.New.Doubts {
		add("load", "NEW: %s", d)
	}
	for _, after := range a.New.Programs {
		if a.Reference == "" || after.Name != a.Reference {
			continue
		}
		if before := a.Old.program(after.Problem, after.Name); before != nil && before.Source != "" && after.Source != "" &&
			before.Source != after.Source {
			add("apart", "the source of %s has changed: its own change affects the ratios of the others", a.Reference)
		}
	}
	moved, same, most := 0, 0, 1.0
	for i := range a.Programs {
		p := &a.Programs[i]
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
		advice := ""
		if a.Reference == "" {
			advice = "; use one of them as --reference to remove this effect"
		}
		add("apart", "%d of %d submissions with unchanged source differ, by up to %.1f %%: the machine or the toolchain "+
			"may change the others as much%s", moved, same, 100*(most-1), advice)
	}
}

// summary returns the change over all cases of the submission, or that of its
// first compared case; nil if there is none.
func (m *ProgramChange) summary() *Change {
	if all := m.Changes(); all != nil {
		return all[0]
	}
	return nil
}
