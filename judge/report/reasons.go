package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Limits on the parts shown of texts that submissions, compilers and validators
// wrote. They apply to every format except JSON, which has the complete texts of
// the report.
const (
	whyColumns     = 160 // of one line of explanation
	failureColumns = 640 // of a failure of the judge: the program, what happened, and the reason that the program gave
	compilerLines  = 12
	stderrLines    = 6
	errorLines     = 20
	shortToken     = 24 // bytes of a token that needs no caret below its first difference
)

// Deciding returns the first run that is not accepted, which decides the verdict
// of a rejected submission, or nil if there is none.
func Deciding(r *judge.Report) *judge.Run {
	return find(r, func(run *judge.Run) bool { return run.Verdict != problem.Accepted })
}

// find returns the first run for which f reports true, among those on which the judge
// did not fail; nil if there is none.
func find(r *judge.Report, f func(*judge.Run) bool) *judge.Run {
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Err == nil && f(run) {
			return run
		}
	}
	return nil
}

// culprit returns the run whose verdict breaks the expectation. It is nil if the
// verdict of every run is permitted; then a required verdict may be missing.
func culprit(r *judge.Report) *judge.Run {
	return find(r, func(run *judge.Run) bool { return run.Case == r.BrokenBy })
}

// FinalVerdict returns the verdict of the report, or "" if it is not final: the
// submission was skipped or interrupted, or the judge failed.
func FinalVerdict(r *judge.Report) problem.Verdict {
	if r.Skipped != "" || r.Err != nil || StandingOf(r) == Unfinished {
		return ""
	}
	return r.Verdict
}

// failure returns the first failure of the judge, without the name of the
// submission, which the report shows beside it.
func failure(r *judge.Report) string {
	return strings.TrimPrefix(message(r.JudgeError()), r.Submission+" on ")
}

// Why returns one line, escaped for terminals, that explains why a run is not
// accepted: the first difference between output and answer, or the way the program
// ended. It is "" for an accepted run.
func Why(run *judge.Run) string {
	if run.Err != nil {
		text := run.Err.Error()
		if _, after, ok := strings.Cut(text, " on "+run.Case+": "); ok {
			text = after
		}
		return terminal.Clip(terminal.Clean(text), failureColumns)
	}
	return terminal.Clip(terminal.Clean(run.Why), whyColumns)
}

// Reasons returns lines, escaped for terminals, that explain a broken expectation,
// a compile error or a failure of the judge. They do not repeat [Headline]. It
// returns nil for a submission that is as expected or skipped.
func Reasons(r *judge.Report) []string {
	var lines []string
	switch StandingOf(r) {
	case AsExpected, Skipped:
		return nil
	case JudgeError, Broken:
		if all := terminal.Lines(failure(r), compilerLines); len(all) > 1 {
			lines = append(lines, all[1:]...)
		}
	}
	if r.Verdict == problem.CompileError {
		return append(lines, quoted(r.Compile.Message, compilerLines)...)
	}
	if r.Broken != "" {
		lines = append(lines, terminal.Lines(r.Broken, 3)...)
	}
	run, decided := culprit(r), Deciding(r)
	if run != nil && run != decided {
		lines = append(lines, run.Case+": "+Why(run))
	}
	if run == nil {
		run = decided
	}
	if run != nil {
		lines = append(lines, sideBySide(run)...)
		lines = append(lines, Stderr(run)...)
	}
	return lines
}

// quoted marks untrusted lines with a bar, and cuts long ones.
func quoted(s string, most int) []string {
	lines := terminal.Lines(s, most)
	for i := range lines {
		lines[i] = "| " + terminal.Clip(lines[i], whyColumns)
	}
	return lines
}

// Stderr returns the standard error of a program in lines escaped for terminals.
// It leaves out lines in the middle of a long text: depending on the language, the
// reason of a crash is in the first line or in the last.
func Stderr(run *judge.Run) []string {
	lines := quoted(run.Stderr, math.MaxInt)
	if left := len(lines) - stderrLines; left > 1 {
		lines = slices.Replace(lines, stderrLines/2, stderrLines/2+left, "… "+terminal.Count(left, "line")+" left out")
	}
	return lines
}

// sideBySide returns a long token below the expected one, and a caret below the
// first difference. It returns nil for short tokens, which [Why] shows in full.
func sideBySide(run *judge.Run) []string {
	d := run.Diff
	if d == nil || d.Kind != check.Differs || max(len(d.Want), len(d.Got)) <= shortToken {
		return nil
	}
	expected, got := strconv.Quote(d.Want), strconv.Quote(d.Got)
	same := 0
	for same < len(expected) && same < len(got) && expected[same] == got[same] {
		same++
	}
	caret := terminal.Width(strings.ToValidUTF8(expected[:same], ""))
	return []string{"expected " + expected, "got      " + got, strings.Repeat(" ", len("expected ")+caret) + "^"}
}

