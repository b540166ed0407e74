package report

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Lines formats the reports of one problem as text in aligned columns, each report
// as soon as it exists. Its fields must not change after the first call.
// Submissions, Languages and Cases set the widths of the columns.
type Lines struct {
	Palette     Palette  // the colours
	Verbose     bool     // adds a line for every run
	Counts      bool     // adds the instructions of the slowest run
	Title       string   // from [Title]
	Submissions []string // names of all submissions that may appear
	Languages   []string // their languages
	Cases       []string // names of all selected cases
	Score       int      // columns of a score, from [terminal.ScoreWidth]; 0 if the problem has no scores
}

// Title returns the id of a problem, its limits and its number of cases:
//
//	poj3074  1 s, 64 MiB, 14 cases
func Title(id string, l problem.Limits, cases int) string {
	return terminal.Clean(id) + "  " + Bounds(l, cases)
}

// columns has the widths of the columns that vary.
type columns struct{ name, language, score, passed, slowest int }

const (
	mostName     = 48        // a longer name moves the rest of its own row only
	margin       = 2 + 4 + 2 // before the name: spaces, the standing, spaces
	verdictWidth = 3
	timeWidth    = 7 // "12.3 ms", "1023 MiB" is one wider
	sizeWidth    = 8
)

func (l *Lines) columns() columns {
	c := columns{
		name:     min(widest(l.Submissions), mostName),
		language: widest(l.Languages),
		score:    l.Score,
		passed:   2*len(fmt.Sprint(len(l.Cases))) + 1,
		slowest:  max(widest(l.Cases), len("slowest")),
	}
	// The names of cases and groups span the columns of the name and the language.
	for _, name := range l.Cases {
		if !l.Verbose {
			if name = path.Dir(name); l.Score == 0 {
				break
			}
		}
		c.name = max(c.name, min(terminal.Width(terminal.Clean(name)), mostName)-2-c.language)
	}
	// The title is on the same line as the headings of the figures.
	c.name += max(0, terminal.Width(l.Title)-(c.figures()-2))
	return c
}

// figures returns the number of columns before the slowest case and its figures.
func (c columns) figures() int {
	return margin + c.name + 2 + c.language + 2 + c.verdict() + 2 + c.passed + 2
}

// verdict returns the width of the verdict and the score beside it.
func (c columns) verdict() int {
	if c.score > 0 {
		return verdictWidth + 2 + c.score
	}
	return verdictWidth
}

// scored appends a score to a padded verdict.
func (c columns) scored(verdict, score string) string {
	if c.score == 0 {
		return verdict
	}
	return verdict + "  " + terminal.PadLeft(score, c.score)
}

func widest(names []string) int {
	n := 0
	for _, name := range names {
		n = max(n, terminal.Width(terminal.Clean(name)))
	}
	return n
}

// Head returns the line above the rows: the title and the headings of the columns.
func (l *Lines) Head() string {
	if len(l.Submissions) == 0 {
		return l.Palette.Bold(l.Title) + "\n"
	}
	c := l.columns()
	headings := terminal.Pad("slowest", c.slowest) + "  " + strings.Join(figureHeadings, "  ")
	return l.Palette.Bold(l.Title) + strings.Repeat(" ",
		max(2, c.figures()-terminal.Width(l.Title))) + l.Palette.Faint(headings) + "\n"
}

