package check

import (
	"strconv"
	"unicode/utf8"
)

// maxExcerpt is the maximum length of an excerpt, in bytes before quoting.
const maxExcerpt = 64

// Clip returns a safe one-line excerpt of a text that may be hostile: at most 64
// bytes of it, in double quotes, with the escapes of a Go string. Printable UTF-8
// is unchanged; control characters, terminal escapes, direction marks and invalid
// UTF-8 are escaped. A longer text ends in three dots.
func Clip(s string) string {
	if len(s) > maxExcerpt {
		n := maxExcerpt - 3
		for i := 0; i < utf8.UTFMax-1 && !utf8.RuneStart(s[n]); i++ {
			n-- // do not cut a character
		}
		s = s[:n] + "..."
	}
	return strconv.Quote(s)
}
