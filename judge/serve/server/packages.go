package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/server/queue"
)

// Packages is the list of packages that clients have sent, by digest. The servers of a
// cluster share it.
type Packages interface {
	// Change replaces what is known of a package by what change makes of it; nil is nothing.
	Change(ctx context.Context, digest string, change func(old []byte) ([]byte, error)) error
	Get(ctx context.Context, digest string) ([]byte, error) // [fs.ErrNotExist] if there is none
	List(ctx context.Context) ([]string, error)             // the digests, in their order
}

// packageFolder is a list in a folder.
type packageFolder string

func (f packageFolder) nameOf(digest string) string { return filepath.Join(string(f), digest+".json") }

// Change implements [Packages]. It is called once at a time.
func (f packageFolder) Change(ctx context.Context, digest string, change func([]byte) ([]byte, error)) error {
	old, err := f.Get(ctx, digest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := change(old)
	if err != nil {
		return err
	}
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

// A PackageBucket is a list in JetStream.
type PackageBucket struct{ *queue.Bucket }

// Get implements [Packages].
func (b PackageBucket) Get(ctx context.Context, digest string) ([]byte, error) {
	data, _, err := b.Bucket.Get(ctx, digest)
	return data, err
}

// List implements [Packages].
func (b PackageBucket) List(ctx context.Context) ([]string, error) {
	all, err := b.Keys(ctx)
	slices.Sort(all)
	return all, err
}
