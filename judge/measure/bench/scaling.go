package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"crucible/judge/measure/stat"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Growth describes how inputs of growing size were made.
type Growth struct {
	Series string `json:"series"` // its name in the package's scale.yaml; "" if the command is not from there
	// As in generators.yaml; {n} is the size, {seed} is derived from it and the measurement's
	// seed.
	Command string `json:"command"`
	Counts  string `json:"counts"` // what n counts, for people: "puzzles"; "" if not known
	// Why sizes grew no further, one line for people; "" if every submission reached a limit.
	Ended string `json:"ended"`
}

// A Scaling describes how the time and memory of submissions grow with their input.
type Scaling struct {
	Measurement *Measurement `json:"-"`         // the measurement that it was computed from
	Curves      []Curve      `json:"curves"`    // by submission
	Crossings   []Crossing   `json:"crossings"` // in increasing order of N
	// On the largest input on which the submission was accepted; nil for fewer than two workers.
	Workers []WorkerTime `json:"workers,omitempty"`
}

// A Curve is one submission's growth.
type Curve struct {
	Submission SubmissionIndex // the submission
	Wrong      string          // why there are no points; "" if there are
	Points     []Point         // in increasing order of size
	Time       stat.Fit        // of CPU time in seconds
	Memory     stat.Fit        // of peak memory in bytes
	Count      *stat.Fit       // of instructions; nil if they are not the clock
	Measured   float64         // the largest measured size within all limits
	Stopped    string          // why larger sizes were not measured: "TLE on …"; "" if no run failed

	// Largest is the largest size within all limits by both fits. It is at least
	// Measured and below the sizes that exceeded a limit; +Inf if neither fit grows
	// and there is no doubt about it; NaN if not known.
	Largest float64
	Bound   problem.Verdict // the verdict of a larger size, TLE or MLE; "" if Largest is not finite
}

// Growth returns the fit of the measurement's clock: Count, or Time.
func (c *Curve) Growth() *stat.Fit {
	if c.Count != nil {
		return c.Count
	}
	return &c.Time
}

// A Reach classifies the knowledge about the largest size within the limits.
type Reach string

const (
	ReachSize     Reach = "size"     // [Curve].Largest is the largest size
	ReachAny      Reach = "any"      // all sizes are within the limits
	ReachNone     Reach = "none"     // no size is
	ReachDoubtful Reach = "doubtful" // Largest is far above the measured sizes, by a fit with doubts
	ReachUnknown  Reach = "unknown"  // nothing is known above the measured sizes
)

// Reach returns the meaning of Largest.
func (c *Curve) Reach() Reach {
	const far = 10 // times the largest measured size: a fit with doubts is not used above that
	doubts := c.Time.Doubts
	if c.Bound == problem.MemoryLimit {
		doubts = c.Memory.Doubts
	}
	switch {
	case math.IsNaN(c.Largest), math.IsInf(c.Largest, 1) && c.Stopped != "":
		return ReachUnknown
	case len(doubts) > 0 && c.Largest > far*c.Measured:
		return ReachDoubtful
	case math.IsInf(c.Largest, 1) || c.Largest > generate.MaxSize:
		return ReachAny
	case c.Largest < 1:
		return ReachNone
	}
	return ReachSize
}

// A Point is a submission on inputs of one size.
type Point struct {
	N float64 `json:"n"` // the size
	// Seconds, of the accepted runs; a lower bound from all runs if the verdict is TLE or MLE.
	CPU    stat.Summary `json:"cpu_s"`
	Memory stat.Summary `json:"memory_bytes"` // bytes, likewise
	// Likewise, of the accepted runs; nil if instructions are not the clock, or are not known.
	Count   *stat.Summary   `json:"instructions,omitzero"`
	Verdict problem.Verdict `json:"verdict"` // AC, the limit that most runs exceeded, or the first other verdict
}

// A Crossing is the size at which two submissions take the same time.
type Crossing struct {
	A      SubmissionIndex `json:"a"`      // faster below N
	B      SubmissionIndex `json:"b"`      // faster above N
	N      float64         `json:"n"`      // the size
	Within bool            `json:"within"` // N is at most the largest size that both were measured at within all limits
}

// ScalingOf fits the growth of time and memory to a measurement on inputs of
// growing size.
func ScalingOf(m *Measurement) *Scaling {
	s := &Scaling{Measurement: m, Workers: m.workerTimes()}
	t := tabulate(m)
	for i := range m.Submissions {
		s.Curves = append(s.Curves, t.curve(i))
	}
	for a := range s.Curves {
		for b := range a {
			s.Crossings = append(s.Crossings, crossings(&s.Curves[b], &s.Curves[a])...)
		}
	}
	slices.SortStableFunc(s.Crossings, func(a, b Crossing) int { return cmp.Compare(a.N, b.N) })
	return s
}

