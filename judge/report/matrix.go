package report

import (
	"fmt"
	"path"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// A Matrix shows submissions against cases on a terminal, one mark for a
// verdict, while they are judged and after.
type Matrix struct {
	Palette     Palette
	Title       string   // from [Title]
	Submissions []string // names
	Cases       []string // names, in order
	Score       int      // columns of a score, from [ScoreWidth]; 0 where there are no scores
}

// A MatrixRow is what is known of one submission.
type MatrixRow struct {
	Name    string
	Mark    string        // at most 4 columns, in the place of the standing while there is no report
	Doing   string        // while there is no run to show: "compiling"
	Cells   []Cell        // one for each case
	Slowest *judge.Run    // so far; nil if nothing ran
	Report  *judge.Report // nil while it is judged
}

// A Cell is one submission on one case: running, or run, or neither yet.
type Cell struct {
	Running bool
	Run     *judge.Run
}

// marks tell verdicts apart without color. The empty verdict is the judge's
// own failure.
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
	notRun      = problem.Verdict("none") // a cell without a verdict, for now or for good
	runningMark = "▸"
	fewestMarks = 20 // a matrix is not made narrower than this to show more figures
	scarceMarks = 12 // nor than this to show more of the names
	fewestName  = 6
)

// A Grid is a [Matrix] laid out for a terminal of some width.
type Grid struct {
	*Matrix
	columns int
	name    int
	cells   int  // columns that the marks take
	perMark int  // cases that share a mark
	grouped bool // a space stands between the cases of different folders
	slowest int  // columns of the slowest case's name; 0 leaves it out
	figures int  // how many of CPU time, real time and memory are shown
}

// Fit lays the matrix out for a terminal of that many columns. On a narrow one
// several cases share a mark, then the slowest case's name is cut, then figures
// are left out, then the submissions' names are cut.
func (m *Matrix) Fit(columns int) Grid {
	g := Grid{Matrix: m, columns: columns - 1, name: min(widest(m.Submissions), mostName)}
	marks := len(m.Cases) + m.gaps()
	longest := max(widest(m.Cases), len("slowest"))
	for _, try := range []struct{ slowest, figures int }{{longest, 3}, {16, 3}, {12, 3}, {12, 2}, {12, 1}, {0, 1}, {0, 0}} {
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

// before is where the verdict begins; the figures follow it.
func (g *Grid) before() int { return margin + g.name + 2 + g.cells + 2 }

// verdict is the width of the verdict, or of the score in its place.
func (m *Matrix) verdict() int { return max(verdictWidth, m.Score) }

// room is what the marks may take.
func (g *Grid) room() int {
	rest := g.verdict()
	if g.slowest > 0 {
		rest += 2 + g.slowest
	}
	for _, width := range []int{timeWidth, timeWidth, sizeWidth}[:g.figures] {
		rest += 2 + width
	}
	return g.columns - (margin + g.name + 2) - 2 - rest
}

// gaps counts the borders between cases of different folders.
func (m *Matrix) gaps() int {
	n := 0
	for i := range m.Cases {
		if m.border(i) {
			n++
		}
	}
	return n
}

// border reports whether case i lies in another folder than the one before it.
func (m *Matrix) border(i int) bool {
	return i > 0 && path.Dir(m.Cases[i]) != path.Dir(m.Cases[i-1])
}

func (g *Grid) title() string {
	if g.perMark > 1 {
		return g.Title + fmt.Sprintf(", %d a mark", g.perMark)
	}
	return g.Title
}

// Head returns the line above the rows: the title and the figures' headings.
func (g *Grid) Head() *terminal.Line {
	s := &terminal.Line{Columns: g.columns}
	s.Put(g.title(), g.Palette.Bold)
	indent := g.before() + g.verdict() - s.Width()
	if g.slowest == 0 || indent < 0 {
		return s
	}
	s.Put(strings.Repeat(" ", indent)+"  "+terminal.Pad("slowest", g.slowest), g.Palette.Faint)
	for i, heading := range []string{"cpu", "wall", "memory"}[:g.figures] {
		s.Put("  "+terminal.PadLeft(heading, [...]int{timeWidth, timeWidth, sizeWidth}[i]), g.Palette.Faint)
	}
	return s
}

// Row returns one submission's line.
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
	paint := func(t string) string { return t }
	if standing == Unexpected {
		paint = g.Palette.Bad
	}
	text := string(word)
	if r.Report != nil && r.Report.Score != nil && word != "" {
		text = units.ScoreOf(r.Report.Score, r.Report.MaxScore)
	}
	s.Put(terminal.Pad(text, g.verdict()), paint)
	if r.Slowest == nil {
		return s
	}
	if g.slowest > 0 {
		s.Put("  "+terminal.Pad(terminal.Clip(terminal.Clean(r.Slowest.Case), g.slowest), g.slowest), nil)
	}
	o := r.Slowest.Outcome
	figures := []string{terminal.PadLeft(units.Duration(o.CPU), timeWidth), terminal.PadLeft(units.Duration(o.Wall), timeWidth), terminal.PadLeft(units.Memory(o.Memory), sizeWidth)}
	for _, figure := range figures[:g.figures] {
		s.Put("  "+figure, nil)
	}
	if standing == AsExpected && s.Left() > 2+fewestMarks {
		if headline := Headline(r.Report); headline != "" {
			s.Put("  "+headline, g.Palette.Faint)
		}
	}
	return s
}

// marks puts the cells, and spaces up to the verdict.
func (g *Grid) marks(s *terminal.Line, r *MatrixRow) {
	left := g.cells + 2
	same, of := "", problem.Accepted // marks of one color are put together
	put := func() {
		left -= terminal.Width(same)
		s.Put(same, func(t string) string {
			if of == notRun {
				return t
			}
			return g.Palette.Verdict(of, t)
		})
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

// markOf is the mark of cells that share one: of the first that is not
// accepted; else whether one runs, or all are accepted. Once the submission is
// judged, cases that were not run are left aside.
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
