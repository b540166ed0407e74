package text

import (
	"fmt"
	"strconv"
	"strings"
)

func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Clip(line, 300)
}

// Clip bounds what a program wrote, and keeps it from writing to the
// reader's terminal: control characters but tab and newline are escaped.
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
