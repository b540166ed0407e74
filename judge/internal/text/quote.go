package text

import (
	"fmt"
)

// QuoteName shows a foreign file name without letting it write to a terminal.
func QuoteName(name string) string {
	for _, r := range name {
		if r < ' ' || r > '~' {
			return fmt.Sprintf("%+q", name)
		}
	}
	return name
}
