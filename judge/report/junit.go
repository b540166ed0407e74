package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitTotals
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitTotals
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
	path       string          // of the package, if the suite is a submission or the package itself
	submission string          // in the package; "" for the package itself
	SystemErr  string          `xml:"system-err,omitempty"`
}

// junitTotals are the sums of test cases.
type junitTotals struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	wall     time.Duration
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Class     string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Skipped   *junitProblem `xml:"skipped"`
	SystemOut string        `xml:"system-out,omitempty"`
	wall      time.Duration
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the document as JUnit XML for continuous integration: a suite
// for each submission, a test case for each run. A test passes if the verdict of
// the run is permitted. A result that concerns no single case is a test case named
// "expectation": a required verdict that is missing, a compile error, a skipped
// submission. In a measurement, each case is a test case, which fails if an output
// was wrong. A suite that was interrupted has the property "ended" and a
// system-err. Texts have only characters that XML 1.0 allows.
func WriteJUnit(w io.Writer, d *record.Document) error {
	all := suitesOf(d)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suitesOf returns the suites of a document.
func suitesOf(d *record.Document) *junitSuites {
	all := &junitSuites{Name: "judge", junitTotals: junitTotals{Time: seconds(0)}}
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Err != nil {
			all.add(p.ID, junitSuite{path: p.Path}, junitCase{Name: "package",
				Error: &junitProblem{Message: "cannot be opened", Type: "package", Text: whole(p.Err)}})
		}
		for _, r := range p.Reports {
			all.report(p, r)
		}
		if record.Of[*bench.Measurement](p) != nil {
			all.measured(p)
		}
	}
	if a, ok := d.Against.(*bench.RunComparison); ok {
		all.against(a)
	}
	return all
}

// cutShort marks a suite that was interrupted: it may lack test cases.
func (s *junitSuite) cutShort(interrupted bool) {
	if interrupted {
		s.Properties = append(s.Properties, junitProperty{"ended", string(bench.Interrupted)})
		s.SystemErr = CutShort
	}
}

// add appends a suite of test cases, and counts them.
func (all *junitSuites) add(name string, s junitSuite, cases ...junitCase) {
	s.Name = terminal.Clean(name)
	for _, c := range cases {
		c.Name, c.Class, c.Time = terminal.Clean(c.Name), s.Name, seconds(c.wall)
		for _, t := range []*junitTotals{&s.junitTotals, &all.junitTotals} {
			t.Tests++
			switch {
			case c.Failure != nil:
				t.Failures++
			case c.Error != nil:
				t.Errors++
			case c.Skipped != nil:
				t.Skipped++
			}
			t.wall += c.wall
			t.Time = seconds(t.wall)
		}
		s.Cases = append(s.Cases, c)
	}
	all.Suites = append(all.Suites, s)
}

// report adds a suite for a judged submission.
func (all *junitSuites) report(p *record.Problem, r *judge.Report) {
	suite := junitSuite{path: p.Path, submission: r.Submission, Properties: []junitProperty{
		{"language", terminal.Clean(r.Language)},
		{"verdict", string(FinalVerdict(r))},
		{"expected", ExpectedText(r.Expected, terminal.Clean)},
	}}
	if r.Groups != nil {
		suite.Properties = append(suite.Properties, junitProperty{"score", terminal.ScoreOf(r.Score, r.MaxScore)})
	}
	for _, g := range judge.ShownGroups(r) {
		suite.Properties = append(suite.Properties, junitProperty{"score of " + terminal.Clean(g.Name),
			terminal.ScoreOf(g.Score, g.Max)})
	}
	suite.cutShort(StandingOf(r) == Unfinished)
	var cases []junitCase
	blamed := culprit(r)
	for i := range r.Runs {
		run := &r.Runs[i]
		c := junitCase{Name: run.Case, wall: run.Outcome.Wall}
		switch verdict := strings.TrimSuffix(string(run.Verdict)+": "+Why(run), ": "); {
		case run.Err != nil:
			c.Error = &junitProblem{Message: Why(run), Type: string(JudgeError), Text: whole(run.Err)}
		case run == blamed:
			c.Failure = &junitProblem{Message: verdict, Type: string(run.Verdict), Text: strings.Join(Reasons(r), "\n")}
		case run.Verdict != problem.Accepted:
			c.SystemOut = verdict
		}
		cases = append(cases, c)
	}
	if c, needed := junitExpectation(r, blamed != nil); needed {
		cases = append(cases, c)
	}
	all.add(p.ID+"/"+r.Submission, suite, cases...)
}

// junitExpectation returns the test case for the result that concerns no single case.
// blamed reports that another test case has the failure already.
func junitExpectation(r *judge.Report, blamed bool) (c junitCase, needed bool) {
	c.Name = "expectation"
	switch StandingOf(r) {
	case Skipped:
		c.Skipped = &junitProblem{Message: Headline(r)}
	case JudgeError, Broken:
		if r.Err == nil && slices.ContainsFunc(r.Runs, func(run judge.Run) bool { return run.Err != nil }) {
			return c, false // the test case of the run has the error
		}
		c.Error = &junitProblem{Message: Headline(r), Type: string(JudgeError), Text: whole(r.JudgeError())}
	case Unfinished:
		c.Skipped = &junitProblem{Message: "interrupted"}
	case Unexpected:
		if blamed {
			return c, false
		}
		c.Failure = &junitProblem{Message: terminal.Clean(r.Broken), Type: cmp.Or(string(r.Verdict), "expectation"),
			Text: strings.Join(Reasons(r), "\n")}
	case AsExpected:
		if len(r.Runs) > 0 {
			return c, false
		}
	}
	return c, true
}

// whole joins the lines of [ErrorLines].
func whole(err error) string { return strings.Join(ErrorLines(err), "\n") }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
