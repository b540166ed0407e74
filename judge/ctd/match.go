package ctd

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
// continues at the next one, or, without a set, it continues in two places, of which
// the first is preferred. The last instruction of a program is the match.
type inst struct {
	set  *set
	x, y int32
}

// A compiler emits a program. Above the size limit it continues without emitting.
type compiler struct{ prog []inst }

func (c *compiler) full() bool { return len(c.prog) > maxInsts }

func (c *compiler) add(i inst) int {
	if c.full() {
		return len(c.prog) - 1
	}
	c.prog = append(c.prog, i)
	return len(c.prog) - 1
}

func (c *compiler) here() int32 { return int32(len(c.prog)) }

// split emits an instruction that continues at the next one; its other target is
// set later. A plain jump has two equal targets.
func (c *compiler) split() int {
	return c.add(inst{x: c.here() + 1})
}

// emit emits a part such that it continues at the instruction after its own.
func (c *compiler) emit(p *part) {
	if c.full() {
		return
	}
	switch p.is {
	case isSet:
		c.add(inst{set: &p.set})
	case isRow:
		for _, q := range p.parts {
			c.emit(q)
		}
	case isChoice:
		var ends []int
		for i, q := range p.parts {
			if i == len(p.parts)-1 {
				c.emit(q)
				break
			}
			fork := c.split()
			c.emit(q)
			ends = append(ends, c.split())
			c.prog[fork].y = c.here()
		}
		for _, e := range ends {
			c.prog[e].x, c.prog[e].y = c.here(), c.here()
		}
	case isRepeat:
		c.repeat(p)
	}
}

func (c *compiler) repeat(p *part) {
	for range p.min {
		before := c.here()
		c.emit(p.parts[0])
		// The empty match may be repeated any number of times.
		if c.here() == before || c.full() {
			break
		}
	}
	if p.max == endless {
		fork := c.split()
		c.emit(p.parts[0])
		c.add(inst{x: int32(fork), y: int32(fork)})
		c.prog[fork].y = c.here()
		return
	}
	var forks []int
	for range p.max - p.min {
		if c.full() {
			break
		}
		forks = append(forks, c.split())
		c.emit(p.parts[0])
	}
	for _, f := range forks {
		c.prog[f].y = c.here()
	}
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
	match := int32(len(re.prog) - 1)
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
			if i := &re.prog[pc]; i.set == nil && pc != match {
				stack = append(stack, i.y, i.x)
			}
		}
	}
	enter(now, 0)
	for at := 0; len(now.list) > 0; at++ {
		then.list = then.list[:0]
		for _, pc := range now.list {
			m.work(1)
			if pc == match {
				n, ok = at, true
				break // the remaining ones are less preferred
			}
			if s := re.prog[pc].set; s != nil && at < len(in) && s.has(in[at]) {
				enter(then, pc+1)
			}
		}
		now, then = then, now
	}
	return n, ok
}
