package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"crucible/judge/internal/osfile"
)

// Packages is the list of packages that clients have sent, by digest. The servers of a
// cluster share it.
type Packages interface {
	Put(ctx context.Context, digest string, data []byte) error
	Get(ctx context.Context, digest string) ([]byte, error) // [fs.ErrNotExist] if there is none
	List(ctx context.Context) ([]string, error)             // the digests, in their order
}

// packageFolder is a list in a folder.
type packageFolder string

func (f packageFolder) nameOf(digest string) string { return filepath.Join(string(f), digest+".json") }

// Put implements [Packages].
func (f packageFolder) Put(_ context.Context, digest string, data []byte) error {
	return osfile.WriteAtomic(f.nameOf(digest), data)
}

// Get implements [Packages].
func (f packageFolder) Get(_ context.Context, digest string) ([]byte, error) {
	return os.ReadFile(f.nameOf(digest))
}

// List implements [Packages].
func (f packageFolder) List(context.Context) (all []string, err error) {
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if digest, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			all = append(all, digest)
		}
	}
	return all, nil
}
