package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
	SystemErr  string          `xml:"system-err,omitempty"`
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
	all := junitSuites{Name: "judge"}
	total := time.Duration(0)
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Err != nil {
			all.add(junitSuite{Name: terminal.Clean(p.ID), Time: seconds(0), Cases: []junitCase{{
				Name: "package", Class: terminal.Clean(p.ID), Time: seconds(0),
				Error: &junitProblem{Message: "cannot be opened", Type: "package", Text: whole(p.Err)},
			}}})
		}
		for _, r := range p.Reports {
			suite, elapsed := junitSuiteOf(p, r)
			all.add(suite)
			total += elapsed
		}
		if m := p.Measurement; m != nil {
			total += all.measured(p, m)
		}
	}
	if d.Against != nil {
		all.against(d.Against)
	}
	all.Time = seconds(total)
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

// cutShort marks a suite as interrupted: it may lack test cases.
func (s *junitSuite) cutShort() {
	s.Properties = append(s.Properties, junitProperty{"ended", string(bench.Interrupted)})
	s.SystemErr = CutShort
}

// add counts the test cases of a suite and appends the suite.
func (all *junitSuites) add(s junitSuite) {
	s.Tests = len(s.Cases)
	for i := range s.Cases {
		switch c := &s.Cases[i]; {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
	all.Suites = append(all.Suites, s)
}

func junitSuiteOf(p *record.Problem, r *judge.Report) (junitSuite, time.Duration) {
	name := terminal.Clean(p.ID + "/" + r.Submission)
	suite := junitSuite{Name: name, Properties: []junitProperty{
		{"language", terminal.Clean(r.Language)},
		{"verdict", string(FinalVerdict(r))},
		{"expected", ExpectedText(r.Expected, terminal.Clean)},
	}}
	if r.Groups != nil {
		suite.Properties = append(suite.Properties, junitProperty{"score", units.ScoreOf(r.Score, r.MaxScore)})
	}
	for _, g := range judge.ShownGroups(r) {
		suite.Properties = append(suite.Properties, junitProperty{"score of " + terminal.Clean(g.Name), units.ScoreOf(g.Score, g.Max)})
	}
	if StandingOf(r) == Unfinished {
		suite.cutShort()
	}
	elapsed := time.Duration(0)
	to := culprit(r)
	for i := range r.Runs {
		run := &r.Runs[i]
		c := junitCase{Name: terminal.Clean(run.Case), Class: name, Time: seconds(run.Outcome.Wall)}
		elapsed += run.Outcome.Wall
		switch told := strings.TrimSuffix(string(run.Verdict)+": "+Why(run), ": "); {
		case run.Err != nil:
			c.Error = &junitProblem{Message: Why(run), Type: string(JudgeError), Text: whole(run.Err)}
		case run == to:
			c.Failure = &junitProblem{Message: told, Type: string(run.Verdict), Text: strings.Join(Reasons(r), "\n")}
		case run.Verdict != problem.Accepted:
			c.SystemOut = told
		}
		suite.Cases = append(suite.Cases, c)
	}
	if c, needed := junitWhole(r, to != nil); needed {
		c.Name, c.Class, c.Time = "expectation", name, seconds(0)
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = seconds(elapsed)
	return suite, elapsed
}

// junitWhole returns the test case for the result that concerns no single case.
// blamed reports that another test case has the failure already.
func junitWhole(r *judge.Report, blamed bool) (c junitCase, needed bool) {
	text := strings.Join(Reasons(r), "\n")
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
		kind := string(r.Verdict)
		if kind == "" {
			kind = "expectation"
		}
		c.Failure = &junitProblem{Message: terminal.Clean(r.Broken), Type: kind, Text: text}
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
