package ctd

import "slices"

// A run is a repeated set of bytes. Most regular expressions are sequences of runs
// in which no byte can belong to two runs, so greedy matching is correct and needs
// no backtracking.
type run struct {
	set      set
	min, max int
}

// runsOf returns the runs of a part, or nil if it is not such a sequence.
func runsOf(root *part) []run {
	parts := []*part{root}
	if root.is == isRow {
		parts = root.parts
	}
	runs := make([]run, 0, len(parts))
	for _, p := range parts {
		r := run{min: 1, max: 1}
		if p.is == isRepeat {
			r.min, r.max = p.min, p.max
			p = p.parts[0]
			if p.is == isRow && len(p.parts) == 1 {
				p = p.parts[0]
			}
		}
		if p.is != isSet {
			return nil
		}
		r.set = p.set
		runs = append(runs, r)
	}
	for i := range runs {
		if runs[i].min == runs[i].max {
			continue
		}
		// The sets that may follow, up to the next mandatory one, must be disjoint.
		for _, next := range runs[i+1:] {
			if runs[i].set.meets(&next.set) {
				return nil
			}
			if next.min > 0 {
				break
			}
		}
	}
	return runs
}

// match returns the length of the match at the beginning of the input.
func (re *regex) match(m *machine, in []byte) (n int, ok bool) {
	if re.runs == nil {
		return re.simulate(m, in)
	}
	for i := range re.runs {
		r := &re.runs[i]
		start := n
		for n < len(in) && (r.max == endless || n-start < r.max) && r.set.has(in[n]) {
			n++
		}
		m.work(1 + (n-start)/8)
		if n-start < r.min {
			return 0, false
		}
	}
	return n, true
}

// An inst is an instruction of an automaton: it consumes a byte of a set and
// continues at x, or, without a set, it continues at x and y, of which x is
// preferred. The first instruction of a program is the match.
type inst struct {
	set  *set
	x, y int32
}

// add adds an instruction and returns its index. A program above the size limit does
// not grow.
func (re *regex) add(i inst) int32 {
	if !re.full() {
		re.prog = append(re.prog, i)
	}
	return int32(len(re.prog) - 1)
}

func (re *regex) full() bool { return len(re.prog) > maxInsts }

// compile adds the instructions of a part that continue at next. It returns the
// index of the first one, or next if the part matches nothing but the empty string.
func (re *regex) compile(p *part, next int32) int32 {
	switch p.is {
	case isSet:
		return re.add(inst{set: &p.set, x: next})
	case isRow:
		for _, q := range slices.Backward(p.parts) {
			next = re.compile(q, next)
		}
	case isChoice:
		last := len(p.parts) - 1
		choice := re.compile(p.parts[last], next)
		for _, q := range slices.Backward(p.parts[:last]) {
			choice = re.add(inst{x: re.compile(q, next), y: choice})
		}
		return choice
	case isRepeat:
		end, count := next, p.max
		if p.max == endless {
			next, count = re.add(inst{}), p.min
			first := re.compile(p.parts[0], next)
			re.prog[next] = inst{x: first, y: end}
		}
		for i := count; i > 0 && !re.full(); i-- {
			first := re.compile(p.parts[0], next)
			if first == next {
				break // the empty match may be repeated any number of times
			}
			if i > p.min {
				first = re.add(inst{x: first, y: end})
			}
			next = first
		}
	}
	return next
}

// A threads is the set of active instructions of a simulation, preferred ones
// first.
type threads struct {
	list []int32
	at   []int32 // by instruction: its index in list if it is active
}

func (c *threads) has(pc int32) bool {
	i := c.at[pc]
	return int(i) < len(c.list) && c.list[i] == pc
}

func (c *threads) add(pc int32) {
	c.at[pc] = int32(len(c.list))
	c.list = append(c.list, pc)
}

// threads returns an empty set with room for the program.
func (m *machine) threads(i int, re *regex) *threads {
	c := &m.sets[i]
	if len(c.at) < len(re.prog) {
		m.work(len(re.prog) / 8)
		c.at = make([]int32, len(re.prog))
	}
	c.list = c.list[:0]
	return c
}

// simulate runs the program on the input. Its time is at most proportional to the
// product of their lengths, and is charged to the machine.
func (re *regex) simulate(m *machine, in []byte) (n int, ok bool) {
	now, then := m.threads(0, re), m.threads(1, re)
	var stack []int32
	// enter adds the instructions that can be reached without consuming a byte, in
	// order of preference.
	enter := func(c *threads, pc int32) {
		stack = append(stack[:0], pc)
		for len(stack) > 0 {
			pc := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			m.work(1)
			if c.has(pc) {
				continue
			}
			c.add(pc)
			if i := &re.prog[pc]; i.set == nil && pc != 0 {
				stack = append(stack, i.y, i.x)
			}
		}
	}
	enter(now, re.start)
	for at := 0; len(now.list) > 0; at++ {
		then.list = then.list[:0]
		for _, pc := range now.list {
			m.work(1)
			if pc == 0 {
				n, ok = at, true
				break // the remaining ones are less preferred
			}
			if i := &re.prog[pc]; i.set != nil && at < len(in) && i.set.has(in[at]) {
				enter(then, i.x)
			}
		}
		now, then = then, now
	}
	return n, ok
}
