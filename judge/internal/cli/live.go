package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// framePause is the time between two frames.
const framePause = time.Second / 15

var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

const spinnerTurn = 100 * time.Millisecond

// spin returns the character of the spinner after a duration.
func spin(after time.Duration) string { return string(spinner[int(after/spinnerTurn)%len(spinner)]) }

// Live draws a matrix of submissions and cases on a terminal while they are
// judged. A final row below only final rows is printed once and scrolls away like
// other output. The remaining rows and a progress line form a frame, which is
// redrawn.
type Live struct {
	Frame   *terminal.Frame // the terminal
	Palette report.Palette  // the colours

	mu      sync.Mutex
	begun   int // number of begun problems and summaries
	matrix  report.Matrix
	cases   []*problem.Case
	column  map[*problem.Case]int
	rows    map[*problem.Submission]*liveRow
	pending []*liveRow  // rows that are not printed yet, in order
	active  []liveRun   // in the order they were started
	done    int         // number of judged submissions
	runs    int         // number of ended runs of all submissions
	since   time.Time   // when the problem began
	next    *time.Timer // draws the next frame
}

// A liveRow is the row of one submission.
type liveRow struct {
	report.MatrixRow
	started bool
	runs    int // number of ended runs
}

// A liveRun is a compilation or a run that is in progress.
type liveRun struct {
	row   *liveRow
	c     *problem.Case // nil while the submission is compiled
	label string
}

// Begin prints the head of the matrix, and starts to redraw its rows.
func (l *Live) Begin(p *problem.Problem, submissions []*problem.Submission, cases []*problem.Case,
	limits problem.Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := linesOf(p, submissions, cases, limits)
	l.matrix = report.Matrix{Palette: l.Palette, Title: lines.Title, Submissions: lines.Submissions, Cases: lines.Cases,
		Score: lines.Score}
	l.cases, l.column = cases, make(map[*problem.Case]int, len(cases))
	for i, c := range cases {
		l.column[c] = i
	}
	l.rows, l.pending, l.active = make(map[*problem.Submission]*liveRow), nil, nil
	for _, s := range submissions {
		row := &liveRow{MatrixRow: report.MatrixRow{Name: s.Name, Cells: make([]report.Cell, len(cases))}}
		l.rows[s] = row
		l.pending = append(l.pending, row)
	}
	l.done, l.runs, l.since = 0, 0, time.Now()
	separate(l.Frame.W, &l.begun)
	columns, _ := l.Frame.Size()
	grid := l.matrix.Fit(columns)
	io.WriteString(l.Frame.W, grid.Head().String()+"\r\n")
	l.draw()
	l.next = time.AfterFunc(framePause, l.redraw)
}

// redraw draws a frame, and plans the next one unless the problem has ended.
func (l *Live) redraw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rows != nil {
		l.draw()
		l.next.Reset(framePause)
	}
}

// Event updates the row of a submission.
func (l *Live) Event(e judge.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	row := l.rows[e.Submission]
	if row == nil {
		return
	}
	row.started = true
	switch e.Kind {
	case judge.Compiling:
		row.Doing = "compiling"
		l.active = append(l.active, liveRun{row, nil, "compiling " + row.Name})
	case judge.Running:
		row.Doing = ""
		l.ended(row, nil)
		l.active = append(l.active, liveRun{row, e.Case, row.Name + " " + e.Case.Name})
		if i, ok := l.column[e.Case]; ok {
			row.Cells[i].Running = true
		}
	case judge.Ran:
		l.ended(row, e.Case)
		row.runs++
		l.runs++
		if i, ok := l.column[e.Case]; ok {
			row.Cells[i] = report.Cell{Run: e.Run}
		}
		if e.Run.Err == nil && (row.Slowest == nil || e.Run.Outcome.CPU > row.Slowest.Outcome.CPU) {
			row.Slowest = e.Run
		}
	case judge.Judged:
		l.active = slices.DeleteFunc(l.active, func(a liveRun) bool { return a.row == row })
		l.done++
		row.judged(e.Report, l.cases)
	}
}

func (l *Live) ended(row *liveRow, c *problem.Case) {
	l.active = slices.DeleteFunc(l.active, func(a liveRun) bool { return a.row == row && a.c == c })
}

// judged makes the row show only the runs of its report, which omits runs after
// the deciding case.
func (row *liveRow) judged(r *judge.Report, cases []*problem.Case) {
	row.Report, row.Slowest = r, r.Slowest()
	byName := make(map[string]*judge.Run, len(r.Runs))
	for i := range r.Runs {
		byName[r.Runs[i].Case] = &r.Runs[i]
	}
	for i, c := range cases {
		row.Cells[i] = report.Cell{Run: byName[c.Name]}
	}
}