// Headline returns one line, escaped for terminals, that states what decided a
// submission that was not accepted on every case; it is "" if all were accepted.
func Headline(r *judge.Report) string {
	first := func(s string) string {
		if lines := terminal.Lines(s, 2); len(lines) > 0 {
			return terminal.Clip(lines[0], whyColumns)
		}
		return ""
	}
	switch StandingOf(r) {
	case Skipped:
		return first(r.Skipped)
	case JudgeError, Broken:
		if lines := terminal.Lines(failure(r), 2); len(lines) > 0 {
			return terminal.Clip(lines[0], failureColumns)
		}
		return ""
	}
	if r.Verdict == problem.CompileError {
		return "does not compile"
	}
	if run := Deciding(r); run != nil {
		return strings.TrimSuffix(terminal.Clean(run.Case)+": "+Why(run), ": ")
	}
	if StandingOf(r) == Unfinished {
		return "interrupted"
	}
	return ""
}

// AcceptedRuns returns the number of accepted runs.
func AcceptedRuns(r *judge.Report) int {
	n := 0
	for i := range r.Runs {
		if r.Runs[i].Verdict == problem.Accepted {
			n++
		}
	}
	return n
}

// message returns the text of an error; "" for nil.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Remarks returns lines, escaped for terminals, about runs whose attempts have different
// verdicts, whose verdict may be another one on another machine, and whose instructions
// could not be counted. Of each kind it names
// the first run and the number of the others.
func Remarks(r *judge.Report) (lines []string) {
	differing := func(run *judge.Run) string {
		if !slices.ContainsFunc(run.Others, func(a judge.Attempt) bool { return a.Verdict != run.Verdict }) {
			return ""
		}
		return othersText(run)
	}
	for _, kind := range []func(*judge.Run) string{differing, doubtText, uncountedText} {
		first, n := "", 0
		for i := range r.Runs {
			if text := kind(&r.Runs[i]); text != "" {
				if n++; n == 1 {
					first = terminal.Clean(r.Runs[i].Case) + ": " + text
				}
			}
		}
		if n > 1 {
			first += "; likewise on " + terminal.Count(n-1, "more case")
		}
		if n > 0 {
			lines = append(lines, first)
		}
	}
	return lines
}

// madeAgain begins the description of a run that was made again.
func madeAgain(run *judge.Run) string {
	if slices.ContainsFunc(run.Others, func(a judge.Attempt) bool { return a.Worker != run.Worker }) {
		return "run again on another worker"
	}
	return "run again alone"
}

// doubtText states that the verdict of a run may be another one on another machine; "" if
// it is not doubtful, or another worker made the run again.
func doubtText(run *judge.Run) string {
	if run.Doubt == "" {
		return ""
	}
	return "doubtful: " + terminal.Clip(terminal.Clean(run.Doubt), 2*whyColumns)
}

// othersText describes the attempts of a run that do not count: "AC counts, of 2 attempts;
// the other: TLE (used 1.2 s CPU, limit 1 s)"; "" if there are none.
func othersText(run *judge.Run) string {
	if len(run.Others) == 0 {
		return ""
	}
	verdict := func(v problem.Verdict) string { return cmp.Or(string(v), string(JudgeError)) }
	alone := ""
	if run.Retried != "" {
		alone = madeAgain(run) + "; "
	}
	text := alone + fmt.Sprintf("%s counts, of %d attempts; ", verdict(run.Verdict), len(run.Others)+1)
	if len(run.Others) == 1 {
		text += "the other: " + verdict(run.Others[0].Verdict)
		if w := run.Others[0].Worker; w != run.Worker {
			text += " on " + terminal.Clean(w)
		}
		if why := run.Others[0].Why; why != "" {
			text += " (" + terminal.Clip(terminal.Clean(why), whyColumns) + ")"
		}
		return text
	}
	var order []problem.Verdict
	times := make(map[problem.Verdict]int)
	for _, a := range run.Others {
		if times[a.Verdict]++; times[a.Verdict] == 1 {
			order = append(order, a.Verdict)
		}
	}
	var parts []string
	for _, v := range order {
		parts = append(parts, fmt.Sprintf("%s %s", verdict(v), terminal.Count(times[v], "time")))
	}
	return text + "the others: " + strings.Join(parts, ", ")
}

// uncountedText states why the instructions of a run were not counted; "" if they were, or
// were not requested.
func uncountedText(run *judge.Run) string {
	if run.Uncounted == "" {
		return ""
	}
	return "instructions not counted: " + terminal.Clip(terminal.Clean(run.Uncounted), whyColumns)
}
