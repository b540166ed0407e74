// Package terminal formats text for people: it escapes untrusted text, cuts and aligns
// it, draws coloured lines, tables and redrawn frames, writes sizes, durations, counts,
// ratios and scores, and suggests corrections of mistyped words.
package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns untrusted text as one line that is safe for a terminal: it
// escapes, as Go does, characters that could move the cursor, colour the screen,
// change the reading direction or break the line, and bytes that are not UTF-8.
func Clean(s string) string { return escape(s, "") }

// CleanText is [Clean] for text of several lines: it keeps tabs and line breaks.
func CleanText(s string) string { return escape(s, "\t\n") }

// escape escapes every character that is neither printable nor in keep. Only
// U+0020 is a printable space, and no mark that changes the reading direction is
// printable.
func escape(s, keep string) string {
	hostile := func(r rune) bool { return !unicode.IsPrint(r) && !strings.ContainsRune(keep, r) }
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

// Width returns the number of columns of a cleaned text on a terminal. Where
// terminals differ, it returns the larger number.
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

// Clip cuts the end of a cleaned text so that it fits in that many columns. A text
// that was cut ends in "…". Clip returns "" if columns is not positive.
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

// ClipStart is like [Clip] but cuts the start, for names: names with a common
// folder differ at their ends.
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

// Pad appends spaces to a cleaned text up to that many columns.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-Width(s)))
}

// PadLeft is like [Pad] but puts the spaces before the text, which aligns
// numbers at the right.
func PadLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-Width(s))) + s
}
