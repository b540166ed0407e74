package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
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
//
// If all counts of instructions repeat exactly, two rounds are enough for every claim.
type Plan struct {
	Warmup    int           // the number of rounds that do not count
	Rounds    int           // the number of rounds; 0 if Precision and Budget determine it
	Precision float64       // the half-width of all intervals at which to end: 0.01 is ±1 %; 0 is never
	Budget    time.Duration // wall-clock time, including the warm-up; at least one round is run; 0 is no limit
	// A larger budget, used only if Budget allows too few rounds for any claim and Stretch
	// allows enough; 0 is none.
	Stretch time.Duration
	Fastest bool           // the fastest submission of the warm-up becomes the reference
	OnRound func(Progress) // called after each round, if not nil
}

// A Progress is the progress of a measurement.
type Progress struct {
	Round   int           // the number of rounds done; 0 after the warm-up
	Planned int           // the estimated number of rounds
	Left    time.Duration // the rest of the budget; 0 if there is no budget
	// half-width of the widest interval, 0.01 is 1 %, updated from time to time; +Inf if not
	// known yet.
	Half    float64
	Warming bool // the warm-up has ended, and no round yet
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
	s.watch()
	defer s.look()
	ended, err := p.rounds(ctx, s)
	if err != nil {
		ended = Interrupted
	}
	m.Ended = ended
	return err
}

// rounds runs the warm-up and the rounds, and returns why it ended.
func (p Plan) rounds(ctx context.Context, s *Series) (Ending, error) {
	m, began := s.Measurement, time.Now()
	for range p.Warmup {
		if err := s.Round(ctx, warmUp, tabulate(m).pairs()); err != nil {
			return "", err
		}
	}
	if p.Fastest && p.Warmup > 0 {
		m.Reference = fastest(m)
	}
	looks, needed := p.looks(m, time.Since(began))
	m.Looks = len(looks)
	last := looks[len(looks)-1]
	half := math.Inf(1)
	first := time.Now()
	for n := 0; ; n++ {
		budget := p.Budget
		if n < needed {
			budget = p.Stretch
		}
		if p.OnRound != nil {
			if n > 1 && (n < 20 || n%(n/10) == 0) {
				// Not after each round: its cost grows with the number of rounds.
				half = halfWidth(m)
			}
			at := Progress{Round: n, Planned: last, Half: half, Warming: n == 0}
			if budget > 0 {
				at.Left = max(0, budget-time.Since(began))
			}
			p.OnRound(at)
		}
		isLast := n >= last && (p.Rounds > 0 || p.Budget == 0 || n >= most)
		switch {
		case n == 0:
		case p.Rounds == 0 && tabulate(m).repeats():
			return Precise, nil
		case p.Rounds == 0 && p.Precision > 0 && (isLast || slices.Contains(looks[:len(looks)-1], n)) &&
			halfWidth(m) <= p.Precision:
			return Precise, nil
		case budget > 0 && time.Since(began)+time.Since(first)/time.Duration(n) > budget:
			return OutOfBudget, nil
		case isLast:
			return AllRounds, nil
		}
		t := tabulate(m)
		if !t.comparable() {
			return NoRivals, nil
		}
		if err := s.Round(ctx, n, t.pairs()); err != nil {
			return "", err
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
	// needs returns the number of rounds before a claim is possible.
	needs := func(looks int) int {
		planned := *m
		planned.Looks = looks
		overall, _ := Levels(&planned)
		return stat.Needed(overall)
	}
	fit := most
	if p.Budget > 0 && p.Warmup > 0 && warm > 0 {
		room := func(budget time.Duration) int {
			return min(most, max(1, int(float64(budget-warm)/float64(warm)*float64(p.Warmup))))
		}
		fit = room(p.Budget)
		if n := needs(1); fit < n && n <= room(p.Stretch) {
			fit, needed = n, n
		}
	}
	looks = stat.Looks(fit)
	end := len(looks) - 1
	for end > 0 && (p.Precision <= 0 || 3*looks[end-1] > 2*fit) {
		end--
	}
	looks = append(looks[:end], fit)
	for len(looks) > 1 && looks[0] < needs(len(looks)) {
		looks = looks[1:]
	}
	return looks, needed
}

// fastest returns the submission that was the fastest over all cases in the
// warm-up, of those accepted; the current reference if there is none.
func fastest(m *Measurement) int {
	best, least := m.Reference, math.Inf(1)
	sums := make([]float64, len(m.Submissions)) // of the logarithms of the times
	for i := range m.Trials {
		t := &m.Trials[i]
		if t.Err != "" || t.Verdict != problem.Accepted {
			sums[t.Submission] = math.NaN()
		}
		sums[t.Submission] += math.Log(m.Value(t))
	}
	for s, sum := range sums {
		if m.Submissions[s].Skipped == "" && sum < least {
			best, least = s, sum
		}
	}
	return best
}

// halfWidth returns the largest half-width of the intervals of ratios over all
// cases: 0.01 is 1 %. If no submission has such a ratio, because each of them or the
// reference failed on some case, it is that of the ratios on single cases. It is
// +Inf if there is no ratio, or an interval is unbounded. For a single submission
// it is that of the median.
func halfWidth(m *Measurement) float64 {
	t := tabulate(m)
	overall, single := Levels(m)
	var ratios, parts []float64
	if m.Alone() {
		if all := t.alone(overall); all != nil {
			return all.Half()
		}
		for k := range m.Cases {
			if good := t.records[0][k].good(); good != nil {
				parts = append(parts, good.summary(cpu, single).Half())
			}
		}
	}
	for s := range m.Submissions {
		if s == t.reference || m.Submissions[s].Skipped != "" {
			continue
		}
		if r := t.ratio(s, 0, len(m.Cases), overall); r != nil && t.wrong(s) == "" {
			ratios = append(ratios, r.Half())
			continue
		}
		for k := range m.Cases {
			if r := t.ratio(s, k, k+1, single); r != nil {
				parts = append(parts, r.Half())
			}
		}
	}
	if ratios == nil {
		ratios = parts
	}
	if ratios == nil {
		return math.Inf(1)
	}
	return slices.Max(ratios)
}