// bySize returns the indexes of the cases in increasing order of size.
func (m *Measurement) bySize() []int {
	order := make([]int, len(m.Cases))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.Cases[a].Size, m.Cases[b].Size) })
	return order
}

// curve returns the curve of one submission.
func (t *table) curve(submission int) (c Curve) {
	c.Submission = SubmissionIndex(submission)
	for _, k := range t.bySize() {
		ran := t.records[submission][k].runs
		if ran == nil {
			continue
		}
		p, why := ran.point(t.Cases[k].Size, confidence(t.Measurement))
		if counts := t.records[submission][k].good().values(executed); t.Clock == ByInstructions && counts != nil {
			count := t.summarize(counts, confidence(t.Measurement))
			p.Count = &count
		}
		if p.Verdict != problem.Accepted && c.Stopped == "" {
			c.Stopped = fmt.Sprintf("%s on %s", cmp.Or(string(p.Verdict), "judge error"), t.Cases[k].Name)
			if why != "" {
				c.Stopped += ": " + why
			}
		}
		if p.CPU.N > 0 || p.Verdict != "" {
			c.Points = append(c.Points, p)
		}
	}
	switch why := t.Submissions[submission].Skipped; {
	case why != "":
		c.Wrong = "skipped: " + why
	case !slices.ContainsFunc(c.Points, func(p Point) bool { return p.CPU.N > 0 }):
		c.Wrong, c.Points = cmp.Or(c.Stopped, "was not run"), nil
	default:
		c.fit(t.Measurement)
	}
	return c
}

// point summarizes the runs at one size. If one run has a wrong answer or an
// error, the point has that verdict and no times. The point is TLE or MLE if at
// least half of the runs exceeded a limit.
func (r runs) point(n, confidence float64) (p Point, why string) {
	p = Point{N: n, Verdict: problem.Accepted}
	limited := 0
	for _, t := range r {
		if t.Faulty() {
			return Point{N: n, Verdict: t.Verdict}, cmp.Or(t.Why, t.Err)
		}
		if stopped(t.Verdict) {
			if limited++; 2*limited >= len(r) && p.Verdict == problem.Accepted {
				p.Verdict, why = t.Verdict, t.Why
			}
		}
	}
	if p.Verdict == problem.Accepted {
		r = slices.DeleteFunc(slices.Clone(r), func(t *Trial) bool { return t.Verdict != problem.Accepted })
	}
	p.CPU = r.summary(cpu, confidence)
	p.Memory = r.summary(memory, confidence)
	return p, why
}

// fit fits the points within all limits. Those that exceeded a limit are lower
// bounds.
func (c *Curve) fit(m *Measurement) {
	var n, cpu, memory []float64
	var limited []bool
	for _, p := range c.Points {
		if p.CPU.N > 0 {
			n, cpu, memory = append(n, p.N), append(cpu, p.CPU.Median), append(memory, p.Memory.Median)
			limited = append(limited, p.Verdict != problem.Accepted)
		}
		if p.Verdict == problem.Accepted {
			c.Measured = max(c.Measured, p.N)
		}
	}
	c.Time, c.Memory = stat.FitOf(n, cpu, limited, confidence(m)), stat.FitOf(n, memory, limited, confidence(m))
	if m.Clock == ByInstructions {
		c.count(m)
	}
	c.doubts(m)
	c.reach(m)
}

// count fits the counts of instructions. A run that exceeded a limit has none.
func (c *Curve) count(m *Measurement) {
	var n, counts []float64
	for _, p := range c.Points {
		if p.Count != nil {
			n, counts = append(n, p.N), append(counts, p.Count.Median)
		}
	}
	fit := stat.FitOf(n, counts, make([]bool, len(n)), confidence(m))
	c.Count = &fit
	if len(n) > 1 && fit.Model == stat.Constant {
		if hidden := fit.Hides * fit.A / (n[len(n)-1] - n[0]); hidden > 1 {
			fit.Doubts = append(fit.Doubts,
				stat.Doubtf("start-up", "growth by up to %s for each n would be hidden by the start-up: measure larger sizes",
					terminal.Instructions(int64(math.Ceil(hidden)))))
		}
	}
	fit.Doubts = append(fit.Doubts, m.loadDoubts("inputs")...)
}

const (
	// aStep is the smallest time, in seconds, for a few instructions for each n.
	aStep = 1e-9
	// aByte is the smallest memory, in bytes, that is stored for each n.
	aByte = 1.
	// memoryStep is the resolution of peak memory: Linux charges a cgroup for 64
	// pages at a time.
	memoryStep = 64 * 4096.
)