// Row returns the lines of one submission: one line of results, one for each group
// if groups have scores, the reasons if the submission is not as expected, and one
// for each run if Verbose is set. It adds the interaction log of each run, or
// without Verbose of one run.
func (l *Lines) Row(r *judge.Report) string {
	c := l.columns()
	standing := StandingOf(r)
	word := terminal.Pad(string(FinalVerdict(r)), verdictWidth)
	passed := terminal.PadLeft(fmt.Sprintf("%d/%d", AcceptedRuns(r), len(l.Cases)), c.passed)
	if standing == Skipped || r.Err != nil {
		passed = strings.Repeat(" ", c.passed)
	}
	if standing == Unexpected {
		word = l.Palette.Bad(word)
	}
	word = c.scored(word, terminal.ScoreOf(r.Score, r.MaxScore))
	detail := Headline(r)
	if slowest := r.Slowest(); slowest != nil && detail == "" {
		detail = terminal.Pad(terminal.Clean(slowest.Case), c.slowest) + "  " + Figures(slowest)
		if n := slowest.Outcome.Instructions; l.Counts && n > 0 {
			detail += "  " + terminal.Instructions(n)
		}
		if slowest.StoredAt != nil {
			detail += "  " + l.Palette.Faint(StoredText(slowest))
		}
	}
	if FinalVerdict(r) == "" && detail != "" && len(r.Runs) == 0 {
		// Nothing ran, so the reason replaces the empty columns.
		word, passed, detail = detail, "", ""
	}
	var b strings.Builder
	l.line(&b, "  "+l.Palette.Standing(standing, terminal.Pad(string(standing), 4)),
		terminal.Pad(terminal.Clean(r.Submission), c.name), terminal.Pad(terminal.Clean(r.Language), c.language), word,
		passed, detail)
	for _, g := range judge.ShownGroups(r) {
		l.line(&b, strings.Repeat(" ", margin-2), l.group(c, g))
	}
	for _, reason := range append(Reasons(r), Remarks(r)...) {
		l.line(&b, strings.Repeat(" ", margin-2), reason)
	}
	if l.Verbose {
		for i := range r.Runs {
			l.line(&b, strings.Repeat(" ", margin-2), l.run(c, &r.Runs[i]))
			l.dialogue(&b, &r.Runs[i])
		}
	} else if run := shownDialogue(r); run != nil {
		l.line(&b, strings.Repeat(" ", margin-2), terminal.Clean(run.Case)+":")
		l.dialogue(&b, run)
	}
	return b.String()
}

// group returns the line of one group, with verdict and score in the columns of
// those of the submission.
func (l *Lines) group(c columns, g *judge.GroupResult) string {
	name := terminal.Pad(terminal.Clean(g.Name), c.name+2+c.language)
	if g.Err != nil {
		return name + "  " + l.Palette.Verdict("", terminal.Pad(string(JudgeError), verdictWidth))
	}
	// A group that did not run has no verdict, which is no failure of the judge.
	verdict := terminal.Pad(string(g.Verdict), verdictWidth)
	if g.Verdict != "" {
		verdict = l.Palette.Verdict(g.Verdict, verdict)
	}
	text := name + "  " + c.scored(verdict, terminal.ScoreOf(g.Score, g.Max))
	if g.NotRun != "" {
		text += "  " + terminal.Clean("not run: "+g.NotRun)
	}
	return text
}

// run returns the line of one run, with its figures in the columns of those of the
// submission.
func (l *Lines) run(c columns, run *judge.Run) string {
	name := terminal.Pad(terminal.Clean(run.Case), c.name+2+c.language)
	if run.Err != nil {
		return name + "  " + l.Palette.Verdict("", terminal.Pad(string(JudgeError), verdictWidth)) + "  " + Why(run)
	}
	verdict := l.Palette.Verdict(run.Verdict, terminal.Pad(string(run.Verdict), verdictWidth))
	text := name + "  " + c.scored(verdict, terminal.ScoreOf(run.Earned, nil)) + strings.Repeat(" ",
		2+c.passed+2+c.slowest+2) + Figures(run)
	if n := run.Outcome.Instructions; n > 0 {
		text += "  " + terminal.Instructions(n)
	}
	if len(run.Times) > 1 {
		byCPU := func(a, b sandbox.Outcome) int { return cmp.Compare(a.CPU, b.CPU) }
		text += fmt.Sprintf("  %d times, %s to %s cpu", len(run.Times),
			terminal.Duration(slices.MinFunc(run.Times, byCPU).CPU), terminal.Duration(slices.MaxFunc(run.Times, byCPU).CPU))
	}
	for _, about := range []string{BesideText(run), StoredText(run),
		strings.TrimPrefix(othersText(run), madeAgain(run)+"; ")} {
		if about != "" {
			text += "  " + about
		}
	}
	if why := Why(run); why != "" {
		text += "  " + why
	}
	return text
}

// StoredText returns that a run is a stored one, or why it was made although there is one:
// "stored 5 min ago", "made again: its verdict was WA, which is not expected"; "" if
// there was no stored run.
func StoredText(run *judge.Run) string {
	switch {
	case run.StoredAt != nil:
		return "stored " + terminal.Age(run.StoredAge) + " ago"
	case run.MadeAgain != "":
		return "made again: " + terminal.Clean(run.MadeAgain)
	}
	return ""
}

