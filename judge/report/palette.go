package report

import "crucible/judge"

// A Palette colors words for a terminal. The zero Palette leaves them as they
// are, and no color says what the words do not.
type Palette struct{ On bool }

func (p Palette) paint(code, s string) string {
	if !p.On || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold is for titles.
func (p Palette) Bold(s string) string { return p.paint("1", s) }

// Faint is for what is read last.
func (p Palette) Faint(s string) string { return p.paint("2", s) }

// Bad is for what somebody must look at.
func (p Palette) Bad(s string) string { return p.paint("1;31", s) }

// Standing colors s by how a submission stands.
func (p Palette) Standing(standing Standing, s string) string {
	switch standing {
	case AsExpected:
		return p.paint("32", s)
	case Unexpected:
		return p.paint("1;31", s)
	case JudgeError:
		return p.paint("1;35", s)
	}
	return p.paint("33", s)
}

// Verdict colors s by a verdict; "" is the judge's own failure.
func (p Palette) Verdict(v judge.Verdict, s string) string {
	switch v {
	case judge.Accepted:
		return p.paint("32", s)
	case judge.WrongAnswer, judge.OutputLimit:
		return p.paint("31", s)
	case judge.TimeLimit:
		return p.paint("33", s)
	case judge.MemoryLimit, judge.RuntimeError, judge.CompileError:
		return p.paint("35", s)
	}
	return p.paint("1;35", s)
}

// Mark colors s by what an entry of a table is like.
func (p Palette) Mark(m Mark, s string) string {
	switch m {
	case Good:
		return p.paint("32", s)
	case Bad:
		return p.paint("31", s)
	case Doubt:
		return p.paint("33", s)
	case Faint:
		return p.Faint(s)
	}
	return s
}
