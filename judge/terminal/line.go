package terminal

import "strings"

// A Line is one line of a terminal, filled from the left and cut at the
// terminal's width, so that the terminal never wraps it. It has no trailing
// spaces.
type Line struct {
	Columns int // maximum width; 0 leaves no room for text

	width, gap int
	text       strings.Builder
}

// Put appends text after cleaning it and cutting it to the remaining columns.
// paint may only add colour; nil adds none.
func (s *Line) Put(text string, paint func(string) string) {
	text = Clean(text)
	body := strings.TrimRight(text, " ")
	if body != "" {
		body = Clip(body, s.Columns-s.width-s.gap)
		if body == "" {
			s.Columns = s.width // a later, shorter text must not follow the gap
			return
		}
		s.text.WriteString(strings.Repeat(" ", s.gap))
		s.width += s.gap + Width(body)
		s.gap = 0
		if paint != nil {
			body = paint(body)
		}
		s.text.WriteString(body)
	}
	s.gap += len(text) - len(strings.TrimRight(text, " "))
}

// Left returns the number of columns that are still free.
func (s *Line) Left() int { return max(0, s.Columns-s.width-s.gap) }

// Width returns the number of columns of the text, without trailing spaces.
func (s *Line) Width() int { return s.width }

// String returns the text with its colours.
func (s *Line) String() string { return s.text.String() }
