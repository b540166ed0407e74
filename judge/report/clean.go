package report

import (
	"strings"

	"crucible/judge/terminal"
	"crucible/judge/units"
)

// ErrorLines returns the first lines of an error, escaped for terminals. If it
// leaves lines out, the last one states how many.
func ErrorLines(err error) []string { return cleanLines(err.Error(), errorLines) }

// cleanLines returns the first lines of s, at most that many, escaped for
// terminals, with tabs as spaces. It removes blank lines at both ends. If it leaves
// lines out, it adds a line that states how many.
func cleanLines(s string, most int) []string {
	s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	more := len(lines) - most
	lines = lines[:min(len(lines), most)]
	for i, line := range lines {
		lines[i] = terminal.Clean(strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    "))
	}
	if more > 0 {
		lines = append(lines, "… "+units.Count(more, "more line"))
	}
	return lines
}
