package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"crucible/judge/problem"
	"crucible/judge/stat"
)

// A Plan contains the settings for the length of a measurement. The zero value
// measures one round.
//
// If Rounds is set, that many rounds are run, and their precision is checked once.
// Otherwise rounds are run until every ratio is as precise as requested. Repeated
// checks increase the probability of a wrong claim, so the checks (looks) are fixed
// before the first round: after 10, 20, 40, … rounds and at the end. Each costs
// its share of the confidence. The time of the warm-up rounds gives an estimate of how
// many looks the budget has room for. If the budget ends between two looks, that is
// the last look.
//
// For a single submission, the precision is that of its median.
type Plan struct {
	Warmup    int            // the number of rounds that do not count
	Rounds    int            // the number of rounds; 0 if Precision and Budget determine it
	Precision float64        // the half-width of all intervals at which to end: 0.01 is ±1 %; 0 is never
	Budget    time.Duration  // wall-clock time, including the warm-up; at least one round is run; 0 is no limit
	Stretch   time.Duration  // a larger budget, used only if Budget allows too few rounds for any claim and Stretch allows enough; 0 is none
	Fastest   bool           // the fastest submission of the warm-up becomes the reference
	OnRound   func(Progress) // called after each round, if not nil
}

// A Progress is the progress of a measurement.
type Progress struct {
	Round   int           // the number of rounds done; 0 after the warm-up
	Planned int           // the estimated number of rounds
	Left    time.Duration // the rest of the budget; 0 if there is no budget
	Half    float64       // half-width of the widest interval, 0.01 is 1 %, updated from time to time; +Inf if not known yet
	Warming bool          // the warm-up has ended, and no round yet
}

// most is the largest number of rounds, unless Rounds is set.
const most = 1000

// Run measures all submissions of a series on all its cases. A pair that was not
// accepted is not run again. The error is that of a context that ended: the
// measurement of the series contains the trials until then.
func (p Plan) Run(ctx context.Context, s *Series) error {
	m := s.Measurement
	m.Precision, m.Budget, m.Ended = p.Precision, p.Budget, ""
	if p.Rounds > 0 {
		m.Precision = 0
	}
	began := time.Now()
	s.look = m.watch()
	defer s.look()
	err := p.rounds(ctx, s, began)
	if err != nil {
		m.Ended = Interrupted
	}
	return err
}

func (p Plan) rounds(ctx context.Context, s *Series, began time.Time) error {
	m := s.Measurement
	for range p.Warmup {
		if err := s.WarmUp(ctx, s.pairs()); err != nil {
			return err
		}
	}
	if p.Fastest {
		m.Reference = fastest(m)
	}
	looks, needed := p.looks(m, time.Since(began))
	m.Looks = len(looks)
	last := looks[len(looks)-1]
	budget := p.Budget
	if needed > 0 {
		p.Budget = p.Stretch
	}
	half := math.Inf(1)
	p.tell(began, Progress{Planned: last, Half: half, Warming: true})
	first := time.Now()
	for n := 1; ; n++ {
		pairs := s.pairs()
		if !s.rivals(pairs) {
			m.Ended = NoRivals
			return nil
		}
		if err := s.Round(ctx, pairs); err != nil {
			return err
		}
		if p.OnRound != nil && n > 1 && (n < 20 || n%(n/10) == 0) {
			// Not after each round: its cost grows with the number of rounds.
			half = HalfWidth(m)
		}
		if n >= needed {
			p.Budget = budget
		}
		p.tell(began, Progress{Round: n, Planned: last, Half: half})
		switch {
		case p.Precision > 0 && p.Rounds == 0 && slices.Contains(looks[:len(looks)-1], n) && HalfWidth(m) <= p.Precision:
			m.Ended = Precise
			return nil
		case p.Budget > 0 && time.Since(began)+time.Since(first)/time.Duration(n) > p.Budget:
			m.Ended = OutOfBudget
			return nil
		case n >= last && (p.Rounds > 0 || p.Budget == 0 || n >= most):
			if m.Ended = AllRounds; p.Rounds == 0 && p.Precision > 0 && HalfWidth(m) <= p.Precision {
				m.Ended = Precise
			}
			return nil
		}
	}
}

