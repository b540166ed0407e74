package check

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxExcerpt bounds what is told of a text, in bytes before quoting.
const maxExcerpt = 64

// Clip makes one harmless line of a text that may be hostile: at most 64 bytes
// of it, in double quotes, in the escapes of a Go string. Printable UTF-8 stays
// as it is; control characters, terminal escapes, direction marks and bytes
// that are no UTF-8 do not get through. A longer text ends in three dots.
func Clip(s string) string {
	if len(s) > maxExcerpt {
		n := maxExcerpt - 3
		for i := 0; i < utf8.UTFMax-1 && !utf8.RuneStart(s[n]); i++ {
			n-- // a character is not cut in two
		}
		s = s[:n] + "..."
	}
	return strconv.Quote(s)
}

// Escape makes a text harmless as [Clip] does, but neither cuts nor quotes it,
// and leaves quotes and backslashes alone. Line ends become \n, so that it
// remains one line.
func Escape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
