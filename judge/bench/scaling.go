package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"crucible/judge"
	"crucible/judge/stat"
)

// A Growth is what inputs of growing size were made from.
type Growth struct {
	Series  string // its name in the package's scale.yaml; "" if the command is not from there
	Command string // as in generators.yaml; {n} is the size, and {seed} follows from it and the measurement's seed
	Counts  string // what n is, for people: "puzzles"; "" if nothing is said
	Ended   string // why sizes grew no further, a line for people; "" if every submission had come to a limit
}

// A Scaling is how the time and memory of submissions grow with their input.
type Scaling struct {
	Measurement *Measurement
	Curves      []Curve // by submission
	Crossings   []Crossing
}

// A Curve is one submission's growth.
type Curve struct {
	Wrong    string   // why it has no points; "" if it has
	Points   []Point  // by size, as far as it got
	Time     stat.Fit // of CPU seconds
	Memory   stat.Fit // of bytes
	Measured float64  // the largest size that was within the time limit
	Largest  float64  // the largest that the fit says would be; +Inf if time does not grow
	Stopped  string   // why it got no further: "TLE on …"
}

// A Point is a submission on inputs of one size.
type Point struct {
	N           float64
	CPU, Memory stat.Summary // of the runs that were accepted; of all if the point is TLE or MLE, when they are at least so much
	Verdict     judge.Verdict
}

// A Crossing is the size at which two submissions take the same time.
type Crossing struct {
	A, B   int // submissions: A is faster below, B above
	N      float64
	Within bool // N is between sizes that both were measured at
}

// ScalingOf works out what a measurement on inputs of growing size comes to.
func ScalingOf(m *Measurement) *Scaling {
	s := &Scaling{Measurement: m}
	for i := range m.Submissions {
		s.Curves = append(s.Curves, curveOf(m, i))
	}
	for a := range s.Curves {
		for b := range a {
			s.Crossings = append(s.Crossings, crossings(s.Curves, b, a)...)
		}
	}
	slices.SortStableFunc(s.Crossings, func(a, b Crossing) int { return cmp.Compare(a.N, b.N) })
	return s
}

// curveOf is one submission's part.
func curveOf(m *Measurement, submission int) Curve {
	var c Curve
	byCase := make([][]*Trial, len(m.Cases))
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Submission == submission && t.Round >= 0 {
			byCase[t.Case] = append(byCase[t.Case], t)
		}
	}
	order := make([]int, len(m.Cases))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.Cases[a].Size, m.Cases[b].Size) })
	for _, k := range order {
		if len(byCase[k]) == 0 {
			continue
		}
		p, why := pointOf(m.Cases[k].Size, byCase[k], confidence(m))
		if p.Verdict != judge.Accepted && c.Stopped == "" {
			c.Stopped = fmt.Sprintf("%s on %s", cmp.Or(string(p.Verdict), "judge error"), m.Cases[k].Name)
			if why != "" {
				c.Stopped += ": " + why
			}
		}
		if p.CPU.N > 0 || p.Verdict != "" {
			c.Points = append(c.Points, p)
		}
	}
	switch {
	case m.Submissions[submission].Skipped != "":
		c.Wrong = "skipped: " + m.Submissions[submission].Skipped
	case !slices.ContainsFunc(c.Points, func(p Point) bool { return p.CPU.N > 0 }):
		c.Wrong, c.Points = cmp.Or(c.Stopped, "was not run"), nil
	default:
		c.fit(m)
	}
	return c
}

// pointOf sums up the runs at one size. One that is wrong makes the whole point
// wrong, and then there is no time; limits decide by most of the runs.
func pointOf(n float64, trials []*Trial, confidence float64) (p Point, why string) {
	p = Point{N: n, Verdict: judge.Accepted}
	limited := 0
	for _, t := range trials {
		switch t.Verdict {
		case judge.Accepted:
		case judge.TimeLimit, judge.MemoryLimit:
			if limited++; 2*limited >= len(trials) && p.Verdict == judge.Accepted {
				p.Verdict, why = t.Verdict, t.Why
			}
		default:
			return Point{N: n, Verdict: t.Verdict}, cmp.Or(t.Why, t.Err)
		}
	}
	var cpu, memory []float64
	for _, t := range trials {
		if t.Verdict == judge.Accepted || p.Verdict != judge.Accepted {
			cpu, memory = append(cpu, t.Outcome.CPU.Seconds()), append(memory, float64(t.Outcome.Memory))
		}
	}
	p.CPU, p.Memory = stat.Summarize(cpu, confidence), stat.Summarize(memory, confidence)
	return p, why
}

// fit fits the points within all limits: what was stopped took at least so
// long, and nobody knows how long it would have taken.
func (c *Curve) fit(m *Measurement) {
	var n, cpu, memory []float64
	for _, p := range c.Points {
		if p.Verdict == judge.Accepted {
			n, cpu, memory = append(n, p.N), append(cpu, p.CPU.Median), append(memory, p.Memory.Median)
			c.Measured = max(c.Measured, p.N)
		}
	}
	c.Time, c.Memory = stat.FitOf(n, cpu, confidence(m)), stat.FitOf(n, memory, confidence(m))
	c.Largest = math.NaN()
	if limit := m.Limits.Time; limit > 0 && c.Time.Model != "" {
		c.Largest = math.Floor(c.Time.Inverse(limit.Seconds()))
	}
}

// beyond is how far past the sizes measured crossings are looked for, as a
// factor, if neither fit is in doubt: what a fit says of sizes further away is no
// more than a guess.
const beyond = 10

// ages is how many times as long as the longest time measured is too long for
// anybody to care.
const ages = 1000

// crossings are those of two curves.
func crossings(curves []Curve, a, b int) []Crossing {
	x, y := &curves[a], &curves[b]
	if x.Time.Model == "" || y.Time.Model == "" {
		return nil
	}
	lo := max(x.Points[0].N, y.Points[0].N)
	last := min(x.Measured, y.Measured)
	// Within their errors two programs are equally fast.
	difference := max(0.05, 2*math.Hypot(x.Time.Error(), y.Time.Error()))
	var found []Crossing
	longest := ages * max(x.Time.At(x.Measured), y.Time.At(y.Measured))
	far := beyond * last
	if len(x.Time.Doubts)+len(y.Time.Doubts) > 0 {
		far = last
	}
	for _, n := range stat.Crossings(&x.Time, &y.Time, lo, far, difference) {
		if x.Time.At(n) > longest {
			continue
		}
		one := Crossing{A: a, B: b, N: n, Within: n <= last}
		if x.Time.At(n*0.99) > y.Time.At(n*0.99) {
			one.A, one.B = b, a
		}
		found = append(found, one)
	}
	return found
}

// stopped reports whether a run was ended by a limit, as growing input is
// bound to do sooner or later; that is no fault.
func stopped(v judge.Verdict) bool { return v == judge.TimeLimit || v == judge.MemoryLimit }

// Faulty reports whether a trial is wrong otherwise than by a limit of time or
// memory.
func (t *Trial) Faulty() bool { return t.Verdict != judge.Accepted && !stopped(t.Verdict) }
