package cli

import (
	"fmt"
	"strings"

	"crucible/judge/terminal"
)

// Maximum shown part of an input, an output or standard error, in bytes and lines.
const (
	ShownInput = 64 << 10
	shownLines = 12
)

// Quote returns the start of an untrusted text, clipped in lines and columns and
// cleaned for terminals.
func Quote(what string, text []byte) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		if i == shownLines && len(lines) > shownLines+1 {
			more := fmt.Sprintf("%d more lines", len(lines)-i)
			if len(text) >= ShownInput {
				more = "more"
			}
			fmt.Fprintf(&b, "       %s | … %s\n", what, more)
			break
		}
		fmt.Fprintf(&b, "       %s | %s\n", what,
			terminal.Clip(terminal.Clean(strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")), Columns))
	}
	return b.String()
}
