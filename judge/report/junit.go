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
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitTotals
	Suites []Suite `xml:"testsuite"`
}

// A Suite is a suite of test cases of JUnit. Its writer cleans the names, and counts the test
// cases.
type Suite struct {
	Name string `xml:"name,attr"`
	junitTotals
	Properties []Property `xml:"properties>property,omitempty"`
	Cases      []TestCase `xml:"testcase"`
	path       string     // of the package, if the suite is a submission or the package itself
	submission string     // in the package; "" for the package itself
	SystemErr  string     `xml:"system-err,omitempty"`
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

// A Property is a named value of a [Suite].
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A TestCase passes if it has no failure, no error, and is not skipped.
type TestCase struct {
	Name      string        `xml:"name,attr"`
	Class     string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *TestProblem  `xml:"failure"`
	Error     *TestProblem  `xml:"error"`
	Skipped   *TestProblem  `xml:"skipped"`
	SystemOut string        `xml:"system-out,omitempty"`
	Wall      time.Duration `xml:"-"` // wall-clock time
}

// A TestProblem is why a [TestCase] does not pass.
type TestProblem struct {
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
func (w Writer) WriteJUnit(to io.Writer, d *record.Document) error {
	all := w.suitesOf(d)
	if _, err := io.WriteString(to, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(to)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(to, "\n")
	return err
}

// suitesOf returns the suites of a document.
func (w Writer) suitesOf(d *record.Document) *junitSuites {
	all := &junitSuites{Name: "judge", junitTotals: junitTotals{Time: seconds(0)}}
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Err != nil {
			all.add(Suite{Name: p.ID, path: p.Path, Cases: []TestCase{{Name: "package",
				Error: &TestProblem{Message: "cannot be opened", Type: "package", Text: whole(p.Err)}}}})
		}
		for _, r := range p.Reports {
			all.report(p, r)
		}
		part := w.part(p)
		for _, s := range part.Suites {
			s.cutShort(part.Interrupted)
			all.add(s)
		}
	}
	for _, s := range w.against(d).Suites {
		all.add(s)
	}
	return all
}

// cutShort marks a suite that was interrupted: it may lack test cases.
func (s *Suite) cutShort(cut bool) {
	if cut {
		s.Properties = append(s.Properties, Property{"ended", interrupted})
		s.SystemErr = CutShort
	}
}

// add appends a suite, and counts its test cases.
func (all *junitSuites) add(s Suite) {
	s.Name = terminal.Clean(s.Name)
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.Class, c.Time = terminal.Clean(c.Name), s.Name, seconds(c.Wall)
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
			t.wall += c.Wall
			t.Time = seconds(t.wall)
		}
	}
	all.Suites = append(all.Suites, s)
}

// report adds a suite for a judged submission.
func (all *junitSuites) report(p *record.Problem, r *judge.Report) {
	suite := Suite{Name: p.ID + "/" + r.Submission, path: p.Path, submission: r.Submission, Properties: []Property{
		{"language", terminal.Clean(r.Language)},
		{"verdict", string(FinalVerdict(r))},
		{"expected", ExpectedText(r.Expected, terminal.Clean)},
	}}
	if r.Groups != nil {
		suite.Properties = append(suite.Properties, Property{"score", terminal.ScoreOf(r.Score, r.MaxScore)})
	}
	for _, g := range judge.ShownGroups(r) {
		suite.Properties = append(suite.Properties, Property{"score of " + terminal.Clean(g.Name),
			terminal.ScoreOf(g.Score, g.Max)})
	}
	suite.cutShort(StandingOf(r) == Unfinished)
	blamed := culprit(r)
	for i := range r.Runs {
		run := &r.Runs[i]
		c := TestCase{Name: run.Case, Wall: run.Outcome.Wall}
		switch verdict := strings.TrimSuffix(string(run.Verdict)+": "+Why(run), ": "); {
		case run.Err != nil:
			c.Error = &TestProblem{Message: Why(run), Type: string(JudgeError), Text: whole(run.Err)}
		case run == blamed:
			c.Failure = &TestProblem{Message: verdict, Type: string(run.Verdict), Text: strings.Join(Reasons(r), "\n")}
		case run.Verdict != problem.Accepted:
			c.SystemOut = verdict
		}
		suite.Cases = append(suite.Cases, c)
	}
	if c, needed := junitExpectation(r, blamed != nil); needed {
		suite.Cases = append(suite.Cases, c)
	}
	all.add(suite)
}

// junitExpectation returns the test case for the result that concerns no single case.
// blamed reports that another test case has the failure already.
func junitExpectation(r *judge.Report, blamed bool) (c TestCase, needed bool) {
	c.Name = "expectation"
	switch StandingOf(r) {
	case Skipped:
		c.Skipped = &TestProblem{Message: Headline(r)}
	case JudgeError, Broken:
		if r.Err == nil && slices.ContainsFunc(r.Runs, func(run judge.Run) bool { return run.Err != nil }) {
			return c, false // the test case of the run has the error
		}
		c.Error = &TestProblem{Message: Headline(r), Type: string(JudgeError), Text: whole(r.JudgeError())}
	case Unfinished:
		c.Skipped = &TestProblem{Message: interrupted}
	case Unexpected:
		if blamed {
			return c, false
		}
		c.Failure = &TestProblem{Message: terminal.Clean(r.Broken), Type: cmp.Or(string(r.Verdict), "expectation"),
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
