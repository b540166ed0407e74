package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"crucible/judge"
	"crucible/judge/terminal"
)

// A Progress is a line on a terminal that shows what the judge is doing. It is
// redrawn on standard error, so standard output contains only results. If
// standard error is not a terminal, nothing is drawn.
type Progress struct {
	frame *terminal.Frame // nil if standard error is not a terminal

	mu     sync.Mutex
	last   time.Time   // time of the last drawing; zero if the line is not on the screen
	text   string      // the text to show
	next   *time.Timer // draws the line again; nil if it does not change
	within bool        // a line of other output has begun and not ended
	since  time.Time   // when the spinner started; zero if there is none
}

// NewProgress returns a progress line on stderr. If stderr is not a terminal, the line
// is not shown.
func NewProgress(stderr io.Writer) *Progress {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		size := func() (int, int) { return Size(f) }
		if columns, _ := size(); columns > 0 {
			return &Progress{frame: &terminal.Frame{W: f, Size: size}}
		}
	}
	return &Progress{}
}

// Shown reports whether the line is shown.
func (p *Progress) Shown() bool { return p.frame != nil }

// Turning returns a progress line with a spinner and a clock, for work that may show
// no change for a long time. It replaces the two writers by writers that remove the
// line before they write. end removes the line and restores the writers.
func Turning(stdout, stderr *io.Writer) (p *Progress, end func()) {
	p = NewProgress(*stderr)
	if p.frame == nil {
		return p, func() {}
	}
	out, err := *stdout, *stderr
	*stdout, *stderr = &clearingWriter{p, out}, &clearingWriter{p, err}
	p.since = time.Now()
	return p, func() {
		p.Clear()
		*stdout, *stderr = out, err
	}
}

// A clearingWriter is a writer that removes the line before it writes.
type clearingWriter struct {
	p *Progress
	w io.Writer
}

func (a *clearingWriter) Write(b []byte) (int, error) {
	a.p.mu.Lock()
	defer a.p.mu.Unlock()
	a.p.remove()
	if len(b) > 0 {
		a.p.within = b[len(b)-1] != '\n'
	}
	if !a.p.since.IsZero() {
		a.p.drawIn(spinnerTurn)
	}
	return a.w.Write(b)
}

// Say formats a text as fmt.Sprintf does and shows it in place of the line. It draws
// at most 15 lines a second, and always the last.
func (p *Progress) Say(format string, args ...any) {
	if p.frame == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf(format, args...)
	if wait := framePause - time.Since(p.last); wait > 0 {
		p.drawIn(wait)
	} else {
		p.draw()
	}
}

// drawIn draws the line after a pause, unless it will be drawn before that.
func (p *Progress) drawIn(pause time.Duration) {
	if p.next == nil {
		p.next = time.AfterFunc(pause, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.draw()
		})
	}
}

// draw draws the line now, and again when the spinner turns.
func (p *Progress) draw() {
	p.cancel()
	if p.text == "" || p.within {
		return
	}
	p.last = time.Now()
	columns, _ := p.frame.Size()
	// Leave room for the ^C that the terminal echoes.
	line := &terminal.Line{Columns: max(columns-len("^C^C")-1, 1)}
	if p.since.IsZero() {
		line.Put(p.text, nil)
	} else {
		after := time.Since(p.since)
		clock := fmt.Sprintf("%.1f s", after.Seconds())
		line.Put(spin(after)+" "+terminal.Clip(terminal.Clean(p.text), line.Columns-len(clock)-4)+"  "+clock, nil)
	}
	p.frame.Draw("", line)
	if !p.since.IsZero() {
		p.drawIn(spinnerTurn)
	}
}

// Clear removes the line.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = ""
	p.remove()
}

func (p *Progress) cancel() {
	if p.next != nil {
		p.next.Stop()
		p.next = nil
	}
}

func (p *Progress) remove() {
	p.cancel()
	if p.frame != nil && !p.last.IsZero() {
		p.frame.End("")
	}
	p.last = time.Time{}
}

// Event shows what the judge does: checking, compiling or running. It ignores other
// events.
func (p *Progress) Event(e judge.Event) {
	switch e.Kind {
	case judge.Checking:
		text := e.Promise
		if e.Of > 0 {
			text += fmt.Sprintf(": %d of %d", e.Done, e.Of)
		}
		if e.What != "" {
			text += ", now " + e.What
		}
		p.Say("%s", text)
	case judge.Compiling:
		p.Say("compiling %s", e.Submission.Name)
	case judge.Running:
		p.Say("%s on %s", e.Submission.Name, e.Case.Name)
	}
}
