package cli

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"crucible/judge/terminal"
)

// A screen emulates a terminal. It supports only the control sequences that Live
// writes, and reports an error for others. Erasing more than one line is an error,
// because tmux then moves the text of the screen into its history.
type screen struct {
	mu            sync.Mutex // timers draw concurrently
	t             *testing.T
	columns, rows int
	lines         [][]rune // the lines scrolled off the screen, then the lines on it
	ends          []bool   // the line ended with a newline and was not wrapped by the terminal
	top           int      // index of the first line on the screen
	row, column   int      // position of the cursor; row is an index in lines
}

func newScreen(t *testing.T, columns, rows int) *screen {
	return &screen{t: t, columns: columns, rows: rows, lines: [][]rune{nil}, ends: []bool{true}}
}

func (s *screen) size() (int, int) { return s.columns, s.rows }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(p)
	for text != "" {
		if strings.HasPrefix(text, "\x1b[") {
			text = s.sequence(text[2:])
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch {
		case r == '\r':
			s.column = 0
		case r == '\n':
			s.down(true)
		case r < ' ' || 0x7f <= r && r < 0xa0 || r == '\ufffd':
			s.t.Errorf("%q reaches the terminal", r)
		default:
			s.put(r)
		}
	}
	return len(p), nil
}

func (s *screen) put(r rune) {
	width := terminal.Width(string(r))
	if s.column+width > s.columns {
		s.down(false)
		s.column = 0
	}
	line := s.lines[s.row]
	for len(line) < s.column+width {
		line = append(line, ' ')
	}
	line[s.column] = r
	s.lines[s.row] = line
	s.column += width
}

func (s *screen) down(ended bool) {
	s.ends[s.row] = ended
	if s.row++; s.row == len(s.lines) {
		s.lines, s.ends = append(s.lines, nil), append(s.ends, true)
	}
	s.top = max(s.top, len(s.lines)-s.rows)
}

// sequence executes a control sequence and returns the text after it.
func (s *screen) sequence(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { return '@' <= r && r <= '~' })
	if i < 0 {
		s.t.Errorf("control sequence without end: %q", text)
		return ""
	}
	switch args, command := text[:i], text[i]; {
	case command == 'A':
		n, err := strconv.Atoi(args)
		if err != nil || n < 1 {
			s.t.Errorf("up by %q", args)
		}
		s.row = max(s.row-n, s.top)
	case command == 'K' && args == "":
		s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
	case command == 'm', args == "?2026" && (command == 'h' || command == 'l'):
	default:
		s.t.Errorf("unknown control sequence %q", text[:i+1])
	}
	return text[i+1:]
}

// narrow makes the window narrower and wraps longer lines, as terminals do.
func (s *screen) narrow(columns int) {
	var lines [][]rune
	var ends []bool
	row := 0
	for i, line := range s.lines {
		for len(line) > columns {
			lines, ends, line = append(lines, line[:columns]), append(ends, false), line[columns:]
		}
		lines, ends = append(lines, line), append(ends, s.ends[i])
		if i == s.row {
			row, s.column = len(lines)-1, len(line)
		}
	}
	s.columns, s.lines, s.ends, s.row = columns, lines, ends, row
	s.top = max(0, len(lines)-s.rows)
}

// visible returns the text on the screen.
func (s *screen) visible() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return screenText(s.lines[s.top:])
}

// all returns the text on the screen and the lines scrolled off it.
func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return screenText(s.lines)
}

func screenText(lines [][]rune) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
