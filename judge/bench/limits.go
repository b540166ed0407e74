package bench

import (
	"context"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A Limiting contains the settings of a measurement for [BandOf]. The zero value
// runs every submission on every case once.
//
// Submissions that must not exceed the limit are run first, to their end, which
// gives the limit that they need. The others are run under that limit, or the
// problem's if it is higher. Those that must exceed it are not stopped before
// twice the time that shows on one case that they exceed it by the required
// margin. Then the cases closest to the limit are run again, alternately; see
// [Stance].
type Limiting struct {
	Rounds int           // runs of each case close to the limit, including the first; cases far from it need fewer
	Budget time.Duration // wall-clock time for the repeated runs; 0 is no limit
	Seed   uint64        // of the random order

	Compiling func(*problem.Submission) // called before each compilation, if not nil
	OnHead    func(*Measurement)        // called when all but the trials is known, if not nil
	OnStart   func(Trial)               // called before each trial, if not nil; the trial has no results yet
	OnTrial   func(Trial)               // called after each trial, if not nil
	OnStep    func(Step)                // called after each trial with the progress, if not nil
}

// A Step is the progress of a [Limiting].
type Step struct {
	Again    bool // cases close to the limit are run again; false while every case is run once
	Done, Of int  // the number of runs done and planned; fewer than Of may be needed
}

// Run measures the submissions of a problem. The error is a judge error, or that of
// a context that ended. The measurement may be non-nil in that case: it contains
// the trials until then.
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

// A limiting is the measurement of one problem in progress.
type limiting struct {
	Limiting
	p     *problem.Problem
	m     *Measurement // of both series
	began time.Time
	step  Step
	round int // of the trials; in round 0, every case is run once

	enough  time.Duration               // the CPU time that shows that a submission exceeds the limit by the margin
	most    time.Duration               // the CPU time at which a submission that must exceed the limit is stopped
	shown   map[rule]bool               // rules shown by some case
	again   map[Pair]bool               // pairs that are run again
	place   map[*problem.Submission]int // indexes in the measurement
	placeOf map[*problem.Case]int
}

// A rule is one expectation of one submission, by indexes.
type rule struct{ submission, expectation int }

func (x *limiting) run(ctx context.Context, j *judge.Judge) error {
	limits := j.LimitsOf(x.p)
	// Runs may exceed the problem's limit, which shows that it is too low.
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
	// These are the problem's own limits: Time is 0 if it has none.
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

// wanted returns the limit that the submissions that must pass need; 0 if it is
// not known.
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

// pairs counts the pairs of a submission that can be run and a case.
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

// toTheEnd runs the submissions that must be within the limit. One that is stopped
// takes minutes, so it is not run on further cases.
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

// untilShown runs the other pairs.
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

// stop returns the CPU time at which to stop a run; 0 is the limit. A submission
// that must exceed the limit may run longer until one case has shown that it does,
// and when that case is run again.
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

// learn updates x.shown by a trial of the second series.
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

// fewRuns is the number of runs of a case far from the limit: a submission that is
// five times as fast as required, or was stopped beyond the margin, is not expected
// to get another verdict.
const fewRuns = 3

// patience is the factor by which a submission may run longer than is necessary to
// show that it exceeds the limit. The result then applies to machines that are
// faster by this factor, too.
const patience = 2

// rerun runs the cases close to the limit again, alternately.
func (x *limiting) rerun(ctx context.Context, s *Series) error {
	b := BandOf(x.m)
	wanted := make(map[Pair]int) // the number of further runs
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
				continue // it may not end
			}
			// Those that do not bound the limit are stopped at it.
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
				// Pairs that are too slow and need fewer runs come in the last rounds: they
				// take longest, and the budget may end before.
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
