package cli

import (
	"fmt"
	"io"

	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A LabelWriter prints lines that begin with a label.
type LabelWriter struct {
	w io.Writer
	p report.Palette
}

// Print prints a line with a label; "" continues the one before.
func (s *LabelWriter) Print(label, format string, args ...any) {
	s.line(s.p.Bold, label, fmt.Sprintf(format, args...))
}

func (s *LabelWriter) line(paint func(string) string, label, text string) {
	fmt.Fprintf(s.w, "%s  %s\n", paint(fmt.Sprintf("%-12s", label)), terminal.Clean(text))
}

// change prints a command that changes the property printed last, on its own
// line so that it can be copied.
func (s *LabelWriter) change(command string) {
	if command != "" {
		fmt.Fprintf(s.w, "%14s%s %s\n", "", s.p.Faint("to change that:"), terminal.Clean(command))
	}
}
