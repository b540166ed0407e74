package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// A Program is a submission that was judged or measured.
type Program struct {
	Problem, Name, Language string
	Command                 []string      // of its compiler; nil if nothing was compiled, or if it is not known
	Wrong                   string        // why it does not compile; "" if it does
	Unknown                 string        // why it was not run; "" if it was
	Failure                 bool          // Wrong is not as expected
	Cases                   []ProgramCase // see [Run].Test
}

// A ProgramCase is a submission on a case.
type ProgramCase struct {
	Name    string  // "" if there is no run
	Size    float64 // n of a generated input of growing size; 0 otherwise
	Wrong   string  // the first verdict other than AC, with the reason; "" if all are AC
	Unknown string  // why there is no verdict; "" if there is
}

// A Run is one run of a submission on a case, judged or measured.
type Run struct {
	Program        int // index in the programs of the problem
	Test           int // index in Cases of the program
	Name, Language string
	Case           string
	Size           float64         // as in [ProgramCase]
	Round          int             // number of the run among those of its case, from 0; -1 is a warm-up
	Order          int             // number of the run in the measurement, from 0; -1 if the submission was judged
	At             time.Duration   // start of the run since the start of the measurement
	Verdict        problem.Verdict // "" if the judge failed; all runs of a judged case have the verdict of the case
	Why            string          // the reason of the verdict
	Err            string          // the failure of the judge; "" if there was none
	Counted        bool            // the verdict is that of this run
	Failure        bool            // the verdict is not as expected, or in a measurement the output is wrong
	Outcome        sandbox.Outcome
}

// runs returns the runs of a problem: those of judged submissions by submission
// and case, those of a measurement in the order in which they ran.
func (part *Part) runs(p *record.Problem) (all []Run) {
	for i, r := range p.Reports {
		for k := range r.Runs {
			run := &r.Runs[k]
			one := Run{Program: i, Test: k, Name: r.Submission, Language: r.Language, Case: run.Case, Order: -1,
				Verdict: run.Verdict, Why: run.Why, Err: message(run.Err), Failure: StandingOf(r) == Unexpected &&
					run.Verdict != problem.Accepted}
			times := run.Times
			if len(times) < 2 || run.Err != nil {
				times = []sandbox.Outcome{run.Outcome}
			}
			counted := slices.Index(times, run.Outcome)
			for round, o := range times {
				one.Round, one.Outcome, one.Counted = round, o, round == counted
				all = append(all, one)
			}
		}
	}
	return append(all, part.Runs...)
}

// Programs returns the submissions of a problem, judged or measured, and their runs.
func (w Writer) Programs(p *record.Problem) ([]Program, []Run) {
	part := w.part(p)
	return part.programs(p)
}

func (part *Part) programs(p *record.Problem) (all []Program, runs []Run) {
	for _, r := range p.Reports {
		s := Program{Problem: p.ID, Name: r.Submission, Language: r.Language, Command: r.Compile.Command,
			Cases: make([]ProgramCase, len(r.Runs)), Failure: StandingOf(r) == Unexpected}
		switch {
		case r.Skipped != "":
			s.Unknown = "skipped: " + firstLine(r.Skipped)
		case r.Err != nil:
			s.Unknown = "judge error: " + firstLine(r.Err.Error())
		case r.Verdict == problem.CompileError:
			s.Wrong = because(problem.CompileError, r.Compile.Message)
		case len(r.Runs) == 0:
			s.Unknown = "not run"
		}
		all = append(all, s)
	}
	for _, s := range part.Programs {
		if s.Wrong != "" {
			s.Wrong = because(problem.CompileError, s.Wrong)
		}
		if s.Unknown != "" {
			s.Unknown = "skipped: " + firstLine(s.Unknown)
		}
		all = append(all, s)
	}
	runs = part.runs(p)
	for _, r := range runs {
		c := &all[r.Program].Cases[r.Test]
		c.Name, c.Size = r.Case, r.Size
		bad, unknown := wrong(r.Verdict, r.Why, r.Err)
		c.Wrong, c.Unknown = cmp.Or(c.Wrong, bad), cmp.Or(c.Unknown, unknown)
	}
	return all, runs
}

// wrong returns why the times of a run do not count: the failure of the submission,
// or why there is no verdict. Both are "" for an accepted run.
func wrong(v problem.Verdict, why, err string) (wrong, unknown string) {
	switch {
	case err != "":
		return "", "judge error: " + firstLine(err)
	case v == "":
		return "", "no verdict"
	case v == problem.Accepted:
		return "", ""
	}
	return because(v, why), ""
}

// because joins a verdict and its reason: "WA: line 1, column 1".
func because(v problem.Verdict, why string) string {
	if why = firstLine(why); why != "" {
		return string(v) + ": " + why
	}
	return string(v)
}

// firstLine returns the first line that is not blank. It skips lines that begin
// with "# ", which the Go compiler writes before its messages.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return ""
}
