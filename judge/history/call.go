package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/record"
	"crucible/judge/report"
)

// A Call is all that was stored of one.
type Call struct {
	Entry
	Head       Head
	State      State
	End        End // zero unless it ended
	Toolchains []Toolchain

	unopened     []Unopened
	problems     []called // as in the head
	measurements []report.JSONMeasurement
	of           []int               // the problem of each measurement; -1 if it is none of the head's
	before       report.JSONEnforced // of the last trial
}

// A problem is what is known of one of a head's.
type called struct {
	begun       *Begun
	submissions []submission
}

// A submission is what is known of one.
type submission struct {
	runs map[string]report.JSONRun
	told []string // cases it was run on, in the order they ended
	done *Submission
}

func (c *Call) begin(h Head) {
	c.Head = h
	c.problems = make([]called, len(c.Head.Problems))
	for i := range c.problems {
		c.problems[i].submissions = make([]submission, len(c.Head.Problems[i].Submissions))
	}
}

// add takes a line into account. The error is for what no judge writes.
func (c *Call) add(l *Line) error {
	switch {
	case l.Head != nil:
		return errors.New("a second head")
	case l.Begun != nil:
		if l.Begun.Problem < 0 || l.Begun.Problem >= len(c.problems) {
			return fmt.Errorf("problem %d: there are %d", l.Begun.Problem, len(c.problems))
		}
		c.problems[l.Begun.Problem].begun = l.Begun
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
			s.runs = make(map[string]report.JSONRun)
		}
		if _, ran := s.runs[l.Run.Case]; !ran {
			s.told = append(s.told, l.Run.Case)
		}
		s.runs[l.Run.Case] = l.Run.JSONRun
	case l.Submission != nil:
		s, err := c.submission(l.Submission.Problem, l.Submission.Submission)
		if err != nil {
			return err
		}
		for _, name := range l.Submission.Runs {
			if _, ran := s.runs[name]; !ran {
				return fmt.Errorf("submission %s: no run on %s", l.Submission.Name, name)
			}
		}
		s.done = l.Submission
	case l.Measurement != nil:
		return c.measure(l.Measurement)
	case l.Trial != nil:
		n := l.Trial.Measurement
		if n < 0 || n >= len(c.measurements) {
			return fmt.Errorf("trial of measurement %d: there are %d", n, len(c.measurements))
		}
		m := &c.measurements[n]
		if s, k := l.Trial.Submission, l.Trial.Case; s < 0 || s >= len(m.Submissions) || k < 0 || k >= len(m.Cases) {
			return fmt.Errorf("trial of submission %d on case %d: there are %d and %d", s, k, len(m.Submissions), len(m.Cases))
		}
		t := l.Trial.trial(c.before)
		c.before = t.Enforced
		m.Trials = append(m.Trials, t)
	case l.End != nil:
		c.End, c.State = *l.End, Ended
	}
	return nil
}

func (c *Call) submission(p, s int) (*submission, error) {
	if p < 0 || p >= len(c.problems) || s < 0 || s >= len(c.problems[p].submissions) {
		return nil, fmt.Errorf("submission %d of problem %d: there is none in the head", s, p)
	}
	return &c.problems[p].submissions[s], nil
}

// measure takes the facts about a measurement, a new one or one that has gone on.
func (c *Call) measure(m *Measurement) error {
	switch n := len(c.measurements); {
	case m.Number == n:
		c.measurements = append(c.measurements, report.JSONMeasurement{})
		c.of = append(c.of, slices.IndexFunc(c.Head.Problems, func(p Problem) bool { return p.ID == m.Problem }))
	case m.Number < 0 || m.Number > n:
		return fmt.Errorf("measurement %d: there are %d", m.Number, n)
	}
	trials := c.measurements[m.Number].Trials
	c.measurements[m.Number] = m.JSONMeasurement
	c.measurements[m.Number].Trials = trials
	return nil
}

// JSON returns what was learned as a JSON document. What was not judged or
// measured to its end is in it as that of a call that was interrupted.
func (c *Call) JSON() report.JSON {
	doc := report.JSON{Schema: record.Schema, Machine: c.Head.Machine, Elapsed: c.End.Elapsed, Problems: []report.JSONProblem{}}
	for _, u := range c.unopened {
		doc.Problems = append(doc.Problems, report.JSONProblem{ID: u.ID, Path: u.Path, Error: u.Error, Cases: []string{}, Submissions: []report.JSONSubmission{}})
	}
	for i := range c.problems {
		if c.problems[i].begun != nil {
			doc.Problems = append(doc.Problems, c.judged(i))
		}
	}
	slices.SortStableFunc(doc.Problems, func(a, b report.JSONProblem) int { return strings.Compare(a.ID, b.ID) })
	for i := range c.measurements {
		if c.measurements[i].Trials != nil {
			doc.Problems = append(doc.Problems, c.measured(i))
		}
	}
	return doc
}

// judged is what became of a problem's submissions.
func (c *Call) judged(i int) report.JSONProblem {
	head, p := &c.Head.Problems[i], &c.problems[i]
	j := report.JSONProblem{
		ID: head.ID, Path: head.Path, Error: p.begun.Error, Limits: p.begun.Limits,
		Cases: make([]string, len(head.Cases)), Submissions: []report.JSONSubmission{},
	}
	place := make(map[string]int, len(head.Cases))
	for k, one := range head.Cases {
		j.Cases[k], place[one.Name] = one.Name, k
	}
	if j.Error != "" {
		return j
	}
	for k := range p.submissions {
		s := &p.submissions[k]
		one := report.JSONSubmission{Name: head.Submissions[k].Name, Language: head.Submissions[k].Language, Expected: []report.JSONExpectation{}, Groups: []report.JSONGroup{}}
		names := s.told
		if s.done != nil {
			one, names = s.done.JSONSubmission, s.done.Runs
		} else {
			slices.SortStableFunc(names, func(a, b string) int { return place[a] - place[b] })
		}
		one.Runs = make([]report.JSONRun, len(names))
		for n, name := range names {
			one.Runs[n] = s.runs[name]
		}
		j.Submissions = append(j.Submissions, one)
	}
	return j
}

// measured is what was measured of a problem.
func (c *Call) measured(i int) report.JSONProblem {
	m := c.measurements[i]
	if c.State != Ended {
		m.Ended = cmp.Or(m.Ended, bench.Interrupted)
	}
	j := report.JSONProblem{ID: m.Problem, Limits: m.Limits, Submissions: []report.JSONSubmission{}, Cases: []string{}, Measurement: &m}
	if c.of[i] >= 0 {
		j.Path = c.Head.Problems[c.of[i]].Path
	}
	for _, one := range m.Cases {
		j.Cases = append(j.Cases, one.Name)
	}
	return j
}

// Document returns what was learned.
func (c *Call) Document() (*record.Document, error) {
	d, err := report.FromJSON(c.JSON())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	return d, nil
}
