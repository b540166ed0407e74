package report

import (
	"cmp"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Palette colours text for a terminal if On is set. The zero Palette leaves text
// unchanged. No colour carries information that the text does not have.
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

// Colour returns the colour of a standing; yellow for "", which is the standing of a
// submission that is still being judged.
func (s Standing) Colour() terminal.Colour { return cmp.Or(standings[s].colour, terminal.Yellow) }

// Verdict returns s in the colour of a verdict; "" is a failure of the judge.
func (p Palette) Verdict(v problem.Verdict, s string) string {
	return p.Paint(cmp.Or(verdictColours[v], terminal.BoldMagenta), s)
}

var verdictColours = map[problem.Verdict]terminal.Colour{
	problem.Accepted: terminal.Green, problem.WrongAnswer: terminal.Red, problem.OutputLimit: terminal.Red,
	problem.TimeLimit:   terminal.Yellow,
	problem.MemoryLimit: terminal.Magenta, problem.RuntimeError: terminal.Magenta, problem.CompileError: terminal.Magenta,
}

// Mark returns s in the colour of the mark of a table entry.
func (p Palette) Mark(m Mark, s string) string { return p.Paint(markColours[m], s) }

var markColours = map[Mark]terminal.Colour{Good: terminal.Green, Bad: terminal.Red,
	Doubt: terminal.Yellow, Faint: terminal.Faint}
