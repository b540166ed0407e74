package bench

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A LimitPlan contains the settings of a measurement for [BandOf]. The zero value
// runs every submission on every case once.
//
// Submissions that must not exceed the limit run first, under a generous limit. Their
// times determine the limit that they need. The others run under that limit, or the
// problem's if it is higher. A submission that must exceed it runs longer, until one
// case has shown that it exceeds the limit by the required margin: it is stopped at
// twice the time that shows this. Then the cases closest to the limit are run again,
// alternately; see [LimitVerdict].
type LimitPlan struct {
	Rounds int           // runs of each case close to the limit, including the first; cases far from it need fewer
	Budget time.Duration // wall-clock time for the repeated runs; 0 is no limit
	Seed   uint64        // of the random order

	Compiling func(*problem.Submission) // called before each compilation, if not nil
	OnHead    func(*Measurement)        // called before the first trial, if not nil
	OnStart   func(Trial)               // called before each trial, if not nil; the trial has no results yet
	OnTrial   func(Trial)               // called after each trial, if not nil
	OnStep    func(Step)                // called after each trial with the progress, if not nil
}

// A Step is the progress of a [LimitPlan].
type Step struct {
	Again    bool // cases close to the limit are run again; false while every case is run once
	Done, Of int  // the number of runs done and planned; fewer than Of may be needed
}

// Run measures the submissions of a problem on the machines. The error is a judge error, or that of
// a context that ended. The measurement may be non-nil in that case: it contains
// the trials until then.
func (l LimitPlan) Run(ctx context.Context, on []Machine, p *problem.Problem) (*Measurement, error) {
	x := &limitRun{LimitPlan: l, p: p, again: make(map[Pair]bool)}
	err := x.run(ctx, on)
	if x.m != nil && err != nil {
		x.m.Ended = Interrupted
	}
	return x.m, err
}

// A limitRun is the measurement of one problem in progress.
type limitRun struct {
	LimitPlan
	p    *problem.Problem
	m    *Measurement
	step Step

	enough time.Duration // the CPU time that shows that a submission exceeds the limit by the margin
	most   time.Duration // the CPU time at which a submission that must exceed the limit is stopped
	again  map[Pair]bool // pairs that are run again
}

func (x *limitRun) run(ctx context.Context, on []Machine) error {
	limits := on[0].Judge.LimitsOf(x.p)
	// Runs may exceed the problem's limit, which shows that it is too low.
	generous, err := changed(on, func(j *judge.Judge) (*judge.Judge, error) {
		return j.Alone(max(judge.InferenceLimit, 2*limits.Time), nil)
	})
	if err != nil {
		return err
	}
	s, err := Begin(ctx, generous, ForLimits, x.p.Submissions, x.Seed, x.Compiling)
	if err != nil {
		return err
	}
	defer s.Close()
	x.m = s.Measurement
	// These are the problem's own limits: Time is 0 if it has none.
	x.m.Limits, x.m.Confidence, x.m.Looks, x.m.Cores, x.m.Budget = limits, 0.95, 1, on[0].Judge.Cores, x.Budget
	s.watch()
	defer s.look()
	for _, c := range x.p.Cases {
		s.Add(c, 0)
	}
	if x.OnHead != nil {
		x.OnHead(x.m)
	}
	s.OnStart, s.OnTrial = x.OnStart, x.progress
	x.step.Of = len(tabulate(x.m).pairs())
	// A submission that is stopped takes minutes, so it is not run on further cases.
	if err := x.once(ctx, s, func(i, c int) bool { return x.below(i, c) && !x.wasStopped(i) }); err != nil {
		return err
	}

	limit := max(limits.Time, BandOf(x.m).needed())
	if limit == 0 {
		x.m.Ended = NoRivals
		return nil
	}
	x.enough = x.m.Timing.Enough(limit)
	x.most = patience * x.enough
	strict, err := changed(on, func(j *judge.Judge) (*judge.Judge, error) { return j.Alone(limit, x.stop) })
	if err != nil {
		return err
	}
	if err := s.open(ctx, strict, x.p.Submissions, nil); err != nil {
		return err
	}
	s.order = rand.New(rand.NewPCG(x.Seed+1, 0)) // does not depend on the number of rounds so far
	if err := x.once(ctx, s, func(i, c int) bool { return !x.below(i, c) }); err != nil {
		return err
	}
	return x.rerun(ctx, s)
}

// needed returns the limit that the submissions that must pass need; 0 if it is
// not known.
func (b *Band) needed() time.Duration {
	if b.Slowest == nil || b.Slowest.Stopped {
		return 0
	}
	return b.Measurement.Timing.Least(b.Slowest.Time)
}

