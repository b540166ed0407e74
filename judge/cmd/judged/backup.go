package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/serve/client"
	"crucible/judge/terminal"
)

// notInBackup are the entries of the folder of a server that a backup leaves out: locks,
// the packages of its worker, which come from the server, and the queue, whose items the
// clients send again.
var notInBackup = map[string]bool{"lock": true, "queue": true, "worker": true}

func backupCommand(e *cli.Env) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "copy the data of a server into a file",
		Long: `Copy the folder of a server into the new FILE, a tar.gz: packages, problems,
judgements, tokens and the registrations of workers. The server may run meanwhile.

The queue is not copied: a work item lives for seconds, and clients send again what a
server has lost. FILE has the tokens: keep it where others cannot read it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := backup(c.Context(), dir, args[0])
			if err == nil {
				_, err = fmt.Fprintln(e.Stdout, terminal.Count(n, "file"))
			}
			return err
		},
	}
	dirFlag(c, &dir)
	return c
}

func restoreCommand(e *cli.Env) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "make the folder of a server from a backup",
		Long: `Make the folder of a server from FILE, which judged backup has written. The folder
must be empty or not exist. judged serve with this folder then goes on where the backup
was made.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := restore(c.Context(), dir, args[0])
			if err == nil {
				_, err = fmt.Fprintln(e.Stdout, terminal.Count(n, "file"))
			}
			return err
		},
	}
	dirFlag(c, &dir)
	return c
}

func dirFlag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "dir", "", "the `FOLDER` of the server (default: crucible/server in the user's state folder)")
}

// folderOf returns the folder of the server.
func folderOf(dir string) (string, error) {
	if dir != "" {
		return dir, nil
	}
	return client.StateDir()
}

// backup writes the folder of a server to a new file, and returns the number of files.
func backup(ctx context.Context, dir, name string) (n int, err error) {
	if dir, err = folderOf(dir); err != nil {
		return 0, err
	}
	if _, err := os.Stat(filepath.Join(dir, client.TokenFile)); err != nil {
		return 0, fmt.Errorf("%s is not the folder of a server: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			os.Remove(name)
		}
	}()
	packed := gzip.NewWriter(file)
	to := tar.NewWriter(packed)
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, context.Cause(ctx)); errors.Is(err, fs.ErrNotExist) {
			return nil // the server has removed it
		} else if err != nil {
			return err
		}
		switch {
		case notInBackup[path] && d.IsDir():
			return fs.SkipDir
		case notInBackup[path], !d.Type().IsRegular():
			return nil
		}
		added, err := addFile(root, to, path)
		if added {
			n++
		}
		return err
	})
	return n, errors.Join(err, to.Close(), packed.Close(), file.Sync())
}

// addFile adds a file, unless the server has removed it meanwhile.
func addFile(root *os.Root, to *tar.Writer, path string) (bool, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: int64(info.Mode().Perm()),
		Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return false, err
	}
	// A file that grows is copied as it was.
	if _, err := io.CopyN(to, f, info.Size()); err != nil {
		return false, fmt.Errorf("%s changed while it was copied: %w", path, err)
	}
	return true, nil
}

// restore makes the folder of a server, and returns the number of files.
func restore(ctx context.Context, dir, name string) (n int, err error) {
	if dir, err = folderOf(dir); err != nil {
		return 0, err
	}
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		return 0, fmt.Errorf("%s: expected a file of judged backup: %w", name, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	if old, err := os.ReadDir(dir); err != nil || len(old) > 0 {
		return 0, errors.Join(err, fmt.Errorf("%s has %d entries: expected an empty folder", dir, len(old)))
	}
	for from := tar.NewReader(packed); ; n++ {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
		if err := restoreFile(dir, h, from); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !osfile.IsFile(filepath.Join(dir, client.TokenFile)) {
		return n, fmt.Errorf("%s has no file %s: expected a file of judged backup", name, client.TokenFile)
	}
	return n, nil
}

// restoreFile writes a file of a backup.
func restoreFile(dir string, h *tar.Header, from io.Reader) (err error) {
	first, _, _ := strings.Cut(h.Name, "/")
	if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) || notInBackup[first] {
		return fmt.Errorf("entry %q: expected the files of a server", h.Name)
	}
	path := filepath.Join(dir, filepath.FromSlash(h.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(h.Mode)&0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close(), os.Chtimes(path, h.ModTime, h.ModTime))
}
