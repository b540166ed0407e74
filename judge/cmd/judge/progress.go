package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"crucible/judge/report"
)

// A progress is one line on a terminal that is written again and again: what
// goes on, on standard error, so that results stay alone on standard output.
// Elsewhere than on a terminal nothing is shown.
type progress struct {
	w io.Writer // nil: no terminal

	mu   sync.Mutex
	last time.Time   // when it was written
	text string      // what it is to say
	next *time.Timer // writes that; nil if it is written
}

func newProgress(e *env) *progress {
	if f, ok := e.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return &progress{w: f}
	}
	return &progress{}
}

// say replaces the line. Of lines that come too fast to be read only the last is
// shown, which may have to stand for long.
func (p *progress) say(format string, args ...any) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = report.Clean(fmt.Sprintf(format, args...))
	switch wait := framePause - time.Since(p.last); {
	case p.next != nil:
	case wait > 0:
		p.next = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.next != nil {
				p.write()
			}
		})
	default:
		p.write()
	}
}

func (p *progress) write() {
	p.next, p.last = nil, time.Now()
	columns, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		columns = 80
	}
	// What the terminal echoes at Ctrl-C must not break the line.
	io.WriteString(p.w, "\r"+report.Clip(p.text, max(columns-len("^C^C")-1, 1))+"\x1b[K")
}

// clear removes the line.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != nil {
		p.next.Stop()
		p.next = nil
	}
	if p.w != nil && !p.last.IsZero() {
		io.WriteString(p.w, "\r\x1b[K")
	}
	p.last = time.Time{}
}
