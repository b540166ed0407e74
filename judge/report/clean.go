package report

import "crucible/judge/terminal"

// ErrorLines returns the first lines of an error, escaped for terminals. If it
// leaves lines out, the last one states how many.
func ErrorLines(err error) []string { return terminal.Lines(err.Error(), errorLines) }
