package lab

import (
	"fmt"
	"sync"
	"time"

	"crucible/judge/internal/cli"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// progressPause is the time between two lines of progress that are not on a terminal.
const progressPause = 10 * time.Second

// An evalProgress shows how many programs are judged: in one line on a terminal, otherwise in
// a line every 10 s on standard error.
type evalProgress struct {
	line  *cli.Progress
	clear func() // removes the line
	stop  chan struct{}
	wait  sync.WaitGroup

	mu                   sync.Mutex
	of                   int
	done, passed, failed int
}

func startProgress(e *cli.Env, of int) *evalProgress {
	p := &evalProgress{of: of, stop: make(chan struct{})}
	p.line, p.clear = cli.Turning(&e.Stdout, &e.Stderr)
	p.line.Say("%s", p.text())
	if p.line.Shown() {
		return p
	}
	to := e.Stderr
	p.wait.Go(func() {
		for {
			select {
			case <-p.stop:
				return
			case <-time.After(progressPause):
				fmt.Fprintln(to, "judge:", p.text())
			}
		}
	})
	return p
}

func (p *evalProgress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("%d of %s judged, %d accepted", p.done, terminal.Count(p.of, "program"), p.passed)
	if p.failed > 0 {
		text += fmt.Sprintf(", %d without a verdict", p.failed)
	}
	return text
}

// add counts a result.
func (p *evalProgress) add(j *judgedSample) {
	p.mu.Lock()
	p.done++
	switch j.Verdict {
	case problem.Accepted:
		p.passed++
	case "":
		p.failed++
	}
	p.mu.Unlock()
	p.line.Say("%s", p.text())
}

// end removes the line.
func (p *evalProgress) end() {
	close(p.stop)
	p.wait.Wait()
	p.clear()
}