// End prints the final matrix, and leaves the cursor below it.
func (l *Live) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rows == nil {
		return
	}
	l.next.Stop()
	columns, _ := l.Frame.Size()
	grid := l.matrix.Fit(columns)
	var b strings.Builder
	for _, row := range l.pending {
		row.Mark = ""
		l.final(&b, &grid, row)
	}
	l.Frame.End(b.String())
	l.rows, l.pending, l.active = nil, nil, nil
}

// Summary prints the last line.
func (l *Live) Summary(d *record.Document) { writeSummary(l.Frame.W, &l.begun, d) }

// draw prints the new final rows and draws the frame below them.
func (l *Live) draw() {
	columns, height := l.Frame.Size()
	grid := l.matrix.Fit(columns)
	var final strings.Builder
	for len(l.pending) > 0 && l.pending[0].Report != nil {
		l.final(&final, &grid, l.pending[0])
		l.pending = l.pending[1:]
	}
	room := max(height, 1) - 1 // the progress line is always shown
	if len(l.pending) > room {
		l.makeRoom(&final, &grid, room-1)
	}
	var lines []*terminal.Line
	visible := l.visible(room)
	for _, row := range visible {
		l.spin(row)
		lines = append(lines, grid.Row(&row.MatrixRow))
	}
	if hidden := len(l.pending) - len(visible); hidden > 0 && room > 0 {
		s := &terminal.Line{Columns: columns - 1}
		s.Put(fmt.Sprintf("  … %d more", hidden), l.Palette.Faint)
		lines = append(lines, s)
	}
	l.Frame.Draw(final.String(), append(lines, l.progress(columns))...)
}

// spin marks a row whose submission is being judged.
func (l *Live) spin(row *liveRow) {
	row.Mark = ""
	if row.started && row.Report == nil {
		row.Mark = spin(time.Since(l.since))
	}
}

// makeRoom prints final rows before unfinished rows above them, if the started
// rows do not fit the screen otherwise.
func (l *Live) makeRoom(b *strings.Builder, grid *report.Grid, room int) {
	started := l.started()
	l.pending = slices.DeleteFunc(l.pending, func(row *liveRow) bool {
		if started <= room || row.Report == nil {
			return false
		}
		started--
		l.final(b, grid, row)
		return true
	})
}

// started returns the number of pending rows whose submissions have been started.
func (l *Live) started() (n int) {
	for _, row := range l.pending {
		if row.started {
			n++
		}
	}
	return n
}

// visible returns the rows of the frame: all if they fit, otherwise the started
// ones and as many others as fit, with one line left for the number of the rest.
func (l *Live) visible(room int) []*liveRow {
	if len(l.pending) <= room {
		return l.pending
	}
	room = max(room-1, 0)
	waiting := room - l.started()
	rows := slices.DeleteFunc(slices.Clone(l.pending), func(row *liveRow) bool {
		if !row.started {
			waiting--
		}
		return !row.started && waiting < 0
	})
	return rows[:min(len(rows), room)]
}

// final prints a final row and its explanation. These lines may be wider than the
// terminal, because the frame below them has been erased.
func (l *Live) final(b *strings.Builder, grid *report.Grid, row *liveRow) {
	b.WriteString(grid.Row(&row.MatrixRow).String() + "\r\n")
	r := row.Report
	if r == nil {
		return
	}
	var lines []string
	switch standing := report.StandingOf(r); {
	case len(r.Runs) == 0: // the reason is shown in place of the runs
	case standing == report.Unexpected, standing == report.JudgeError, standing == report.Broken:
		lines = append(lines, report.Headline(r))
	}
	for _, line := range slices.Concat(lines, report.Reasons(r), report.Remarks(r)) {
		if line != "" {
			b.WriteString("        " + line + "\r\n")
		}
	}
}

// progress returns the last line: counts, elapsed time and current runs.
func (l *Live) progress(columns int) *terminal.Line {
	total := l.runs
	for _, row := range l.rows {
		if row.Report == nil {
			total += len(l.cases) - row.runs
		}
	}
	// Leave room for the ^C that the terminal echoes.
	s := &terminal.Line{Columns: columns - len("^C^C")}
	s.Put(fmt.Sprintf("  %d/%d submissions  %d/%d runs  %.1f s", l.done, len(l.rows), l.runs, total,
		time.Since(l.since).Seconds()), l.Palette.Bold)
	for i, a := range l.active {
		s.Put([]string{"  ", ", "}[min(i, 1)]+a.label, l.Palette.Faint)
	}
	return s
}