// BesideText returns how many other programs of the judge ran at the same time as a run,
// or why it was made again alone: "beside 3 others", "run again alone: unexpected TLE
// beside 3 other programs: used 1.02 s CPU"; "" for a run that was alone from the start.
func BesideText(run *judge.Run) string {
	switch n := run.Outcome.Beside; {
	case run.Retried != "":
		return madeAgain(run) + ": " + terminal.Clean(run.Retried)
	case n > 0:
		return "beside " + terminal.Count(n, "other")
	}
	return ""
}

// dialogueLines is the maximum number of lines shown of one interaction log. JSON
// has the complete stored log.
const dialogueLines = 200

// shownDialogue returns the run whose interaction log is shown: the run that decided the
// result, or else the first with a log, usually a sample; nil if there is none.
func shownDialogue(r *judge.Report) *judge.Run {
	for _, run := range []*judge.Run{culprit(r), Deciding(r)} {
		if run != nil && run.Dialogue.Text() != nil {
			return run
		}
	}
	if i := slices.IndexFunc(r.Runs, func(run judge.Run) bool { return run.Dialogue.Text() != nil }); i >= 0 {
		return &r.Runs[i]
	}
	return nil
}

// dialogue writes the interaction log of a run.
func (l *Lines) dialogue(b *strings.Builder, run *judge.Run) {
	for i, line := range run.Dialogue.Text() {
		if i == dialogueLines {
			l.line(b, strings.Repeat(" ", margin), fmt.Sprintf("... %s more", terminal.Count(len(run.Dialogue.Lines)-i, "line")))
			break
		}
		l.line(b, strings.Repeat(" ", margin), terminal.Clean(line))
	}
}

// line writes cells separated by two spaces, without trailing spaces.
func (l *Lines) line(b *strings.Builder, cells ...string) {
	b.WriteString(strings.TrimRight(strings.Join(cells, "  "), " "))
	b.WriteByte('\n')
}

// figureHeadings are the headings of the columns of [Figures].
var figureHeadings = []string{terminal.PadLeft("cpu", timeWidth), terminal.PadLeft("wall", timeWidth),
	terminal.PadLeft("memory", sizeWidth)}

// FigureHeadings returns the headings of the columns of [Figures].
func FigureHeadings() string { return strings.Join(figureHeadings, "  ") }

// Figures formats the CPU time, wall-clock time and peak memory of a run in three
// columns.
func Figures(run *judge.Run) string { return strings.Join(figures(run), "  ") }

func figures(run *judge.Run) []string {
	o := &run.Outcome
	return []string{terminal.PadLeft(terminal.Duration(o.CPU), timeWidth),
		terminal.PadLeft(terminal.Duration(o.Wall), timeWidth), terminal.PadLeft(terminal.Memory(o.Memory), sizeWidth)}
}

// WriteText writes the document as text without colours. The error is that of to.
func (w Writer) WriteText(to io.Writer, d *record.Document) error {
	return Text{Writer: w}.Write(to, d)
}

// Text has the settings of the text format. The zero value writes text without
// colours.
type Text struct {
	Writer  Writer  // knows what sections add
	Palette Palette // the colours
	Verbose bool    // adds a line for every run and all tables of details, and does not shorten names
	Columns int     // width of the terminal, which tables of measurements must fit; 0 means no limit
}

