package text

import (
	"fmt"
	"strconv"
	"strings"
)

// FirstLine returns the first line of s that is not blank, clipped to 300 bytes.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Clip(line, 300)
}

// Clip returns at most most bytes of untrusted text, safe for a terminal: control
// characters except tab and newline are escaped. It marks a cut with "…".
func Clip(s string, most int) string {
	cut := len(s) > most
	if cut {
		s = s[:most]
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r == '\r':
		default:
			fmt.Fprintf(&b, "%s", strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}
