package report

import (
	"crucible/judge/problem"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// A Palette colors text for a terminal if On is set. The zero Palette leaves text
// unchanged. No color carries information that the text does not have.
type Palette struct{ On bool }

// Paint returns s in a colour, or unchanged if the palette is off.
func (p Palette) Paint(c terminal.Colour, s string) string {
	if !p.On {
		return s
	}
	return c.Paint(s)
}

// Bold returns s in the style of titles.
func (p Palette) Bold(s string) string { return p.Paint(terminal.Bold, s) }

// Faint returns s in the style of unimportant text.
func (p Palette) Faint(s string) string { return p.Paint(terminal.Faint, s) }

// Bad returns s in the style of failures.
func (p Palette) Bad(s string) string { return p.Paint(terminal.BoldRed, s) }

// Standing returns s in the colour of a standing.
func (p Palette) Standing(standing Standing, s string) string { return p.Paint(standing.Colour(), s) }

// Colour returns the colour of a standing.
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

// Verdict returns s in the colour of a verdict; "" is a failure of the judge.
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

// Mark returns s in the colour of the mark of a table entry.
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
