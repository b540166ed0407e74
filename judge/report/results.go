package report

import (
	"slices"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// A result is one run of a submission on a case, judged or measured.
type result struct {
	submission     int // index in Reports, or in Submissions of the measurement
	test           int // index in Runs of the report, or in Cases of the measurement
	name, language string
	input          bench.Input
	round          int             // number of the run among those of its case, from 0; -1 is a warm-up
	order          int             // number of the run in the measurement, from 0; -1 if the submission was judged
	at             time.Duration   // start of the run since the start of the measurement
	verdict        problem.Verdict // "" if the judge failed; all runs of a judged case have the verdict of the case
	why            string          // the reason of the verdict
	err            string          // the failure of the judge; "" if there was none
	counted        bool            // the verdict is that of this run
	failure        bool            // the verdict is not as expected, or in a measurement the output is wrong
	outcome        sandbox.Outcome
}

// results returns the runs of a problem: those of judged submissions by submission
// and case, those of a measurement in the order in which they ran.
func results(p *record.Problem) (all []result) {
	for i, r := range p.Reports {
		for k := range r.Runs {
			run := &r.Runs[k]
			one := result{submission: i, test: k, name: r.Submission, language: r.Language, input: bench.Input{Name: run.Case},
				order:   -1,
				verdict: run.Verdict, why: run.Why, err: message(run.Err), failure: StandingOf(r) == Unexpected &&
					run.Verdict != problem.Accepted}
			times := run.Times
			if len(times) < 2 || run.Err != nil {
				times = []sandbox.Outcome{run.Outcome}
			}
			counted := slices.Index(times, run.Outcome)
			for round, o := range times {
				one.round, one.outcome, one.counted = round, o, round == counted
				all = append(all, one)
			}
		}
	}
	if m := record.Of[*bench.Measurement](p); m != nil {
		for i := range m.Trials {
			t := &m.Trials[i]
			s := &m.Submissions[t.Submission]
			all = append(all, result{submission: t.Submission, test: t.Case, name: s.Name, language: s.Language,
				input: m.Cases[t.Case], round: t.Round, order: i, at: t.At,
				verdict: t.Verdict, why: t.Why, err: t.Err, counted: true, failure: fails(m, t), outcome: t.Outcome})
		}
	}
	return all
}

// fails reports whether a trial is a failure for its kind of measurement. In a
// search for a time limit none is: judge run and judge verify check expectations.
// When inputs grow, reaching a limit is no failure.
func fails(m *bench.Measurement, t *bench.Trial) bool {
	switch m.Kind {
	case bench.ForLimits:
		return false
	case bench.ForScale:
		return t.Faulty()
	}
	return t.Verdict != problem.Accepted
}

// ending returns "interrupted" if judging or measuring the problem was
// interrupted, so that runs may be missing; else "".
func ending(p *record.Problem) string {
	if wasCutShort(p) {
		return string(bench.Interrupted)
	}
	return ""
}
