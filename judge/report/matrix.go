package report

import (
	"fmt"
	"path"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Matrix shows submissions in rows and cases in columns on a terminal, with one
// mark for each verdict, during and after judging. [Matrix.Fit] makes its layout.
type Matrix struct {
	Palette     Palette  // the colours
	Title       string   // from [Title]
	Submissions []string // names of all submissions that may appear
	Cases       []string // names of the cases, in order
	Score       int      // columns of a score, from [terminal.ScoreWidth]; 0 if the problem has no scores
}

// A MatrixRow is the state of one submission.
type MatrixRow struct {
	Name    string        // of the submission
	Mark    string        // at most 4 columns, shown instead of the standing while Report is nil
	Doing   string        // shown until there is a run: "compiling"
	Cells   []Cell        // one for each case, in the order of [Matrix].Cases
	Slowest *judge.Run    // the slowest run so far; nil if there is none
	Report  *judge.Report // nil until the submission is judged
}

// A Cell is the state of one submission on one case. The zero value is a case that
// has not started.
type Cell struct {
	Running bool       // the case is running
	Run     *judge.Run // the result; nil if there is none
}

// marks distinguish verdicts without colour. The empty verdict is a failure of the
// judge.
var marks = map[problem.Verdict]string{
	problem.Accepted:     "·",
	problem.WrongAnswer:  "W",
	problem.TimeLimit:    "T",
	problem.MemoryLimit:  "M",
	problem.OutputLimit:  "O",
	problem.RuntimeError: "R",
	problem.CompileError: "C",
	"":                   "!",
}

const (
	notRun      = problem.Verdict("none") // replaces the verdict of a cell without one
	runningMark = "▸"
	fewestMarks = 20 // Fit leaves figures out until there are this many columns for marks
	scarceMarks = 12 // Fit then cuts names until there are this many
	fewestName  = 6  // minimum width of a cut name
)

// A Grid is the layout of a [Matrix] for one terminal width.
type Grid struct {
	*Matrix
	columns int  // width of the terminal minus one
	name    int  // columns of a submission's name
	cells   int  // columns of the marks
	perMark int  // number of cases that share a mark
	grouped bool // a space separates the cases of different folders
	slowest int  // columns of the slowest case's name; 0 leaves it out
	figures int  // number of figures shown of CPU time, wall-clock time and memory
}

// Fit returns the layout for a terminal of that many columns. On a narrow terminal
// it lets several cases share a mark, cuts the name of the slowest case, leaves
// figures out and, last, cuts the names of submissions.
func (m *Matrix) Fit(columns int) Grid {
	g := Grid{Matrix: m, columns: columns - 1, name: min(widest(m.Submissions), mostName)}
	marks := len(m.Cases) + m.gaps()
	longest := max(widest(m.Cases), len("slowest"))
	for _, try := range []struct{ slowest, figures int }{{longest, 3}, {16, 3}, {12, 3}, {12, 2}, {12, 1}, {0, 1},
		{0, 0}} {
		g.slowest, g.figures = min(try.slowest, longest), try.figures
		if g.room() >= min(marks, fewestMarks) {
			break
		}
	}
	if short := min(marks, scarceMarks) - g.room(); short > 0 {
		g.name = max(g.name-short, min(g.name, fewestName))
	}
	g.cells, g.perMark, g.grouped = marks, 1, true
	if room := max(1, g.room()); marks > room {
		g.grouped = false
		g.perMark = (len(m.Cases) + room - 1) / room
		g.cells = (len(m.Cases) + g.perMark - 1) / g.perMark
	}
	// The title shares its line with the headings of the figures.
	if g.figures > 0 {
		g.cells += max(0, min(terminal.Width(g.title())+2-g.before(), g.room()-g.cells))
	}
	return g
}

// before returns the number of columns before the verdict, which the figures
// follow.
func (g *Grid) before() int { return margin + g.name + 2 + g.cells + 2 }

// verdict returns the width of the verdict, or of the score that replaces it.
func (m *Matrix) verdict() int { return max(verdictWidth, m.Score) }

// room returns the number of columns available for marks.
func (g *Grid) room() int {
	rest := g.verdict()
	if g.slowest > 0 {
		rest += 2 + g.slowest
	}
	for _, heading := range figureHeadings[:g.figures] {
		rest += 2 + len(heading)
	}
	return g.columns - (margin + g.name + 2) - 2 - rest
}

// gaps returns the number of borders between cases of different folders.
func (m *Matrix) gaps() (n int) {
	for i := range m.Cases {
		if m.border(i) {
			n++
		}
	}
	return n
}

// border reports whether case i is in another folder than the case before it.
func (m *Matrix) border(i int) bool {
	return i > 0 && path.Dir(m.Cases[i]) != path.Dir(m.Cases[i-1])
}

func (g *Grid) title() string {
	if g.perMark > 1 {
		return g.Title + fmt.Sprintf(", %d a mark", g.perMark)
	}
	return g.Title
}

// Head returns the line above the rows: the title and the headings of the figures.
func (g *Grid) Head() *terminal.Line {
	s := &terminal.Line{Columns: g.columns}
	s.Put(g.title(), g.Palette.Bold)
	indent := g.before() + g.verdict() - s.Width()
	if g.slowest == 0 || indent < 0 {
		return s
	}
	s.Put(strings.Repeat(" ", indent)+"  "+terminal.Pad("slowest", g.slowest), g.Palette.Faint)
	for _, heading := range figureHeadings[:g.figures] {
		s.Put("  "+heading, g.Palette.Faint)
	}
	return s
}

// Row returns the line of one submission.
func (g *Grid) Row(r *MatrixRow) *terminal.Line {
	s := &terminal.Line{Columns: g.columns}
	mark, standing, word := r.Mark, Standing(""), problem.Verdict("")
	if r.Report != nil {
		standing = StandingOf(r.Report)
		mark, word = string(standing), FinalVerdict(r.Report)
	}
	s.Put("  "+terminal.Pad(mark, margin-4)+"  ", func(t string) string { return g.Palette.Standing(standing, t) })
	s.Put(terminal.Pad(terminal.ClipStart(terminal.Clean(r.Name), g.name), g.name)+"  ", nil)
	if r.Report != nil && len(r.Report.Runs) == 0 {
		s.Put(strings.TrimLeft(string(word)+"  "+Headline(r.Report), " "), nil)
		return s
	}
	if r.Report == nil && r.Slowest == nil && r.Doing != "" {
		s.Put(r.Doing, g.Palette.Faint)
		return s
	}
	g.marks(s, r)
	var paint func(string) string
	if standing == Unexpected {
		paint = g.Palette.Bad
	}
	text := string(word)
	if r.Report != nil && r.Report.Score != nil && word != "" {
		text = terminal.ScoreOf(r.Report.Score, r.Report.MaxScore)
	}
	s.Put(terminal.Pad(text, g.verdict()), paint)
	if r.Slowest == nil {
		return s
	}
	if g.slowest > 0 {
		s.Put("  "+terminal.Pad(terminal.Clip(terminal.Clean(r.Slowest.Case), g.slowest), g.slowest), nil)
	}
	for _, figure := range figures(r.Slowest)[:g.figures] {
		s.Put("  "+figure, nil)
	}
	if standing == AsExpected && s.Left() > 2+fewestMarks {
		if headline := Headline(r.Report); headline != "" {
			s.Put("  "+headline, g.Palette.Faint)
		}
	}
	return s
}

// marks appends the marks of the cells, and spaces up to the verdict.
func (g *Grid) marks(s *terminal.Line, r *MatrixRow) {
	left := g.cells + 2
	same, of := "", problem.Accepted // consecutive marks of one colour
	put := func() {
		left -= terminal.Width(same)
		paint := func(t string) string { return g.Palette.Verdict(of, t) }
		if of == notRun {
			paint = nil
		}
		s.Put(same, paint)
		same = ""
	}
	for i := 0; i < len(r.Cells); i += g.perMark {
		if g.grouped && g.border(i) {
			same += " "
		}
		mark, v := markOf(r.Cells[i:min(i+g.perMark, len(r.Cells))], r.Report != nil)
		if v != of {
			put()
			of = v
		}
		same += mark
	}
	put()
	s.Put(strings.Repeat(" ", max(0, left)), nil)
}

// markOf returns the common mark of several cells: the mark of the first that is
// not accepted; else the running mark if a case is running, or the accepted mark
// if all are accepted. Once the submission is judged, it ignores cases that were
// not run.
func markOf(cells []Cell, judged bool) (string, problem.Verdict) {
	running, ran := false, 0
	for _, c := range cells {
		switch {
		case c.Run != nil && c.Run.Err != nil:
			return marks[""], ""
		case c.Run != nil && c.Run.Verdict != problem.Accepted:
			return marks[c.Run.Verdict], c.Run.Verdict
		case c.Run != nil:
			ran++
		case c.Running:
			running = true
		}
	}
	switch {
	case running:
		return runningMark, notRun
	case ran == len(cells), judged && ran > 0:
		return marks[problem.Accepted], problem.Accepted
	}
	return " ", notRun
}
