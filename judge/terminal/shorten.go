package terminal

import (
	"strings"
)

// Shorten cuts cleaned names to so many columns, in the middle or further to
// their start, so that those that differ still do; nil if they would not.
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
