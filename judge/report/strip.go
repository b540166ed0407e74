package report

import "strings"

// A Strip is one line of a terminal, filled from the left and cut at the
// terminal's width, so that it never breaks into two. Spaces at its end are
// left out.
type Strip struct {
	Columns int // the most it takes

	width, gap int
	text       strings.Builder
}

// Put adds a text, cleaned and cut to the room that is left. paint colors what
// is put, and changes nothing else; nil leaves it as it is.
func (s *Strip) Put(text string, paint func(string) string) {
	text = Clean(text)
	body := strings.TrimRight(text, " ")
	if body != "" {
		body = Clip(body, s.Columns-s.width-s.gap)
		if body == "" {
			s.Columns = s.width // nothing shorter may slip in behind
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
func (s *Strip) Left() int { return max(0, s.Columns-s.width-s.gap) }

// Width is the number of columns taken.
func (s *Strip) Width() int { return s.width }

func (s *Strip) String() string { return s.text.String() }
