package bench

import (
	"context"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A Limiting says how to measure a problem for [BandOf]. The zero value runs
// every submission on every case once, and no more.
//
// What must not exceed the limit is run first, to its end, so that it is known
// what limit it wants. Under that limit, or the problem's if that is higher, the
// rest is run: what must exceed it until it has shown on one case that it does
// by the margin asked for, and then on to twice that. Then the cases nearest to the limit are run again, in
// turns; see [Stance].
type Limiting struct {
	Rounds int           // runs of the cases near the limit, with the first; of those far from it, a few
	Budget time.Duration // of real time, for what is run again; 0 is none
	Seed   uint64        // of the order

	Compiling func(*problem.Submission) // told of each before, if not nil
	OnHead    func(*Measurement)        // told when all but the trials is known, if not nil
	OnStart   func(Trial)               // told each trial before it runs, if not nil: only whose it is
	OnTrial   func(Trial)               // told each trial as it ends, if not nil
	OnStep    func(Step)                // told how far it is, if not nil
}

// A Step is how far a [Limiting] is.
type Step struct {
	Again    bool // runs near the limit; before it is every case once
	Done, Of int  // runs; Of may turn out to be fewer
}

// Run measures. The error is the judge's own, or that of a context that ended;
// there may be a measurement with it, of what was learned until then.
func (l Limiting) Run(ctx context.Context, j *judge.Judge, p *problem.Problem) (*Measurement, error) {
	x := &limiting{
		Limiting: l, p: p, began: time.Now(), shown: make(map[rule]bool), again: make(map[Pair]bool),
		place: make(map[*problem.Submission]int), placeOf: make(map[*problem.Case]int),
	}
	for i, s := range p.Submissions {
		x.place[s] = i
	}
	for i, c := range p.Cases {
		x.placeOf[c] = i
	}
	err := x.run(ctx, j)
	if x.m != nil && ctx.Err() != nil {
		x.m.Ended = Interrupted
	}
	return x.m, err
}

// A limiting is one problem's measurement that is under way.
type limiting struct {
	Limiting
	p     *problem.Problem
	m     *Measurement // of both series
	began time.Time
	step  Step
	round int // of trials: 0 is every case once

	enough  time.Duration               // from which on a submission is too slow by the margin
	most    time.Duration               // what must be too slow is stopped there
	shown   map[rule]bool               // that some case was
	again   map[Pair]bool               // what is run again
	place   map[*problem.Submission]int // in the measurement
	placeOf map[*problem.Case]int
}

// A rule is one expectation of one submission, by places.
type rule struct{ submission, expectation int }

func (x *limiting) run(ctx context.Context, j *judge.Judge) error {
	limits := j.LimitsOf(x.p)
	// It must be possible to see that the problem's limit is too low.
	patient, err := j.Alone(max(judge.InferenceLimit, 2*limits.Time), nil)
	if err != nil {
		return err
	}
	defer patient.Close()
	first, err := Begin(ctx, patient, ForLimits, x.p.Submissions, x.Seed, x.Compiling)
	if err != nil {
		return err
	}
	defer first.Close()
	x.m = first.Measurement
	// The problem's own: 0 if it names no limit.
	x.m.Limits, x.m.Confidence, x.m.Looks, x.m.Cores, x.m.Budget = limits, 0.95, 1, j.Cores, x.Budget
	first.look = x.m.watch()
	defer first.look()
	for _, c := range x.p.Cases {
		first.Add(c, 0)
	}
	if x.OnHead != nil {
		x.OnHead(x.m)
	}
	first.OnStart = x.OnStart
	first.OnTrial = func(t Trial) {
		t.Round = 0
		x.m.Trials[len(x.m.Trials)-1].Round = 0
		x.tell(t)
	}
	x.step.Of = x.pairs(first)
	if err := x.toTheEnd(ctx, first); err != nil {
		return err
	}

	limit := max(limits.Time, BandOf(x.m).wanted())
	if limit == 0 {
		x.m.Ended = NoRivals
		return nil
	}
	x.enough = x.m.Timing.Enough(limit)
	x.most = patience * x.enough
	hasty, err := j.Alone(limit, x.stop)
	if err != nil {
		return err
	}
	defer hasty.Close()
	second, err := Begin(ctx, hasty, ForLimits, x.p.Submissions, x.Seed+1, nil)
	if err != nil {
		return err
	}
	defer second.Close()
	for _, c := range x.p.Cases {
		second.Add(c, 0)
	}
	second.look = first.look
	offset := time.Since(x.began)
	second.OnStart = x.OnStart
	second.OnTrial = func(t Trial) {
		t.Round, t.At = x.round, t.At+offset
		x.m.Trials = append(x.m.Trials, t)
		x.learn(t)
		x.tell(t)
	}
	if err := x.untilShown(ctx, second); err != nil {
		return err
	}
	return x.rerun(ctx, second)
}

// wanted is the limit that the submissions which must pass want, 0 if it is not
// known.
func (b *Band) wanted() time.Duration {
	if b.Slowest == nil || b.Slowest.Stopped {
		return 0
	}
	return b.Measurement.Timing.Least(b.Slowest.Time)
}

func (x *limiting) tell(t Trial) {
	x.step.Done++
	if x.OnTrial != nil {
		x.OnTrial(t)
	}
	if x.OnStep != nil {
		x.OnStep(x.step)
	}
}

// pairs counts what there is to run.
func (x *limiting) pairs(s *Series) (n int) {
	for i := range x.m.Submissions {
		if s.Runs(i) {
			n += len(x.m.Cases)
		}
	}
	return n
}

// below reports whether the submission must be within the limit on the case.
func (x *limiting) below(s, c int) bool {
	for i := range x.m.Submissions[s].Expected {
		if x.m.Submissions[s].Expected[i].BoundsBelow(x.m.Cases[c].Name) {
			return true
		}
	}
	return false
}

// toTheEnd runs what must be within the limit. One that has to be stopped takes
// minutes, and is not run on further cases.
func (x *limiting) toTheEnd(ctx context.Context, s *Series) error {
	stopped := make(map[int]bool)
	for _, c := range s.order.Perm(len(x.m.Cases)) {
		var pairs []Pair
		for i := range x.m.Submissions {
			if x.below(i, c) && !stopped[i] {
				pairs = append(pairs, Pair{i, c})
			}
		}
		if err := s.Round(ctx, pairs); err != nil {
			return err
		}
		for _, t := range x.m.Trials {
			if _, cut := took(t.Outcome); cut && t.Err == "" {
				stopped[t.Submission] = true
			}
		}
	}
	return nil
}

// untilShown runs the rest on every case.
func (x *limiting) untilShown(ctx context.Context, s *Series) error {
	for _, c := range s.order.Perm(len(x.m.Cases)) {
		var pairs []Pair
		for i := range x.m.Submissions {
			if !x.below(i, c) {
				pairs = append(pairs, Pair{i, c})
			}
		}
		if err := s.Round(ctx, pairs); err != nil {
			return err
		}
	}
	return nil
}

// stop is the CPU time to stop a run at, beyond the limit. What must be too slow
// goes on until it has shown that it is on one case, and on that again.
func (x *limiting) stop(s *problem.Submission, c *problem.Case) time.Duration {
	i := x.place[s]
	if x.again[Pair{i, x.placeOf[c]}] {
		return x.most
	}
	for k := range s.Expected {
		if s.Expected[k].BoundsAbove(c.Name) && !x.shown[rule{i, k}] {
			return x.most
		}
	}
	return 0
}

// learn takes a run of the second series into account.
func (x *limiting) learn(t Trial) {
	if long, _ := took(t.Outcome); t.Err != "" || long < x.enough {
		return
	}
	for k := range x.m.Submissions[t.Submission].Expected {
		if x.m.Submissions[t.Submission].Expected[k].BoundsAbove(x.m.Cases[t.Case].Name) {
			x.shown[rule{t.Submission, k}] = true
		}
	}
}

// fewRuns is how often a case far from the limit is run: what is five times as
// fast as it must be is not expected to be slower tomorrow, nor what had to be
// stopped beyond the margin to be in time.
const fewRuns = 3

// patience is how many times as long a submission may show that it is too slow
// as it must: then it is known that a machine that is so many times as fast
// needs no other limit.
const patience = 2

// rerun runs the cases near the limit again, in turns.
func (x *limiting) rerun(ctx context.Context, s *Series) error {
	b := BandOf(x.m)
	wanted := make(map[Pair]int) // more runs
	slow := make(map[Pair]bool)
	most := 0
	for i, row := range b.Rows {
		if row.Wrong != "" || b.At == 0 {
			continue
		}
		n := x.Rounds - 1
		if row.Stopped || far(row.Time.Median, b.At.Seconds()) {
			n = min(n, fewRuns-1)
		}
		for _, c := range row.Nearest {
			if x.below(i, c) && row.Stopped {
				continue // it never ends
			}
			// Of others it is enough to know whether they are in time.
			wanted[Pair{i, c}], x.again[Pair{i, c}] = n, row.Bounds != Neither
			slow[Pair{i, c}] = row.Stopped || row.Time.Median > b.At.Seconds()
			most = max(most, n)
		}
	}
	x.step.Again = true
	x.step.Of = x.step.Done
	for _, n := range wanted {
		x.step.Of += max(n, 0)
	}
	x.m.Ended = AllRounds
	start, longest := time.Now(), time.Duration(0)
	for round := range most {
		began := time.Now()
		if x.Budget > 0 && began.Sub(start)+longest > x.Budget {
			x.m.Ended = OutOfBudget
			return nil
		}
		x.round = round + 1
		var pairs []Pair
		for i := range x.m.Submissions {
			for c := range x.m.Cases {
				// What is too slow and needs fewer runs comes last: it takes longest, and
				// the budget may end before. What is in time comes first, and costs little.
				p := Pair{i, c}
				if n := wanted[p]; slow[p] && n > 0 && n >= most-round || !slow[p] && round < n {
					pairs = append(pairs, Pair{i, c})
				}
			}
		}
		if err := s.Round(ctx, pairs); err != nil {
			return err
		}
		longest = max(longest, time.Since(began))
	}
	return nil
}
