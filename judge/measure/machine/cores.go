package machine

import (
	"cmp"
	"slices"
)

// alike is the smallest ratio of the speeds of two processors of the same kind. On
// some models the best cores are up to a tenth faster.
const alike = 0.9

// byKind separates the fast processors from those of a slower kind.
func byKind(all []Processor) (fast, slow []Processor) {
	// The kernel's capacity is more precise, but is 1024 for all if it is not known.
	speed := func(p Processor) int { return p.Capacity }
	if !slices.ContainsFunc(all, func(p Processor) bool { return p.Capacity != all[0].Capacity }) {
		speed = func(p Processor) int { return p.Max }
	}
	fastest := 0
	for _, p := range all {
		fastest = max(fastest, speed(p))
	}
	for _, p := range all {
		// An unknown speed does not count as slow.
		if s := speed(p); s > 0 && float64(s) < alike*float64(fastest) {
			slow = append(slow, p)
		} else {
			fast = append(fast, p)
		}
	}
	return fast, slow
}

func ids(all []Processor) []int {
	var ids []int
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return ids
}

// Pin returns the allowed processors in the order in which to pin programs to
// them: one of each core, fast kinds first, and then the others. The first apart of
// them are fast and share no core: times measured on these are comparable.
func Pin(all []Processor, allowed []int) (order []int, apart int) {
	known := slices.DeleteFunc(slices.Clone(all), func(p Processor) bool { return !slices.Contains(allowed, p.ID) })
	for _, id := range allowed {
		if !slices.ContainsFunc(known, func(p Processor) bool { return p.ID == id }) {
			known = append(known, Processor{ID: id})
		}
	}
	fast, slow := byKind(known)
	fast, second := oneEach(fast)
	slow, third := oneEach(slow)
	return ids(slices.Concat(fast, slow, second, third)), len(fast)
}

// oneEach separates one processor of each core from the rest. Processor 0 is the
// last of first, because it handles most interrupts.
func oneEach(all []Processor) (first, rest []Processor) {
	taken := map[int]bool{}
	for _, p := range all {
		core := p.ID
		if len(p.Siblings) > 0 {
			core = slices.Min(p.Siblings)
		}
		if taken[core] {
			rest = append(rest, p)
			continue
		}
		taken[core] = true
		first = append(first, p)
	}
	slices.SortStableFunc(first, func(a, b Processor) int { return cmp.Compare(min(b.ID, 1), min(a.ID, 1)) })
	return first, rest
}

// Spare returns the allowed processors whose cores are not used. It returns nil if they
// are fewer than half as many as the used ones: the work of the judge could then need
// longer than the programs.
func Spare(all []Processor, allowed, used []int) []int {
	taken := func(id int) bool {
		return slices.ContainsFunc(all, func(p Processor) bool {
			return slices.Contains(used, p.ID) && (p.ID == id || slices.Contains(p.Siblings, id))
		}) || slices.Contains(used, id)
	}
	spare := slices.DeleteFunc(slices.Clone(allowed), taken)
	if 2*len(spare) < len(used) {
		return nil
	}
	return spare
}
