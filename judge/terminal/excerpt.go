package terminal

import (
	"strings"
)

// FirstLine returns the first line of s that is not blank, clipped to 300 bytes.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Excerpt(line, 300)
}

// Excerpt returns at most most bytes of untrusted text, safe for a terminal: control
// characters except tab and newline are escaped, and carriage returns removed. It
// marks a cut with "…".
func Excerpt(s string, most int) string {
	end := ""
	if len(s) > most {
		s, end = s[:most], "…"
	}
	return CleanText(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r", "")) + end
}

// Lines returns the first lines of s, at most that many, escaped for
// terminals, with tabs as spaces. It removes blank lines at both ends. If it leaves
// lines out, it adds a line that states how many.
func Lines(s string, most int) []string {
	s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	more := len(lines) - most
	lines = lines[:min(len(lines), most)]
	for i, line := range lines {
		lines[i] = Clean(strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    "))
	}
	if more > 0 {
		lines = append(lines, "… "+Count(more, "more line"))
	}
	return lines
}
