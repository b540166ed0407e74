package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of trees.
const (
	maxTree  = 64 << 20 // bytes of a tree's own blob: about 400,000 files
	maxPath  = 1024     // bytes of a path
	maxDepth = 64       // nested folders, as in osfile
)

// A Tree lists the files of a folder. Its blob is its canonical JSON: files in the
// order of the bytes of their paths, no spaces, and no "executable" that is false.
// Equal folders therefore have equal digests. Empty folders, permissions, times and
// owners are not part of a tree.
type Tree struct {
	Files []File `json:"files"`
}

// A File is a file of a tree.
type File struct {
	Path       string `json:"path"` // below the folder, with slashes
	Digest     Digest `json:"digest"`
	Executable bool   `json:"executable,omitempty"`
}

// Digests returns the digests of all files, which may repeat.
func (t *Tree) Digests() []Digest {
	digests := make([]Digest, len(t.Files))
	for i, f := range t.Files {
		digests[i] = f.Digest
	}
	return digests
}

// Encode returns the canonical JSON of the tree. It sorts the files, and refuses a tree
// that ParseTree would refuse.
func (t *Tree) Encode() ([]byte, error) {
	if t.Files == nil {
		t.Files = []File{} // not null
	}
	slices.SortFunc(t.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if err := t.check(); err != nil {
		return nil, err
	}
	return t.encode()
}

func (t *Tree) encode() ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(t); err != nil {
		return nil, err
	}
	data := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if len(data) > maxTree {
		return nil, fmt.Errorf("tree of %d bytes: expected at most %d", len(data), maxTree)
	}
	return data, nil
}

// ParseTree parses the canonical JSON of a tree, and accepts no other. The paths of the
// result stay below a folder on every system, none is a file and a folder at once, and
// none is there twice.
func ParseTree(data []byte) (*Tree, error) {
	if len(data) > maxTree {
		return nil, fmt.Errorf("tree of %d bytes: expected at most %d", len(data), maxTree)
	}
	t := &Tree{Files: []File{}}
	decoder := json.NewDecoder(bytes.NewReader(data))
	for _, expected := range []json.Token{json.Delim('{'), "files", json.Delim('[')} {
		if found, err := decoder.Token(); err != nil || found != expected {
			return nil, fmt.Errorf("tree: expected a list of files in %q", "files")
		}
	}
	for decoder.More() {
		var f File
		err := decoder.Decode(&f)
		// Checked here, because a list of files without contents would be much smaller
		// as text than in memory.
		if err == nil {
			err = f.Digest.check()
		}
		if err != nil {
			return nil, fmt.Errorf("tree: file %d: %w", len(t.Files)+1, err)
		}
		t.Files = append(t.Files, f)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	if text, err := t.encode(); err != nil || !bytes.Equal(text, data) {
		return nil, errors.New("tree: not the canonical JSON of its files")
	}
	return t, nil
}

// check refuses paths that are not safe, and any order but the canonical one.
func (t *Tree) check() error {
	folders := make(map[string]bool)
	last := ""
	for i, f := range t.Files {
		if err := checkPath(f.Path); err != nil {
			return fmt.Errorf("tree: path %.200q: %w", f.Path, err)
		}
		switch {
		case i > 0 && f.Path == last:
			return fmt.Errorf("tree: path %q: found twice", f.Path)
		case i > 0 && f.Path < last:
			return fmt.Errorf("tree: path %q after %q: expected the order of bytes", f.Path, last)
		}
		last = f.Path
		for dir := path.Dir(f.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, f := range t.Files {
		if folders[f.Path] {
			return fmt.Errorf("tree: path %q: found as a file and as a folder", f.Path)
		}
	}
	return nil
}

// checkPath refuses paths that could leave a folder on some system, or that are not
// names of files.
func checkPath(name string) error {
	switch {
	case !utf8.ValidString(name):
		return errors.New("expected UTF-8")
	case name == "." || !fs.ValidPath(name):
		return errors.New("expected a path below the folder, with neither . nor .. in it")
	case strings.ContainsAny(name, "\\\x00"):
		return errors.New("expected no backslash and no NUL")
	case len(name) > 1 && name[1] == ':':
		return errors.New("expected no drive letter")
	case len(name) > maxPath:
		return fmt.Errorf("expected at most %d bytes", maxPath)
	case strings.Count(name, "/") > maxDepth:
		return fmt.Errorf("expected at most %d nested folders", maxDepth)
	}
	return nil
}

// Tree reads a tree.
func (s *Store) Tree(d Digest) (*Tree, error) {
	data, err := s.Read(d, maxTree)
	if err != nil {
		return nil, err
	}
	t, err := ParseTree(data)
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", d, err)
	}
	return t, nil
}

// PutTree stores a tree. It does not look for the blobs of the files.
func (s *Store) PutTree(ctx context.Context, t *Tree) (Digest, error) {
	data, err := t.Encode()
	if err != nil {
		return Digest{}, err
	}
	return s.PutBytes(ctx, data)
}

// PutFolder stores the files of a folder and its tree.
func (s *Store) PutFolder(ctx context.Context, f *Folder) error {
	lease, err := s.Lease(ctx, f.Digests()...) // or the last files could push out the first
	if err != nil {
		return err
	}
	defer lease.Release()
	missing := s.Missing(f.Digests())
	return each(ctx, runtime.GOMAXPROCS(0), len(missing), func(ctx context.Context, i int) error {
		r, err := f.Open(missing[i])
		if err != nil {
			return err
		}
		defer r.Close()
		if err := s.PutDigest(ctx, missing[i], r); err != nil {
			return fmt.Errorf("%s: %w", f.path(missing[i]), err)
		}
		return nil
	})
}
