package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/sandbox"
)

// A Call contains everything that is stored of a call.
type Call struct {
	Entry
	Head       Head            // the first line
	State      State           // whether the call ended
	End        End             // the last line; zero unless the call ended
	Toolchains []ToolchainLine // in the order of their lines

	unopened     []UnopenedLine
	problems     []problemLog // in the order of the head
	measurements []bench.Measurement
	of           []int          // index of each measurement's problem in the head; -1 if the head does not have it
	limits       sandbox.Limits // limits of the last trial
}

// A called contains the stored results of one problem of the head.
type problemLog struct {
	begun       *BegunLine
	adequacy    *AdequacyLine
	verified    *VerifiedLine
	submissions []submissionLog
}

// A submissionLog contains the stored results of one submission.
type submissionLog struct {
	runs map[string]judge.Run // by case name
	ran  []string             // names of the cases with a run, in the order in which the first runs ended
	done *SubmissionLine      // nil if the submission was not judged to the end
}

// add adds a line. The error is for a line that no judge writes.
func (c *Call) add(l *Line) error {
	switch {
	case l.Head != nil:
		return errors.New("a second head")
	case l.Begun != nil:
		if l.Begun.Problem < 0 || l.Begun.Problem >= len(c.problems) {
			return fmt.Errorf("problem %d: there are %d", l.Begun.Problem, len(c.problems))
		}
		c.problems[l.Begun.Problem].begun = l.Begun
	case l.Adequacy != nil:
		if l.Adequacy.Problem < 0 || l.Adequacy.Problem >= len(c.problems) {
			return fmt.Errorf("adequacy of problem %d: there are %d", l.Adequacy.Problem, len(c.problems))
		}
		c.problems[l.Adequacy.Problem].adequacy = l.Adequacy
	case l.Verified != nil:
		if l.Verified.Problem < 0 || l.Verified.Problem >= len(c.problems) {
			return fmt.Errorf("promises of problem %d: there are %d", l.Verified.Problem, len(c.problems))
		}
		c.problems[l.Verified.Problem].verified = l.Verified
	case l.Unopened != nil:
		c.unopened = append(c.unopened, *l.Unopened)
	case l.Toolchain != nil:
		c.Toolchains = append(c.Toolchains, *l.Toolchain)
	case l.Run != nil:
		s, err := c.submission(l.Run.Problem, l.Run.Submission)
		if err != nil {
			return err
		}
		if s.runs == nil {
			s.runs = make(map[string]judge.Run)
		}
		if _, ran := s.runs[l.Run.Case]; !ran {
			s.ran = append(s.ran, l.Run.Case)
		}
		s.runs[l.Run.Case] = l.Run.Run
	case l.Submission != nil:
		s, err := c.submission(l.Submission.Problem, l.Submission.Submission)
		if err != nil {
			return err
		}
		for _, name := range l.Submission.Runs {
			if _, ran := s.runs[name]; !ran {
				return fmt.Errorf("submission %s: no run on %s", l.Submission.Report.Submission, name)
			}
		}
		s.done = l.Submission
	case l.Measurement != nil:
		return c.measure(l.Measurement)
	case l.Trial != nil:
		return c.trial(l.Trial)
	case l.End != nil:
		c.End, c.State = *l.End, Ended
	}
	return nil
}

func (c *Call) trial(t *TrialLine) error {
	if n := t.Measurement; n < 0 || n >= len(c.measurements) {
		return fmt.Errorf("trial of measurement %d: there are %d", n, len(c.measurements))
	}
	m := &c.measurements[t.Measurement]
	if t.Submission < 0 || t.Submission >= len(m.Submissions) || t.Case < 0 || t.Case >= len(m.Cases) {
		return fmt.Errorf("trial of submission %d on case %d: there are %d and %d", t.Submission, t.Case, len(m.Submissions),
			len(m.Cases))
	}
	if t.Enforced != nil {
		c.limits = *t.Enforced
	}
	t.Outcome.Limits = c.limits
	m.Trials = append(m.Trials, t.Trial)
	return nil
}