// Write writes the document. The error is that of to.
func (t Text) Write(to io.Writer, d *record.Document) error {
	var b strings.Builder
	for i := range d.Problems {
		p := &d.Problems[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		if p.Err != nil {
			b.WriteString(Unopened(p.ID, p.Err))
			continue
		}
		part := t.Writer.part(p)
		if part.Bounds != "" {
			t.measured(&b, p, &part, d.Machine)
			continue
		}
		lines := linesOf(p)
		lines.Palette, lines.Verbose, lines.Counts = t.Palette, t.Verbose, d.Machine.Counter != ""
		b.WriteString(lines.Head())
		for _, r := range p.Reports {
			if part.Strength == nil || t.Verbose || StandingOf(r) != AsExpected {
				b.WriteString(lines.Row(r))
			}
		}
		t.sheets(&b, made(part.Strength))
	}
	t.sheets(&b, made(t.Writer.against(d).Sheets))
	b.WriteString("\n" + strings.Join(t.wrap(t.Writer.Summary(d), 2), "\n  ") + "\n")
	_, err := io.WriteString(to, b.String())
	return err
}

func linesOf(p *record.Problem) *Lines {
	l := &Lines{Title: Title(p.ID, p.Limits, len(p.Cases)), Cases: p.Cases}
	for _, r := range p.Reports {
		l.Submissions = append(l.Submissions, r.Submission)
		l.Languages = append(l.Languages, r.Language)
		if r.Groups != nil {
			l.Score = terminal.ScoreWidth(r.MaxScore)
		}
	}
	return l
}

// Unopened returns the lines for a package that cannot be opened, with the reason.
func Unopened(id string, err error) string {
	return terminal.Clean(id) + "  cannot be opened\n  " + strings.Join(ErrorLines(err), "\n  ") + "\n"
}

// Summary summarizes a document in one line: "16 submissions as expected, 1 not,
// 1 skipped, 214 runs in 12.3 s", or for measurements "3 submissions measured,
// 1 not, 120 runs in 12.3 s". A comparison of stored runs, and a search for inputs, have
// their own.
func (w Writer) Summary(d *record.Document) string {
	if summary := w.against(d).Summary; summary != "" {
		return summary
	}
	if len(d.Problems) == 1 {
		if part := w.part(&d.Problems[0]); part.Summary != "" {
			return part.Summary + " in " + terminal.Duration(d.Elapsed)
		}
	}
	standings := map[Standing]int{}
	runs, unopened, measured, idle, faults := 0, 0, 0, 0, 0
	mutants := false // their runs are not counted
	stored, oldest, again, spent := 0, time.Duration(0), 0, time.Duration(0)
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Err != nil {
			unopened++
		}
		part := w.part(p)
		faults, mutants = faults+part.Faults, mutants || part.Mutants
		ran := make(map[int]bool)
		for i := range part.Runs {
			ran[part.Runs[i].Program] = true
		}
		measured, idle = measured+len(ran), idle+len(part.Programs)-len(ran)
		runs += len(part.Runs)
		for _, r := range p.Reports {
			standings[StandingOf(r)]++
			runs += len(r.Runs)
			for i := range r.Runs {
				run := &r.Runs[i]
				switch {
				case run.StoredAt != nil:
					stored, oldest = stored+1, max(oldest, run.StoredAge)
				case run.MadeAgain != "":
					again, spent = again+1, spent+run.Outcome.Wall
				}
			}
		}
	}
	parts := []string{terminal.Count(standings[AsExpected], "submission") + " as expected"}
	if measured+idle > 0 {
		parts = []string{terminal.Count(measured, "submission") + " measured"}
	}
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	n := standings[Unexpected] + idle
	add(n, strconv.Itoa(n)+" not")
	add(standings[Skipped], strconv.Itoa(standings[Skipped])+" skipped")
	add(standings[Unfinished], strconv.Itoa(standings[Unfinished])+" interrupted")
	add(standings[JudgeError], terminal.Count(standings[JudgeError], "judge error"))
	add(standings[Broken], terminal.Count(standings[Broken], "package error"))
	add(faults, terminal.Count(faults, "error")+" of validators or answers")
	add(unopened, terminal.Count(unopened, "problem")+" not opened")
	var notes []string
	if stored > 0 {
		many := strconv.Itoa(stored) + " "
		if stored == runs {
			many = map[bool]string{true: "", false: "all "}[runs == 1]
		}
		notes = append(notes, fmt.Sprintf("%sstored, up to %s old", many, terminal.Age(oldest)))
	}
	if again > 0 {
		notes = append(notes, fmt.Sprintf("%d made again in %s", again, terminal.Duration(spent)))
	}
	counted := terminal.Count(runs, "run")
	if mutants {
		counted += " of submissions"
	}
	if notes != nil {
		counted += " (" + strings.Join(notes, "; ") + ")"
	}
	add(1, counted)
	text := strings.Join(parts, ", ")
	if d.Elapsed > 0 {
		text += " in " + terminal.Duration(d.Elapsed)
	}
	return text
}
