package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// HashOf returns a hash of the parts, which are everything that determines a cached
// result. Different lists of parts have different hashes.
func HashOf(parts ...string) string {
	h := sha256.New()
	for _, s := range append([]string{storeVersion}, parts...) {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// storeVersion changes when a stored result changes its meaning.
const storeVersion = "1"
