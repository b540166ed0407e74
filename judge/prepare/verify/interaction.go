package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// interactionTime limits the time in which a sample interaction is played, because an output
// validator that reads when the sample expects it to write waits for ever.
const interactionTime = 10 * time.Second

// interactions plays the sample interactions: it writes the submission's lines to the
// output validator, and compares what that writes with the other lines. Differences are
// doubts, because an output validator may answer at random. Interactions with several
// passes are not played.
func (v *verifier) interactions() error {
	if !v.p.Is(problem.Interactive) || v.p.Is(problem.MultiPass) || len(v.p.OutputValidators) != 1 {
		return nil
	}
	cases := slices.DeleteFunc(slices.Clone(v.p.Samples()), func(c *problem.Case) bool {
		return c.Static != nil || !c.Has(".in") || !c.Has(".interaction")
	})
	v.Checked = len(cases)
	doubts := make([]error, len(cases))
	err := v.each(cases, func(c *problem.Case) error {
		lines, err := problem.ReadBounded(c.FS, c.Path(".interaction"), problem.MaxYAML)
		if err != nil {
			return err
		}
		doubts[slices.Index(cases, c)], err = v.play(c, newScript(string(lines)))
		return err
	})
	v.Doubts = append(v.Doubts, slices.DeleteFunc(doubts, func(d error) bool { return d == nil })...)
	return err
}

// play plays one interaction. The doubt is nil if the output validator does what the sample
// has, and accepts.
func (v *verifier) play(c *problem.Case, s *script) (doubt, err error) {
	ctx, cancel := context.WithTimeout(v.ctx, interactionTime)
	defer cancel()
	defer s.end()
	run := v.j.Interact(ctx, c, v.p, judge.Person{In: s, Out: writerOf(s.hear), Stderr: io.Discard})
	at := v.defect(c.Path(".interaction"), "")
	late := ctx.Err() != nil && v.ctx.Err() == nil
	switch at.Line, at.Msg = s.difference(late); {
	case at.Msg != "":
	case run.Err != nil && !errors.Is(run.Err, judge.ErrCrashed):
		return nil, run.Err
	case run.Err != nil:
		at.Msg = "the output validator crashes on the lines of the submission: " + run.Err.Error()
	case run.Verdict != problem.Accepted:
		at.Msg = fmt.Sprintf("the output validator does not accept the sample: %s: %s", run.Verdict, run.Why)
	default:
		return nil, nil
	}
	return at, nil
}

// A script is a sample interaction that is being played. It is the reader of the
// submission's lines: a line can be read when the output validator has written all lines
// before it.
type script struct {
	mu      sync.Mutex
	changed *sync.Cond
	lines   []string // with the mark of the sender
	read    int      // the lines before it were read, or heard
	heard   int      // the lines before it, as far as they are of the output validator, were heard
	part    string   // what the validator has written after its last complete line
	line    int      // the number of the first line that differs, from 1; 0 if there is none
	wrong   string   // how it differs
	ended   bool
}

func newScript(sample string) *script {
	s := &script{lines: strings.Split(strings.TrimRight(sample, "\n"), "\n")}
	for i, line := range s.lines { // "> 5" is ">5"; the reader of the package warns of lines without a mark
		if line = strings.TrimSuffix(line, "\r"); len(line) > 1 && line[1] == ' ' {
			line = line[:1] + line[2:]
		}
		s.lines[i] = cmp.Or(line, ">")
	}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Read returns the next line of the submission, or io.EOF at the end and after a
// difference.
func (s *script) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for s.read < len(s.lines) && s.lines[s.read][0] == '<' && s.read < s.heard {
			s.read++
		}
		switch {
		case s.wrong != "" || s.ended || s.read == len(s.lines):
			return 0, io.EOF
		case s.lines[s.read][0] == '<':
			s.changed.Wait()
			continue
		}
		line := s.lines[s.read][1:] + "\n"
		n := copy(p, line)
		if n < len(line) {
			s.lines[s.read] = ">" + line[n:len(line)-1]
		} else {
			s.read++
		}
		return n, nil
	}
}

// hear compares what the output validator writes.
func (s *script) hear(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	if s.wrong != "" {
		return
	}
	s.part += string(p)
	for {
		line, rest, found := strings.Cut(s.part, "\n")
		if !found {
			break
		}
		s.part = rest
		s.compare(line)
	}
	if len(s.part) > longestLine {
		s.compare(s.part)
	}
}

// mostShown is the size in bytes of a line in a message.
const mostShown = 80

// longestLine is the size in bytes from which a line is compared before it is complete.
const longestLine = 64 << 10

// due returns the index of the next line of the output validator.
func (s *script) due() int {
	at := s.heard
	for at < len(s.lines) && s.lines[at][0] != '<' {
		at++
	}
	return at
}

// compare compares a line of the output validator with that of the sample. Callers hold
// s.mu.
func (s *script) compare(line string) {
	at := s.due()
	switch {
	case s.wrong != "":
	case at == len(s.lines):
		s.differs(at-1, "the output validator writes %q after the last line", terminal.Excerpt(line, mostShown))
	case !slices.Equal(strings.Fields(line), strings.Fields(s.lines[at][1:])):
		s.differs(at, "the output validator writes %q instead", terminal.Excerpt(line, mostShown))
	default:
		s.heard = at + 1
	}
}

func (s *script) differs(at int, format string, args ...any) {
	s.line, s.wrong = at+1, fmt.Sprintf(format, args...)
}

// difference returns the number of the first line that differs, and how; "" if none does.
// late is set if the output validator was stopped.
func (s *script) difference(late bool) (line int, wrong string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.part != "" {
		s.compare(s.part)
	}
	at := s.due()
	switch {
	case s.wrong != "":
	case at < len(s.lines) && late:
		s.differs(at, "the output validator does not write this line, and has not ended after %v", interactionTime)
	case at < len(s.lines):
		s.differs(at, "the output validator ends without writing this line")
	case late:
		s.differs(len(s.lines)-1, "the output validator has not ended after %v", interactionTime)
	}
	return s.line, s.wrong
}

// end ends a Read that waits.
func (s *script) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.changed.Broadcast()
}

// A writerOf is a writer that calls a function.
type writerOf func([]byte)

func (f writerOf) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
