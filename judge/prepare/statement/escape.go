package statement

import (
	"html"
	"strings"
)

// escape returns text as HTML.
func escape(text string) string { return html.EscapeString(text) }

// visible returns text as valid UTF-8 whose control characters are replaced by their
// pictures. Tabs and ends of lines are kept.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return r
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
