package terminal

import "testing"

func TestLine(t *testing.T) {
	s := &Line{Columns: 10}
	s.Put("ab  ", nil)
	s.Put("", nil)
	s.Put("\x1b", func(t string) string { return "<" + t + ">" })
	s.Put("   ", nil)
	if got := s.String(); got != `ab  <\x1b>` || s.Width() != 8 || s.Left() != 0 {
		t.Errorf("%q, width %d, left %d", got, s.Width(), s.Left())
	}
	s.Put("x", nil)
	if got := s.String(); got != `ab  <\x1b>` {
		t.Errorf("%q: what does not fit was put", got)
	}
}
