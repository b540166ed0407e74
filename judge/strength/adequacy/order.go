package adequacy

import "time"

// SoonestOrder returns all cases in an order in which wrong programs are rejected
// after little CPU time, if judging ends with the first rejection. It takes the case
// with the most rejections of programs that are left per second of CPU time; the
// weighted minimum-sum set cover that this solves is at most four times better (Feige,
// Lovász and Tetali 2004). Cases that reject nothing more keep their order at the end.
// A case of unknown CPU time counts as one of a millisecond.
func (m *Matrix) SoonestOrder() []int {
	sets, left := m.sets(), newSet(len(m.Programs))
	for p := range m.Programs {
		left.add(p)
	}
	taken := make([]bool, len(sets))
	var order []int
	for {
		best, rate := -1, 0.0
		for c, s := range sets {
			if r := float64(s.countOf(left)) / m.cost(c).Seconds(); !taken[c] && r > rate {
				best, rate = c, r
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		order = append(order, best)
		left = left.without(sets[best])
	}
	for c := range sets {
		if !taken[c] {
			order = append(order, c)
		}
	}
	return order
}

func (m *Matrix) cost(c int) time.Duration {
	if t := m.Cases[c].CPU; t > 0 {
		return t
	}
	return time.Millisecond
}

// TimeToReject returns the mean CPU time until a program is rejected, if the cases are
// judged in the order, and the number of programs that are rejected. Cases that are not
// in the order are not judged. The mean is over the rejected programs.
func (m *Matrix) TimeToReject(order []int) (mean time.Duration, rejected int) {
	var sum time.Duration
	for p := range m.Programs {
		var t time.Duration
		for _, c := range order {
			t += m.cost(c)
			if m.Killed(p, c) {
				sum += t
				rejected++
				break
			}
		}
	}
	if rejected > 0 {
		mean = sum / time.Duration(rejected)
	}
	return mean, rejected
}

// Time returns the CPU time of an accepted program on the cases.
func (m *Matrix) Time(cases []int) time.Duration {
	var sum time.Duration
	for _, c := range cases {
		sum += m.cost(c)
	}
	return sum
}
