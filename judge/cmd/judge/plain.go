package main

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A display shows the progress and the results of judging. There are two: live,
// for terminals that can be redrawn, and plain. Problems begin and end one after
// the other. event may be called from any goroutine; events outside of a problem
// are not shown.
type display interface {
	begin(*problem.Problem, []*problem.Submission, []*problem.Case, problem.Limits)
	event(judge.Event)
	end()
	summary(*report.Document)
}

// newDisplay returns the display that suits the terminal and the flags.
func newDisplay(e *env, f *runFlags) display {
	palette := report.Palette{On: e.color}
	if f.outputs.quiet() {
		return &plain{w: io.Discard}
	}
	// Lines for every run, or interaction logs, replace the matrix.
	if columns, _ := terminalSize(); e.tty && columns > 0 && !f.verbose && !f.dialogue {
		return &live{frame: &terminal.Frame{W: e.stdout, Size: terminalSize}, palette: palette}
	}
	return &plain{w: e.stdout, palette: palette, verbose: f.verbose}
}

// terminalSize returns the current size of the terminal, which may change.
func terminalSize() (columns, rows int) {
	columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 80, 24
	}
	return columns, rows
}

// resultColumns returns the width of the terminal; 0 if standard output is not a
// terminal.
func resultColumns() int {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// plain prints each judged submission in the order of the submissions, so the
// output does not depend on how many run at once.
type plain struct {
	w       io.Writer
	palette report.Palette
	verbose bool

	mu     sync.Mutex
	begun  int // problems
	lines  report.Lines
	order  []*problem.Submission // submissions that are not printed yet
	judged map[*problem.Submission]*judge.Report
}

func (p *plain) begin(prob *problem.Problem, submissions []*problem.Submission, cases []*problem.Case, limits problem.Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.order, p.judged = submissions, make(map[*problem.Submission]*judge.Report)
	p.lines = linesOf(prob, submissions, cases, limits)
	p.lines.Palette, p.lines.Verbose = p.palette, p.verbose
	separate(p.w, &p.begun)
	io.WriteString(p.w, p.lines.Head())
}

func (p *plain) event(e judge.Event) {
	if e.Kind != judge.Judged {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.judged == nil {
		return
	}
	p.judged[e.Submission] = e.Report
	for len(p.order) > 0 && p.judged[p.order[0]] != nil {
		p.print(p.order[0])
		p.order = p.order[1:]
	}
}

func (p *plain) print(s *problem.Submission) {
	if r := p.judged[s]; r != nil {
		io.WriteString(p.w, p.lines.Row(r))
	}
}

// end prints the judged submissions after one that was not judged.
func (p *plain) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.order {
		p.print(s)
	}
	p.order, p.judged = nil, nil
}

func (p *plain) summary(d *report.Document) { writeSummary(p.w, &p.begun, d) }

// separate prints an empty line, except before the first problem.
func separate(w io.Writer, begun *int) {
	if *begun++; *begun > 1 {
		io.WriteString(w, "\n")
	}
}

func writeSummary(w io.Writer, begun *int, d *report.Document) {
	separate(w, begun)
	io.WriteString(w, report.Summary(d)+"\n")
}

// linesOf returns the layout of the lines of a problem.
func linesOf(p *problem.Problem, submissions []*problem.Submission, cases []*problem.Case, limits problem.Limits) report.Lines {
	l := report.Lines{Title: report.Title(p.ID, limits, len(cases))}
	if most, ok := p.MaxScore(); ok {
		l.Score = report.ScoreWidth(&most)
	} else if p.Is(problem.Scoring) {
		l.Score = report.ScoreWidth(nil)
	}
	for _, s := range submissions {
		l.Submissions = append(l.Submissions, s.Name)
		if s.Language != nil {
			l.Languages = append(l.Languages, s.Language.Code)
		}
	}
	for _, c := range cases {
		l.Cases = append(l.Cases, c.Name)
	}
	return l
}
