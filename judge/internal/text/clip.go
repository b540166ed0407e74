package text

import (
	"strings"

	"crucible/judge/terminal"
)

// FirstLine returns the first line of s that is not blank, clipped to 300 bytes.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Clip(line, 300)
}

// Clip returns at most most bytes of untrusted text, safe for a terminal: control
// characters except tab and newline are escaped, and carriage returns removed. It
// marks a cut with "…".
func Clip(s string, most int) string {
	end := ""
	if len(s) > most {
		s, end = s[:most], "…"
	}
	return terminal.CleanText(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r", "")) + end
}
