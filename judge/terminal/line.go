package terminal

import "strings"

// A Line is one line of a terminal, filled from the left and cut at the
// terminal's width, so that the terminal never breaks it. Spaces at its end are
// left out.
type Line struct {
	Columns int // the most it takes

	width, gap int
	text       strings.Builder
}

// Put adds a text, cleaned and cut to the room that is left. paint adds colour
// and changes nothing else; nil adds none.
func (s *Line) Put(text string, paint func(string) string) {
	text = Clean(text)
	body := strings.TrimRight(text, " ")
	if body != "" {
		body = Clip(body, s.Columns-s.width-s.gap)
		if body == "" {
			s.Columns = s.width // so that no later, shorter text follows the gap
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

// Left is the room that is left, in columns.
func (s *Line) Left() int { return max(0, s.Columns-s.width-s.gap) }

// Width is the number of columns taken.
func (s *Line) Width() int { return s.width }

// String returns the text and its colours.
func (s *Line) String() string { return s.text.String() }