// looks returns the numbers of rounds after which to look, given the duration of
// the warm-up. The last is the estimated end. Each look costs some of the
// confidence, so there is none before an interval can be bounded, and none shortly
// before the end. If only the stretched budget allows a claim, needed is the number
// of rounds until which it applies; otherwise 0.
func (p Plan) looks(m *Measurement, warm time.Duration) (looks []int, needed int) {
	if p.Rounds > 0 {
		return []int{p.Rounds}, 0
	}
	fit := most
	if p.Budget > 0 && p.Warmup > 0 && warm > 0 {
		room := func(budget time.Duration) int {
			return min(most, max(1, int(float64(budget-warm)/float64(warm)*float64(p.Warmup))))
		}
		fit = room(p.Budget)
		once := *m
		once.Looks = 1
		overall, _ := Levels(&once)
		if n := stat.Needed(overall); fit < n && n <= room(p.Stretch) {
			fit, needed = n, n
		}
	}
	looks = stat.Looks(fit)
	end := len(looks) - 1
	for end > 0 && (p.Precision <= 0 || 3*looks[end-1] > 2*fit) {
		end--
	}
	looks = append(looks[:end], fit)
	for len(looks) > 1 {
		planned := *m
		planned.Looks = len(looks)
		if overall, _ := Levels(&planned); looks[0] >= stat.Needed(overall) {
			break
		}
		looks = looks[1:]
	}
	return looks, needed
}

// fastest returns the submission that was the fastest over all cases in the
// warm-up, of those accepted; the current reference if there is none.
func fastest(m *Measurement) int {
	best, least := m.Reference, math.Inf(1)
	sums, right := make([]float64, len(m.Submissions)), make([]map[int]bool, len(m.Submissions))
	for i := range m.Trials {
		t := &m.Trials[i]
		if right[t.Submission] == nil {
			right[t.Submission] = make(map[int]bool)
		}
		if t.Err != "" || t.Verdict != problem.Accepted {
			sums[t.Submission] = math.NaN()
		}
		sums[t.Submission] += math.Log(cpu(t))
		right[t.Submission][t.Case] = true
	}
	for s, sum := range sums {
		if len(right[s]) == len(m.Cases) && sum < least {
			best, least = s, sum
		}
	}
	return best
}

func (p Plan) tell(began time.Time, pr Progress) {
	if p.OnRound == nil {
		return
	}
	if p.Budget > 0 {
		pr.Left = max(0, p.Budget-time.Since(began))
	}
	p.OnRound(pr)
}

// pairs returns the pairs of which all runs were accepted, or that have not run yet.
func (s *Series) pairs() []Pair {
	wrong := make(map[Pair]bool)
	for i := range s.Measurement.Trials {
		if t := &s.Measurement.Trials[i]; t.Err != "" || t.Verdict != problem.Accepted {
			wrong[Pair{t.Submission, t.Case}] = true
		}
	}
	var pairs []Pair
	for submission := range s.Measurement.Submissions {
		for c := range s.Measurement.Cases {
			if p := (Pair{submission, c}); s.Runs(submission) && !wrong[p] {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// rivals reports whether there is a case on which the reference and another
// submission can be compared, or a single submission can be measured.
func (s *Series) rivals(pairs []Pair) bool {
	if s.Measurement.Alone() {
		return len(pairs) > 0
	}
	right := make([]int, len(s.Measurement.Submissions))
	for _, p := range pairs {
		right[p.Submission]++
	}
	standard := s.Measurement.standard(right)
	reference := make(map[int]bool)
	for _, p := range pairs {
		if p.Submission == standard {
			reference[p.Case] = true
		}
	}
	return slices.ContainsFunc(pairs, func(p Pair) bool { return p.Submission != standard && reference[p.Case] })
}

// HalfWidth returns the largest half-width of the intervals of ratios over all
// cases: 0.01 is 1 %. If no submission has such a ratio, because each of them or the
// reference failed on some case, it is that of the ratios on single cases. It is
// +Inf if there is no ratio, or an interval is unbounded. For a single submission
// it is that of the median.
func HalfWidth(m *Measurement) float64 {
	t, l := tabulate(m), levelsOf(m)
	var whole, single []float64
	if m.Alone() {
		if all := t.alone(l.overall); all != nil {
			return all.Half()
		}
		for k := range m.Cases {
			if c := t.cell(0, k, levels{plain: l.cell}); c.CPU.N > 0 {
				single = append(single, c.CPU.Half())
			}
		}
	}
	for s := range m.Submissions {
		if s == t.reference || m.Submissions[s].Skipped != "" {
			continue
		}
		if r := t.overall(s, l.overall); r != nil && t.wrong(s) == "" {
			whole = append(whole, r.Half())
			continue
		}
		for k := range m.Cases {
			if program, reference := t.paired(s, k); len(program) > 0 {
				r := stat.Paired(program, reference, l.cell)
				single = append(single, r.Half())
			}
		}
	}
	switch {
	case whole != nil:
		return slices.Max(whole)
	case single != nil:
		return slices.Max(single)
	}
	return math.Inf(1)
}