// progress counts a trial and calls the callbacks.
func (x *limitRun) progress(t Trial) {
	if t.Worker == 0 {
		x.step.Done++
	}
	if x.OnTrial != nil {
		x.OnTrial(t)
	}
	if x.OnStep != nil {
		x.OnStep(x.step)
	}
}

// once runs the selected pairs once, case by case.
func (x *limitRun) once(ctx context.Context, s *Series, selected func(submission, c int) bool) error {
	for _, c := range s.order.Perm(len(x.m.Cases)) {
		var pairs []Pair
		for i := range x.m.Submissions {
			if selected(i, c) {
				pairs = append(pairs, Pair{i, c})
			}
		}
		if err := s.Round(ctx, 0, pairs); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether the submission must be within the limit on the case.
func (x *limitRun) below(s, c int) bool {
	return x.m.Submissions[s].within(x.m.Cases[c].Name)
}

// wasStopped reports whether a run of the submission was stopped.
func (x *limitRun) wasStopped(s int) bool {
	return slices.ContainsFunc(x.m.Trials, func(t Trial) bool {
		_, cut := took(t.Outcome)
		return t.Submission == s && cut && t.Err == ""
	})
}

// stop returns the CPU time at which to stop a run; 0 is the limit. A submission
// that must exceed the limit may run longer until one case has shown that it does,
// and when that case is run again.
func (x *limitRun) stop(s *problem.Submission, c *problem.Case) time.Duration {
	i := slices.Index(x.p.Submissions, s)
	if x.again[Pair{i, slices.Index(x.p.Cases, c)}] {
		return x.most
	}
	for k := range s.Expected {
		if e := &s.Expected[k]; e.BoundsAbove(c.Name) && !x.shown(i, e) {
			return x.most
		}
	}
	return 0
}

// shown reports whether a run of the submission on each machine has shown that it exceeds
// the limit by the margin on a case of the expectation.
func (x *limitRun) shown(s int, e *problem.Expectation) bool {
	for worker := range x.m.machines() {
		if !slices.ContainsFunc(x.m.Trials, func(t Trial) bool {
			long, _ := took(t.Outcome)
			return t.Submission == s && t.Worker == worker && t.Err == "" && long >= x.enough &&
				e.BoundsAbove(x.m.Cases[t.Case].Name)
		}) {
			return false
		}
	}
	return true
}

// fewRuns is the number of runs of a case far from the limit: a submission that is
// five times as fast as required, or was stopped beyond the margin, is not expected
// to get another verdict.
const fewRuns = 3

// patience is the factor by which a submission may run longer than is necessary to
// show that it exceeds the limit. The result then applies to machines that are
// faster by this factor, too.
const patience = 2

// reruns returns the pairs to run again, by round, and sets x.again. Pairs that are
// too slow and need fewer runs come in the last rounds: they take longest, and the
// budget may end before.
func (x *limitRun) reruns() (rounds [][]Pair) {
	b := BandOf(x.m)
	if b.At == 0 {
		return nil
	}
	counts := make([]int, len(b.Rows)) // of further runs
	for i, row := range b.Rows {
		if row.Wrong == "" {
			counts[i] = max(x.Rounds-1, 0)
		}
		if row.Stopped || far(row.Time.Median, b.At.Seconds()) {
			counts[i] = min(counts[i], fewRuns-1)
		}
	}
	rounds = make([][]Pair, slices.Max(counts))
	for i, row := range b.Rows {
		among := rounds[:counts[i]]
		if row.Stopped || row.Time.Median > b.At.Seconds() {
			among = rounds[len(rounds)-counts[i]:]
		}
		for _, c := range row.Nearest {
			p := Pair{i, int(c)}
			if x.below(i, p.Case) && row.Stopped {
				continue // it may not end
			}
			// Those that do not bound the limit are stopped at it.
			x.again[p] = row.Bounds != Neither
			for k := range among {
				among[k] = append(among[k], p)
			}
		}
	}
	return rounds
}

// rerun runs the cases close to the limit again, alternately.
func (x *limitRun) rerun(ctx context.Context, s *Series) error {
	rounds := x.reruns()
	x.step = Step{Again: true, Done: x.step.Done, Of: x.step.Done}
	for _, pairs := range rounds {
		x.step.Of += len(pairs)
	}
	x.m.Ended = AllRounds
	start, longest := time.Now(), time.Duration(0)
	for round, pairs := range rounds {
		began := time.Now()
		if x.Budget > 0 && began.Sub(start)+longest > x.Budget {
			x.m.Ended = OutOfBudget
			return nil
		}
		if err := s.Round(ctx, round+1, pairs); err != nil {
			return err
		}
		longest = max(longest, time.Since(began))
	}
	return nil
}
