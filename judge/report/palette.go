package report

import (
	"crucible/judge/problem"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// A Palette colors words for a terminal. The zero Palette leaves them as they
// are, and no color says what the words do not.
type Palette struct{ On bool }

// Paint colours s.
func (p Palette) Paint(c terminal.Colour, s string) string {
	if !p.On {
		return s
	}
	return c.Paint(s)
}

// Bold is for titles.
func (p Palette) Bold(s string) string { return p.Paint(terminal.Bold, s) }

// Faint is for what is read last.
func (p Palette) Faint(s string) string { return p.Paint(terminal.Faint, s) }

// Bad is for what somebody must look at.
func (p Palette) Bad(s string) string { return p.Paint(terminal.BoldRed, s) }

// Standing colors s by how a submission stands.
func (p Palette) Standing(standing Standing, s string) string { return p.Paint(standing.Colour(), s) }

// Colour is the colour of a standing.
func (s Standing) Colour() terminal.Colour {
	switch s {
	case AsExpected:
		return terminal.Green
	case Unexpected:
		return terminal.BoldRed
	case JudgeError, Broken:
		return terminal.BoldMagenta
	}
	return terminal.Yellow
}

// Verdict colors s by a verdict; "" is the judge's own failure.
func (p Palette) Verdict(v problem.Verdict, s string) string {
	c := terminal.BoldMagenta
	switch v {
	case problem.Accepted:
		c = terminal.Green
	case problem.WrongAnswer, problem.OutputLimit:
		c = terminal.Red
	case problem.TimeLimit:
		c = terminal.Yellow
	case problem.MemoryLimit, problem.RuntimeError, problem.CompileError:
		c = terminal.Magenta
	}
	return p.Paint(c, s)
}

// Mark colors s by what an entry of a table is like.
func (p Palette) Mark(m sheet.Mark, s string) string {
	c := terminal.Plain
	switch m {
	case sheet.Good:
		c = terminal.Green
	case sheet.Bad:
		c = terminal.Red
	case sheet.Doubt:
		c = terminal.Yellow
	case sheet.Faint:
		c = terminal.Faint
	}
	return p.Paint(c, s)
}
