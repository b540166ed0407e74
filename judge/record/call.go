package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge"
)

// A Call contains everything that is stored of a call.
type Call struct {
	Summary
	Toolchains []ToolchainLine // in the order of their lines
	Sections   []SectionLine   // lines of other kinds, in their order

	unopened []UnopenedLine
	problems []problemLog // in the order of the head
}

// A called contains the stored results of one problem of the head.
type problemLog struct {
	begun       *BegunLine
	submissions []submissionLog
}

// A submissionLog contains the stored results of one submission.
type submissionLog struct {
	runs map[string]judge.Run // by case name
	ran  []string             // names of the cases with a run, in the order in which the first runs ended
	done *SubmissionLine      // nil if the submission was not judged to the end
}

// add adds a line with its number. The error is for a line that no judge writes.
func (c *Call) add(l *Line, number int) error {
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
	case l.End != nil:
		c.End, c.State = *l.End, Ended
	}
	for name, v := range l.Sections {
		c.Sections = append(c.Sections, SectionLine{name, number, v.(jsontext.Value)})
	}
	return nil
}

func (c *Call) submission(p, s int) (*submissionLog, error) {
	if p < 0 || p >= len(c.problems) || s < 0 || s >= len(c.problems[p].submissions) {
		return nil, fmt.Errorf("submission %d of problem %d: there is none in the head", s, p)
	}
	return &c.problems[p].submissions[s], nil
}

// Document returns the results of the call, with those of the sections that are given. If
// the call did not end, its unfinished problems have the same form as after an interrupted
// call. Document returns an error for a section that no judge writes.
func (c *Call) Document(sections ...Section) (*Document, error) {
	d := &Document{Machine: c.Head.Machine, Elapsed: c.End.Elapsed}
	for _, u := range c.unopened {
		d.Problems = append(d.Problems, Problem{ID: u.ID, Path: u.Path, Err: u.Err})
	}
	parts, err := c.parts(sections)
	if err != nil {
		return nil, err
	}
	for i := range c.problems {
		if c.problems[i].begun != nil {
			d.Problems = append(d.Problems, c.judged(i))
			d.Problems[len(d.Problems)-1].Sections = parts[i]
		}
	}
	slices.SortStableFunc(d.Problems, func(a, b Problem) int { return strings.Compare(a.ID, b.ID) })
	if err := d.restore(sections); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	for _, s := range sections {
		if s.Problems != nil {
			more, err := s.Problems(c)
			if err != nil {
				return nil, err
			}
			d.Problems = append(d.Problems, more...)
		}
	}
	return d, nil
}

// judged returns the results of the submissions of problem i of the head.
func (c *Call) judged(i int) Problem {
	head, p := &c.Head.Problems[i], &c.problems[i]
	j := Problem{ID: head.ID, Path: head.Path, Err: p.begun.Err, Limits: p.begun.Limits,
		Validators: p.begun.Validators}
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
