package terminal

import (
	"fmt"
)

// QuoteName returns an untrusted file name, quoted if it has characters other than
// printable ASCII.
func QuoteName(name string) string {
	for _, r := range name {
		if r < ' ' || r > '~' {
			return fmt.Sprintf("%+q", name)
		}
	}
	return name
}
