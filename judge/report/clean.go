package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes one harmless line of a text of unknown origin: whatever could
// move a cursor, color a screen, turn the reading direction or break the line
// is written as Go would escape it, and so are bytes that are no UTF-8.
func Clean(s string) string {
	if !strings.ContainsFunc(s, hostile) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case hostile(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// hostile is whatever is not printed as itself; spaces other than U+0020 are
// among it, and the marks that turn the reading direction.
func hostile(r rune) bool { return !unicode.IsPrint(r) }

// Width is the number of columns that a cleaned text takes on a terminal. Where
// terminals differ it errs on the wide side.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1 // Latin, Greek, Cyrillic to Myanmar
	case 0x2500 <= r && r < 0x25fd, 0x2800 <= r && r < 0x2900:
		return 1 // boxes and shapes, Braille
	case 0x2000 <= r && r < 0x2e80 && !unicode.Is(unicode.So, r):
		return 1 // punctuation, arrows, mathematics
	}
	return 2
}

// Clip cuts a cleaned text to that many columns; where something is left out
// it ends in "…".
func Clip(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	n, fits := 0, 0
	for i, r := range s {
		if n+1 <= columns {
			fits = i
		}
		if n += runeWidth(r); n > columns {
			return s[:fits] + "…"
		}
	}
	return s
}

// ClipStart is [Clip] for names, whose end says more than their start.
func ClipStart(s string, columns int) string {
	if Width(s) <= columns || columns <= 0 {
		return Clip(s, columns)
	}
	for n := Width(s); s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		w := runeWidth(r)
		if w > 0 && n < columns {
			break
		}
		n -= w
		s = s[size:]
	}
	return "…" + s
}

// pad fills a cleaned text with spaces up to that many columns.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-Width(s)))
}

// padLeft is [pad] for numbers.
func padLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-Width(s))) + s
}

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
			lines = append(lines, "… "+count(len(all)-most, "more line"))
			break
		}
		lines = append(lines, Clean(strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")))
	}
	return lines
}
