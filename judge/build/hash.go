package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// HashOf hashes all that decides what a run makes.
func HashOf(parts ...string) string {
	h := sha256.New()
	for _, s := range append([]string{storeVersion}, parts...) {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// storeVersion changes when what lies in the store changes its meaning.
const storeVersion = "1"
