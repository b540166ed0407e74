package cli

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A Display shows the progress and the results of judging. There are two: [Live],
// for terminals that can be redrawn, and [Plain]. Problems begin and end one after
// the other. Event may be called from any goroutine; events outside of a problem
// are not shown.
type Display interface {
	// Begin prints the title of a problem.
	Begin(*problem.Problem, []*problem.Submission, []*problem.Case, problem.Limits)
	// Event shows an event of the judge.
	Event(judge.Event)
	// End prints the results of the problem that are not printed yet.
	End()
	// Summary prints the last line, after all problems.
	Summary(*record.Document)
}

// Size returns the current size of the terminal that a file refers to; 80 × 24 if it
// is unknown.
func Size(f *os.File) (columns, rows int) {
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 80, 24
	}
	return columns, rows
}

// Plain prints each judged submission in the order of the submissions, so the
// output does not depend on how many run at once.
type Plain struct {
	W       io.Writer      // destination of the lines
	Palette report.Palette // the colours
	Verbose bool           // print a line for every run
	Counts  bool           // print the instructions of the slowest runs

	mu     sync.Mutex
	begun  int // number of begun problems and summaries
	lines  report.Lines
	order  []*problem.Submission // submissions that are not printed yet
	judged map[*problem.Submission]*judge.Report
}

// Begin prints the title of a problem.
func (p *Plain) Begin(prob *problem.Problem, submissions []*problem.Submission, cases []*problem.Case,
	limits problem.Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.order, p.judged = submissions, make(map[*problem.Submission]*judge.Report)
	p.lines = linesOf(prob, submissions, cases, limits)
	p.lines.Palette, p.lines.Verbose, p.lines.Counts = p.Palette, p.Verbose, p.Counts
	separate(p.W, &p.begun)
	io.WriteString(p.W, p.lines.Head())
}

// Event prints a judged submission as soon as all submissions before it are printed.
func (p *Plain) Event(e judge.Event) {
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

func (p *Plain) print(s *problem.Submission) {
	if r := p.judged[s]; r != nil {
		io.WriteString(p.W, p.lines.Row(r))
	}
}

// End prints the judged submissions that follow a submission that was not judged.
func (p *Plain) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.order {
		p.print(s)
	}
	p.order, p.judged = nil, nil
}

// Summary prints the last line.
func (p *Plain) Summary(d *record.Document) { writeSummary(p.W, &p.begun, d) }

// separate prints an empty line, except before the first problem.
func separate(w io.Writer, begun *int) {
	if *begun++; *begun > 1 {
		io.WriteString(w, "\n")
	}
}

func writeSummary(w io.Writer, begun *int, d *record.Document) {
	separate(w, begun)
	io.WriteString(w, report.Writer{}.Summary(d)+"\n")
}

// linesOf returns the layout of the lines of a problem.
func linesOf(p *problem.Problem, submissions []*problem.Submission, cases []*problem.Case,
	limits problem.Limits) report.Lines {
	l := report.Lines{Title: report.Title(p.ID, limits, len(cases))}
	if most, ok := p.MaxScore(); ok {
		l.Score = terminal.ScoreWidth(&most)
	} else if p.Is(problem.Scoring) {
		l.Score = terminal.ScoreWidth(nil)
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