func (c *Call) submission(p, s int) (*submissionLog, error) {
	if p < 0 || p >= len(c.problems) || s < 0 || s >= len(c.problems[p].submissions) {
		return nil, fmt.Errorf("submission %d of problem %d: there is none in the head", s, p)
	}
	return &c.problems[p].submissions[s], nil
}

// measure adds a new measurement, or updates an existing one except its trials.
func (c *Call) measure(m *MeasurementLine) error {
	switch n := len(c.measurements); {
	case m.Number == n:
		c.measurements = append(c.measurements, bench.Measurement{})
		c.of = append(c.of, slices.IndexFunc(c.Head.Problems, func(p ProblemHead) bool { return p.ID == m.Problem }))
	case m.Number < 0 || m.Number > n:
		return fmt.Errorf("measurement %d: there are %d", m.Number, n)
	}
	trials := c.measurements[m.Number].Trials
	c.measurements[m.Number] = m.Measurement
	c.measurements[m.Number].Trials = trials
	return nil
}

// Document returns the results of the call. If the call did not end, its unfinished
// problems have the same form as after an interrupted call. Document returns an error
// for an inconsistent measurement; see [record.Document.Restore].
func (c *Call) Document() (*Document, error) {
	d := &Document{Machine: c.Head.Machine, Elapsed: c.End.Elapsed}
	for _, u := range c.unopened {
		d.Problems = append(d.Problems, Problem{ID: u.ID, Path: u.Path, Err: u.Err})
	}
	for i := range c.problems {
		if c.problems[i].begun != nil {
			d.Problems = append(d.Problems, c.judged(i))
		}
	}
	slices.SortStableFunc(d.Problems, func(a, b Problem) int { return strings.Compare(a.ID, b.ID) })
	for i := range c.measurements {
		if c.measurements[i].Trials != nil {
			d.Problems = append(d.Problems, c.measured(i))
		}
	}
	if err := d.Restore(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	return d, nil
}

// Verified returns what judge verify found about problem i of the head; nil if it did not
// check it to the end.
func (c *Call) Verified(i int) *VerifiedLine { return c.problems[i].verified }

// Adequacy returns how strong the test data of problem i of the head is; nil if that is
// not stored.
func (c *Call) Adequacy(i int) *AdequacyLine { return c.problems[i].adequacy }

// judged returns the results of the submissions of problem i of the head.
func (c *Call) judged(i int) Problem {
	head, p := &c.Head.Problems[i], &c.problems[i]
	j := Problem{ID: head.ID, Path: head.Path, Err: p.begun.Err, Limits: p.begun.Limits,
		Validators: p.begun.Validators}
	if p.adequacy != nil {
		j.Adequacy = &p.adequacy.Result
	}
	place := make(map[string]int, len(head.Cases))
	for k, one := range head.Cases {
		j.Cases = append(j.Cases, one.Name)
		place[one.Name] = k
	}
	if j.Err != nil {
		return j
	}
	for k := range p.submissions {
		s := &p.submissions[k]
		r, names := &judge.Report{Submission: head.Submissions[k].Name, Language: head.Submissions[k].Language}, s.ran
		if s.done != nil {
			r, names = &s.done.Report, s.done.Runs
		} else {
			slices.SortStableFunc(names, func(a, b string) int { return place[a] - place[b] })
		}
		r.Runs = nil
		for _, name := range names {
			r.Runs = append(r.Runs, s.runs[name])
		}
		j.Reports = append(j.Reports, r)
	}
	return j
}

// measured returns measurement i.
func (c *Call) measured(i int) Problem {
	m := c.measurements[i]
	if c.State != Ended {
		m.Ended = cmp.Or(m.Ended, bench.Interrupted)
	}
	j := Problem{ID: m.Problem, Limits: m.Limits, Measurement: &m}
	if c.of[i] >= 0 {
		j.Path = c.Head.Problems[c.of[i]].Path
	}
	for _, one := range m.Cases {
		j.Cases = append(j.Cases, one.Name)
	}
	return j
}
