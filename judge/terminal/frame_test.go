package terminal

import (
	"strings"
	"testing"
)

func line(text string) *Line {
	l := &Line{Columns: 80}
	l.Put(text, nil)
	return l
}

func TestFrame(t *testing.T) {
	var b strings.Builder
	columns := 80
	f := Frame{W: &b, Size: func() (int, int) { return columns, 24 }}
	const begin, end = "\x1b[?2026h\r", "\x1b[?2026l"
	steps := []struct {
		name  string
		do    func()
		wants string
	}{
		{"first", func() { f.Draw("", line("one"), line("two")) }, begin + "one\x1b[K\r\ntwo\x1b[K" + end},
		{"nothing changed", func() { f.Draw("", line("one"), line("two")) }, ""},
		{"a line changed", func() { f.Draw("", line("one"), line("2")) }, begin + "\x1b[1Aone\x1b[K\r\n2\x1b[K" + end},
		{"a line above erases the frame line by line", func() { f.Draw("done\r\n", line("two")) },
			begin + "\x1b[1A\x1b[K\r\n\x1b[K\x1b[1Adone\r\ntwo\x1b[K" + end},
		{"a narrower window breaks lines", func() { columns = 2; f.Draw("", line("3")) },
			begin + "\x1b[1A\x1b[K\r\n\x1b[K\x1b[1A3\x1b[K" + end},
		{"the end", func() { f.End("last\r\n") }, "\r\x1b[Klast\r\n"},
		{"after the end", func() { f.End("") }, "\r"},
	}
	for _, step := range steps {
		b.Reset()
		step.do()
		if b.String() != step.wants {
			t.Errorf("%s: wrote %q, expected %q", step.name, b.String(), step.wants)
		}
	}
}
