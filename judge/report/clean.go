package report

import (
	"strings"

	"crucible/judge/terminal"
	"crucible/judge/units"
)

// ErrorLines returns the first lines of an error, safe for a terminal.
func ErrorLines(err error) []string { return cleanLines(err.Error(), errorLines) }

// cleanLines makes harmless lines of a text of many lines: at most max of
// them, without blank ones at either end, tabs as spaces. If some are left out
// the last line says how many.
func cleanLines(s string, most int) []string {
	s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	var lines []string
	all := strings.Split(s, "\n")
	for _, line := range all {
		if len(lines) == most && len(all) > most {
			lines = append(lines, "… "+units.Count(len(all)-most, "more line"))
			break
		}
		lines = append(lines, terminal.Clean(strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")))
	}
	return lines
}
