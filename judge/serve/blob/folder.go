package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
)

// A Folder is a tree whose files stay where they are. A file that has changed since then
// has other bytes than its digest; readers compare them.
type Folder struct {
	Tree Digest

	fsys  fs.FS
	data  []byte            // of the tree
	files []Digest          // in the order of their paths
	paths map[Digest]string // of one of the files with a digest
}

// FolderOf reads all files of fsys. It follows symbolic links to files; with the FS of
// an [os.Root] these cannot leave the folder. Everything else that is neither a file nor
// a folder is an error, and so is a path that trees do not allow.
func FolderOf(ctx context.Context, fsys fs.FS) (*Folder, error) {
	files, err := list(ctx, fsys)
	if err != nil {
		return nil, err
	}
	return FolderOfFiles(ctx, fsys, files)
}

// FolderOfFiles is [FolderOf] for some files of fsys. It sets their digests. The error for
// a file that cannot be read is an [*fs.PathError] with its path.
func FolderOfFiles(ctx context.Context, fsys fs.FS, files []File) (*Folder, error) {
	err := each(ctx, runtime.GOMAXPROCS(0), len(files), func(ctx context.Context, i int) (err error) {
		files[i].Digest, err = digestOf(ctx, fsys, files[i].Path)
		return err
	})
	if err != nil {
		return nil, err
	}
	t := &Tree{files}
	f := &Folder{fsys: fsys, paths: make(map[Digest]string, len(files))}
	if f.data, err = t.Encode(); err != nil {
		return nil, err
	}
	f.Tree, f.files = Of(f.data), t.Digests()
	for _, file := range t.Files {
		f.paths[file.Digest] = file.Path
	}
	return f, nil
}

// digestOf returns the digest of a file.
func digestOf(ctx context.Context, fsys fs.FS, name string) (d Digest, err error) {
	file, err := fsys.Open(name)
	if err == nil {
		defer file.Close()
		d, err = write(ctx, io.Discard, Digest{Size: -1}, file)
	}
	if err != nil && ctx.Err() == nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err // its path may be another name of the file
		}
		err = &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return d, err
}

// Digests returns the digests of all files and then of the tree. They may repeat.
func (f *Folder) Digests() []Digest { return append(f.files[:len(f.files):len(f.files)], f.Tree) }

// Open opens a file, or the tree's blob. The error is [fs.ErrNotExist] if it has neither.
func (f *Folder) Open(d Digest) (io.ReadCloser, error) {
	if d == f.Tree {
		return io.NopCloser(bytes.NewReader(f.data)), nil
	}
	name, ok := f.paths[d]
	if !ok {
		return nil, fmt.Errorf("blob %s: %w", d, fs.ErrNotExist)
	}
	return f.fsys.Open(name)
}

// path returns the path of a file with this digest, or "the tree".
func (f *Folder) path(d Digest) string {
	if d == f.Tree {
		return "the tree"
	}
	return f.paths[d]
}

// list returns the files of fsys without their digests.
func list(ctx context.Context, fsys fs.FS) (files []File, err error) {
	err = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := fs.Stat(fsys, name) // follows a link
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: neither a file nor a folder", name)
		}
		if err := checkPath(name); err != nil {
			return fmt.Errorf("path %.200q: %w", name, err)
		}
		files = append(files, File{Path: name, Executable: info.Mode()&0o111 != 0})
		return nil
	})
	return files, err
}

// each calls f for 0 to n-1, at most workers at once. After the first error it starts
// no more calls, cancels the others and returns that error.
func each(ctx context.Context, workers, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	group.Wait()
	return context.Cause(ctx)
}