// doubts adds the doubts that package stat cannot find: that a constant may hide
// the growth of a very fast program, and those about the measurement.
func (c *Curve) doubts(m *Measurement) {
	flat := func(to *stat.Fit, hidden string) {
		to.Doubts = append(to.Doubts,
			stat.Doubtf("start-up", "growth by up to %s for each n would be hidden by the start-up: measure larger sizes",
				hidden))
	}
	span := c.Measured - c.Points[0].N
	if hidden := c.Time.Hides * c.Time.A / span; c.Time.Model == stat.Constant && hidden > aStep {
		flat(&c.Time, terminal.Seconds(hidden))
	}
	if hidden := max(c.Memory.Hides*c.Memory.A, memoryStep) / span; c.Memory.Model == stat.Constant && hidden > aByte {
		flat(&c.Memory, terminal.Bytes(int64(math.Ceil(hidden))))
	}
	c.Time.Doubts = append(c.Time.Doubts, m.loadDoubts("inputs")...)
	for _, text := range m.Doubts {
		c.Memory.Doubts = append(c.Memory.Doubts, stat.Doubtf("inputs", "%s", text))
	}
}

// reach computes the largest size within the limits from the fits. It is at least
// the largest measured size, and below those that exceeded a limit.
func (c *Curve) reach(m *Measurement) {
	c.Largest = math.NaN()
	limits, sure := 0, true
	largest, bound := math.Inf(1), problem.Verdict("")
	for _, of := range []struct {
		fit     *stat.Fit
		limit   float64
		verdict problem.Verdict
	}{{&c.Time, m.Limits.Time.Seconds(), problem.TimeLimit}, {&c.Memory, float64(m.Limits.Memory), problem.MemoryLimit}} {
		switch {
		// Memory may not have been measured.
		case of.limit <= 0, of.verdict == problem.MemoryLimit && !slices.ContainsFunc(c.Points,
			func(p Point) bool { return p.Memory.Median > 0 }):
			continue
		case of.fit.Model == "":
			return
		}
		limits++
		sure = sure && len(of.fit.Doubts) == 0
		if n := math.Floor(of.fit.Inverse(of.limit)); n < largest {
			largest, bound = n, of.verdict
		}
	}
	for _, p := range c.Points {
		if stopped(p.Verdict) && p.N > c.Measured {
			if largest >= p.N {
				if math.IsInf(largest, 1) || disproved(&c.Time) || disproved(&c.Memory) {
					return // the fits do not apply beyond the measured sizes
				}
				largest, bound = p.N-1, p.Verdict
			}
			break
		}
	}
	if limits == 0 || math.IsInf(largest, 1) && !sure {
		return
	}
	c.Largest, c.Bound = max(largest, c.Measured), bound
}

// disproved reports whether a stopped run contradicts a fit.
func disproved(f *stat.Fit) bool {
	return slices.ContainsFunc(f.Doubts, func(d stat.Doubt) bool { return d.Kind == "limit" })
}

// beyond is the factor by which the search for crossings extends past the measured
// sizes if there is no doubt about either fit. Beyond that a fit is not reliable.
const beyond = 10

// ages is the multiple of the longest measured time beyond which a crossing does
// not matter.
const ages = 1000

// crossings returns the crossings of two curves.
func crossings(x, y *Curve) []Crossing {
	f, g := x.Growth(), y.Growth()
	if f.Model == "" || g.Model == "" {
		return nil
	}
	lo := max(x.Points[0].N, y.Points[0].N)
	last := min(x.Measured, y.Measured)
	// Programs that differ by less than the errors of the fits are equally fast.
	difference := max(0.05, 2*math.Hypot(f.Error(), g.Error()))
	var found []Crossing
	longest := ages * max(f.At(x.Measured), g.At(y.Measured))
	far := beyond * last
	if len(f.Doubts)+len(g.Doubts) > 0 {
		far = last
	}
	for _, n := range stat.Crossings(f, g, lo, far, difference) {
		if f.At(n) > longest {
			continue
		}
		one := Crossing{A: x.Submission, B: y.Submission, N: n, Within: n <= last}
		if f.At(n*0.99) > g.At(n*0.99) {
			one.A, one.B = one.B, one.A
		}
		found = append(found, one)
	}
	return found
}

// stopped reports whether a run exceeded a limit, which is expected with growing
// input and no fault.
func stopped(v problem.Verdict) bool { return v == problem.TimeLimit || v == problem.MemoryLimit }

// Faulty reports whether a trial failed for a reason other than the time or memory
// limit.
func (t *Trial) Faulty() bool { return t.Verdict != problem.Accepted && !stopped(t.Verdict) }
