package remote

import (
	"fmt"

	"crucible/judge"
	"crucible/judge/record"
)

// Version is what two judges must have in common so that one may judge for the
// other: the sources that decide verdicts, and the form of keys.
func Version() string {
	return fmt.Sprintf("sources %s, keys %d", judge.Identity(), record.KeySchema)
}
