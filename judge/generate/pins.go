package generate

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"crucible/judge/internal/yaml"
)

// Pins are the SHA-256 hashes that generated files must have, by their path
// below data/, extension included. They are kept in generators/data.sha256 in
// the format of sha256sum, so that in data/ sha256sum -c checks them too.
type Pins map[string][32]byte

// ParsePins reads pins: on each line 64 hexadecimal digits, two spaces, and a
// path. The name of the file serves messages only. Errors say file, line and
// column, as [yaml.Error] does.
func ParsePins(file string, data []byte) (Pins, error) {
	pins := Pins{}
	lines := map[string]int{}
	number := 0
	for raw := range bytes.Lines(data) {
		number++
		fail := func(column int, format string, args ...any) error {
			return &yaml.Error{File: file, Line: number, Column: column, Msg: fmt.Sprintf(format, args...)}
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
		digits, name, ok := strings.Cut(line, " ")
		sum, err := hex.DecodeString(digits)
		switch {
		case err != nil || len(sum) != 32:
			return nil, fail(1, "want 64 hexadecimal digits, got %q", clip(digits))
		case !ok || name == "" || name[0] != ' ' && name[0] != '*':
			return nil, fail(65, "want two spaces and a path behind the hash")
		}
		name = name[1:] // what sha256sum writes for text or binary
		if !utf8.ValidString(name) || !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\r\x00") {
			return nil, fail(67, "the path %q: want one below data/, with / between folders", clip(name))
		}
		if first, ok := lines[name]; ok {
			return nil, fail(67, "%s is pinned twice, first on line %d", name, first)
		}
		lines[name] = number
		pins[name] = [32]byte(sum)
	}
	return pins, nil
}

// Format writes pins as [ParsePins] reads them, sorted by path.
func (p Pins) Format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%x  %s\n", p[name], name)
	}
	return b.Bytes()
}

// clip shortens text for a message.
func clip(s string) string {
	const longest = 70
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-3]) + "..."
	}
	return s
}
