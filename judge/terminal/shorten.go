package terminal

import (
	"strings"
)

// Shorten cuts cleaned names to at most the given number of columns, so that
// different names stay different. It cuts them in the middle or, if that makes two of
// them equal, nearer to the start. It returns the short form of each name, or nil if
// every cut makes two of them equal.
func Shorten(names []string, most int) map[string]string {
	for _, start := range []int{(most - 1) * 2 / 3, (most - 1) / 2, (most - 1) / 3, 0} {
		short, of, distinct := make(map[string]string), make(map[string]string), true
		for _, name := range names {
			text := name
			if Width(name) > most {
				text = Clip(name, start+1)
				text += strings.TrimPrefix(ClipStart(name, most-Width(text)+1), "…")
			}
			if was, taken := of[text]; taken && was != name {
				distinct = false
			}
			short[name], of[text] = text, name
		}
		if distinct {
			return short
		}
	}
	return nil
}
