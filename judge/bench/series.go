package bench

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Series is a measurement that is being made: submissions that are compiled
// and wait for their turns. It is not for concurrent use. Close it when done.
type Series struct {
	Measurement *Measurement
	OnStart     func(Trial) // told each trial before it runs, if not nil: only whose it is
	OnTrial     func(Trial) // told each trial as it ends, if not nil

	sessions []*judge.Session
	cases    []*problem.Case
	order    *rand.Rand
	began    time.Time
	rounds   int
	look     func() // at what others do on the machine; nil if nobody watches
	looked   time.Time
}

// A Pair is a submission and a case, by their places in a measurement's lists.
type Pair struct{ Submission, Case int }

// Begin compiles the submissions of a problem; compiling, if not nil, is told
// of each before. One that cannot be run is Skipped in the measurement, with the
// reason: its language is not here, or the compiler refuses it. The judge has
// one job, or neighbours would be measured, too. The error is the judge's own.
func Begin(ctx context.Context, j *judge.Judge, kind Kind, submissions []*problem.Submission, seed uint64, compiling func(*problem.Submission)) (*Series, error) {
	p := submissions[0].Problem
	s := &Series{
		Measurement: &Measurement{Kind: kind, Problem: p.ID, Limits: j.LimitsOf(p), Timing: p.Timing, Seed: seed},
		order:       rand.New(rand.NewPCG(seed, 0)),
		began:       time.Now(),
	}
	for _, one := range submissions {
		if compiling != nil {
			compiling(one)
		}
		session, r := j.Begin(ctx, one)
		switch {
		case ctx.Err() != nil:
			s.Close()
			return nil, context.Cause(ctx)
		case r.Err != nil:
			s.Close()
			return nil, r.Err
		}
		e := Entrant{Name: one.Name, Language: r.Language, Expected: one.Expected, Skipped: r.Skipped}
		if session == nil && e.Skipped == "" {
			e.Skipped = refusal + r.Compile.Message
		}
		s.sessions = append(s.sessions, session)
		s.Measurement.Submissions = append(s.Measurement.Submissions, e)
	}
	return s, nil
}

// refusal begins what is said of a submission that its compiler refuses.
const refusal = "it does not compile: "

// Refused reports whether the submission is skipped because its compiler
// refuses it, which is its own fault.
func (e *Entrant) Refused() bool { return strings.HasPrefix(e.Skipped, refusal) }

// Startup times the empty programs of the submissions' languages, each so many
// times and once before that does not count.
func (s *Series) Startup(ctx context.Context, j *judge.Judge, p *problem.Problem, times int) error {
	known := make(map[string][]sandbox.Outcome)
	for i := range s.Measurement.Submissions {
		e := &s.Measurement.Submissions[i]
		if !s.Runs(i) {
			continue
		}
		if known[e.Language] == nil {
			outcomes, err := j.Startup(ctx, p, e.Language, times+1)
			if err != nil {
				return err
			}
			known[e.Language] = outcomes[1:]
		}
		e.Startup = known[e.Language]
	}
	return nil
}

// Close gives back what the submissions hold.
func (s *Series) Close() {
	for _, session := range s.sessions {
		if session != nil {
			session.End()
		}
	}
	s.sessions = nil
}

// Add adds a case to run on, of that size if it is one that grows, and returns
// its place.
func (s *Series) Add(c *problem.Case, size float64) int {
	s.cases = append(s.cases, c)
	s.Measurement.Cases = append(s.Measurement.Cases, Input{Name: c.Name, Size: size})
	return len(s.cases) - 1
}

// Runs reports whether the submission can be run at all.
func (s *Series) Runs(submission int) bool { return s.sessions[submission] != nil }

// WarmUp runs the pairs once, as Round does, for the machine's caches: nothing
// is learned from it but what goes wrong.
func (s *Series) WarmUp(ctx context.Context, pairs []Pair) error { return s.play(ctx, -1, pairs) }

// Round runs the pairs once more. Cases come in random order, and on each of
// them its submissions, one after the other in random order: what they are
// compared by lies close together in time, and nobody always comes first.
// Submissions that cannot be run are left out. The error is that of a context
// that ended; what the judge failed at is in the trials.
func (s *Series) Round(ctx context.Context, pairs []Pair) error {
	s.rounds++
	return s.play(ctx, s.rounds-1, pairs)
}

// Rounds is how many rounds there were.
func (s *Series) Rounds() int { return s.rounds }

// lookPace is how often the load of the machine is brought up to date, for whoever
// stores the measurement while it goes on.
const lookPace = 2 * time.Second

// keepLooking looks at the machine if the last time is a while ago.
func (s *Series) keepLooking() {
	switch {
	case s.look == nil || !s.looked.IsZero() && time.Since(s.looked) < lookPace:
		return
	case !s.looked.IsZero(): // else nothing can be known yet
		s.look()
	}
	s.looked = time.Now()
}

func (s *Series) play(ctx context.Context, round int, pairs []Pair) error {
	of := make([][]int, len(s.cases))
	for _, p := range pairs {
		if s.Runs(p.Submission) {
			of[p.Case] = append(of[p.Case], p.Submission)
		}
	}
	for _, c := range s.order.Perm(len(of)) {
		s.order.Shuffle(len(of[c]), func(i, k int) { of[c][i], of[c][k] = of[c][k], of[c][i] })
		for _, submission := range of[c] {
			s.keepLooking()
			t := Trial{Submission: submission, Case: c, Round: round, At: time.Since(s.began)}
			if s.OnStart != nil {
				s.OnStart(t)
			}
			run := s.sessions[submission].Run(ctx, s.cases[c])
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			t.Verdict, t.Why, t.Outcome = run.Verdict, run.Why, run.Outcome
			if run.Err != nil {
				t.Err = run.Err.Error()
			}
			s.Measurement.Trials = append(s.Measurement.Trials, t)
			if s.OnTrial != nil {
				s.OnTrial(t)
			}
		}
	}
	return nil
}
