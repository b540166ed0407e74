package blob

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"crucible/judge/internal/osfile"
	"crucible/judge/terminal"
)

// Extract writes the files of a tree to the new folder dir. After an error there is no
// such folder. The files can be read by all users and written by none.
//
// Files are copied, and the copied bytes are compared with their digests. Hard links
// would be faster, but without a box a graded program has the rights of the judge and
// could change the blob through its link; and a clone of the file system would have to
// be read again to be compared.
func (s *Store) Extract(ctx context.Context, tree Digest, dir string) error {
	t, err := s.Tree(tree)
	if err != nil {
		return err
	}
	if err := s.bound(tree, t); err != nil {
		return err
	}
	lease, err := s.Lease(ctx, t.Digests()...)
	if err != nil {
		return err
	}
	defer lease.Release()
	if _, err := os.Lstat(dir); err == nil {
		return &fs.PathError{Op: "extract", Path: dir, Err: fs.ErrExist}
	}
	temp := filepath.Clean(dir) + ".judge-" + rand.Text()
	if err := osfile.Mkdir(temp); err != nil {
		return err
	}
	if err = s.extract(ctx, t, temp); err == nil {
		err = os.Rename(temp, dir)
	}
	if err != nil {
		return errors.Join(err, osfile.RemoveAll(temp))
	}
	return nil
}

// bound refuses a tree that is too large. A small tree can be a large folder, because
// files may have the same blob.
func (s *Store) bound(d Digest, t *Tree) error {
	most, bytes := cmp.Or(s.MaxFiles, 200_000), cmp.Or(s.MaxBytes, 16<<30)
	if len(t.Files) > most {
		return fmt.Errorf("tree %s: found %d files, expected at most %d", d, len(t.Files), most)
	}
	left := bytes
	for _, f := range t.Files {
		if left -= f.Digest.Size; left < 0 {
			return fmt.Errorf("tree %s: %q: with it there is more than %s", d, f.Path, terminal.Bytes(bytes))
		}
	}
	return nil
}

func (s *Store) extract(ctx context.Context, t *Tree, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, f := range t.Files {
		if err := makeFolders(root, path.Dir(f.Path), made); err != nil {
			return err
		}
	}
	return each(ctx, runtime.GOMAXPROCS(0), len(t.Files), func(ctx context.Context, i int) error {
		return s.extractFile(ctx, root, t.Files[i])
	})
}

// makeFolders creates a folder and its parents, except those already made.
func makeFolders(root *os.Root, dir string, made map[string]bool) error {
	if made[dir] {
		return nil
	}
	if err := makeFolders(root, path.Dir(dir), made); err != nil {
		return err
	}
	made[dir] = true
	name, err := filepath.Localize(dir)
	if err == nil {
		err = root.Mkdir(name, 0o755)
	}
	if err == nil {
		err = root.Chmod(name, 0o755) // whatever the umask
	}
	return err
}

func (s *Store) extractFile(ctx context.Context, root *os.Root, f File) error {
	name, err := filepath.Localize(f.Path)
	if err != nil {
		return fmt.Errorf("%q: %w", f.Path, err)
	}
	from, _, err := s.open(f.Digest)
	if err != nil {
		return fmt.Errorf("%q: %w", f.Path, err)
	}
	defer from.Close()
	// Names that differ here may be equal on the disk: exclusive creation refuses the second.
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = write(ctx, to, f.Digest, from)
	if errors.As(err, new(*MismatchError)) {
		err = fmt.Errorf("%q: %w", f.Path, s.damaged(f.Digest))
	}
	mode := fs.FileMode(0o444)
	if f.Executable {
		mode = 0o555
	}
	if err == nil {
		err = to.Chmod(mode)
	}
	if err = errors.Join(err, to.Close()); err == nil {
		s.Has(f.Digest)
	}
	return err
}
