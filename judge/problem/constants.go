package problem

import (
	"bytes"
	"strings"

	"crucible/judge/internal/lazy"
)

var (
	constantName = lazy.Regexp(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	// A constant sequence: {{name}} or {{name.variant}} (2025-09, "Constants").
	constantUse = lazy.Regexp(`\{\{([a-zA-Z_][a-zA-Z0-9_]*)(?:\.([a-zA-Z_][a-zA-Z0-9_]*))?\}\}`)
)

var (
	separators = strings.NewReplacer(",", "", `\,`, "", "_", "", " ", "", "'", "", "{", "", "}", "", "$", "", "~", "",
		`\;`, "")
	power = lazy.Regexp(`^(?:([0-9.]+)(?:\\cdot|\\times|\*))?10(?:\^|\*\*)([0-9]+)$`)
)

// constants maps the names of a problem's constants to their values.
type constants map[string]string

// in returns the text with the uses of constants replaced by their values. Uses of
// undefined constants are unchanged. It returns false if the result exceeds most
// bytes: a long constant that is used often would turn a small file into gigabytes.
func (c constants) in(text []byte, most int64) ([]byte, bool) {
	if len(c) == 0 || !bytes.Contains(text, []byte("{{")) {
		return text, true
	}
	size := int64(len(text))
	text = constantUse().ReplaceAllFunc(text, func(use []byte) []byte {
		value, ok := c[string(use[2:len(use)-2])]
		if !ok || size > most {
			return use
		}
		if size += int64(len(value) - len(use)); size > most {
			return use
		}
		return []byte(value)
	})
	return text, size <= most
}
