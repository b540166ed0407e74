package report

import "crucible/judge/internal/text"

// ErrorLines returns the first lines of an error, escaped for terminals. If it
// leaves lines out, the last one states how many.
func ErrorLines(err error) []string { return text.Lines(err.Error(), errorLines) }
