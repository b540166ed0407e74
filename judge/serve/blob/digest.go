package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
)

// A Digest names a blob. Two digests are equal (==) exactly if their blobs are. The
// zero value names no blob.
type Digest struct {
	Hash string // the SHA-256 of the bytes, 64 lower-case hexadecimal digits
	Size int64  // the number of bytes, 0 or more
}

// Of returns the digest of data.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest{hex.EncodeToString(sum[:]), int64(len(data))}
}

// OfReader returns the digest of everything that can be read from r.
func OfReader(r io.Reader) (Digest, error) {
	h, buffer := sha256.New(), buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	n, err := io.CopyBuffer(h, onlyReader{r}, *buffer)
	return sumOf(h, n), err
}

// onlyReader hides the WriteTo of a file, which would not use the buffer.
type onlyReader struct{ io.Reader }

func sumOf(h hash.Hash, n int64) Digest { return Digest{hex.EncodeToString(h.Sum(nil)), n} }

// Parse parses the form that String returns, and accepts no other.
func Parse(text string) (Digest, error) {
	hash, size, _ := strings.Cut(text, "-")
	n, err := strconv.ParseInt(size, 10, 64)
	d := Digest{hash, n}
	if err != nil || d.String() != text || d.check() != nil {
		if len(text) > 100 {
			text = text[:100] + "..."
		}
		return Digest{}, fmt.Errorf("digest %q: expected 64 lower-case hexadecimal digits, a hyphen and the size in bytes",
			text)
	}
	return d, nil
}

// String returns the text form, HASH-SIZE. It can be part of a URL or a file name.
func (d Digest) String() string { return d.Hash + "-" + strconv.FormatInt(d.Size, 10) }

// MarshalText returns the text form. It refuses a digest that Parse would refuse.
func (d Digest) MarshalText() ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return []byte(d.String()), nil
}

// UnmarshalText is Parse.
func (d *Digest) UnmarshalText(text []byte) (err error) {
	*d, err = Parse(string(text))
	return err
}

// check refuses a digest that can name no blob. It keeps paths in a store within it.
func (d Digest) check() error {
	if d.Size < 0 {
		return fmt.Errorf("digest with size %d: expected 0 or more", d.Size)
	}
	if len(d.Hash) != 2*sha256.Size || strings.Trim(d.Hash, "0123456789abcdef") != "" {
		return fmt.Errorf("digest with hash %.100q: expected 64 lower-case hexadecimal digits", d.Hash)
	}
	return nil
}

// A MismatchError reports bytes that are not those of a digest.
type MismatchError struct {
	Expected Digest
	Found    Digest // without Hash if there were more bytes than expected; Size then counts only those that were read
}

// Error names both digests.
func (e *MismatchError) Error() string {
	if e.Found.Hash == "" {
		return fmt.Sprintf("blob %s: found more than %d bytes", e.Expected, e.Expected.Size)
	}
	return fmt.Sprintf("blob %s: found bytes with digest %s", e.Expected, e.Found)
}
