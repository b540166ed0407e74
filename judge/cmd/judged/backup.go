package main

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/serve/client"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/queue"
	"crucible/judge/terminal"
)

// notInBackup are the entries of the folder of a server that a backup leaves out: locks, the
// address, the packages of its worker, which come from the server, and the files of JetStream,
// of which it has the entries and the buckets.
var notInBackup = map[string]bool{"lock": true, "queue": true, "worker": true, addressFile: true,
	nameFile: true}

// stateFolder is the folder in a backup with a file for each message of the entries, and for each
// value of the buckets.
const stateFolder = "state/"

// addressFile is the file in the folder of a server with the address of one that runs.
const addressFile = "address"

func backupCommand(e *cli.Env) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "copy the data of a server into a file",
		Long: `Copy the data of a server into the new FILE, a tar.gz: packages, problems,
judgements, tokens and the registrations of workers. The server may run meanwhile, and
then makes the copy itself.

Work items are not copied: judgements that were under way begin again, and clients of
judge run --on send theirs again. FILE has the tokens: keep it where others cannot read
it.`,
		Args: cli.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := backupTo(c.Context(), dir, args[0])
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
	var cluster clusterFlags
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "make the folder of a server from a backup",
		Long: `Make the folder of a server from FILE, which judged backup has written. The folder
must be empty or not exist. judged serve with this folder then goes on where the backup
was made.

With --nats, the state goes there instead, for judged serve with --nats and this folder,
which has the packages. No server may have used NATS with this --nats-prefix before.`,
		Args: cli.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := restore(c.Context(), dir, &cluster, args[0], logTo(e.Stderr, false))
			if err == nil {
				_, err = fmt.Fprintln(e.Stdout, terminal.Count(n, "file"))
			}
			return err
		},
	}
	dirFlag(c, &dir)
	cluster.addNATS(c)
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

// backupTo writes the data of a server to a new file, and returns the number of files in it.
func backupTo(ctx context.Context, dir, name string) (n int, err error) {
	if dir, err = folderOf(dir); err != nil {
		return 0, err
	}
	secret, err := os.ReadFile(filepath.Join(dir, client.TokenFile))
	if err != nil {
		return 0, fmt.Errorf("%s is not the folder of a server: %w", dir, err)
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			os.Remove(name)
		}
	}()
	lock, err := lockDir(dir)
	if err == nil {
		defer lock.Close()
		if err := checkForm(dir); err != nil {
			return 0, err
		}
		state := filepath.Join(dir, "queue")
		if _, err := os.Stat(state); err != nil {
			return 0, fmt.Errorf("%w: no server has run here yet, or the state of this server is in NATS: expected that it runs",
				err)
		}
		q, err := queue.Start(ctx, queue.Options{Dir: state})
		if err != nil {
			return 0, err
		}
		defer q.Close()
		return backup(ctx, dir, q, file)
	}
	if !errors.Is(err, osfile.ErrLocked) {
		return 0, err
	}
	address, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil {
		return 0, fmt.Errorf("the address of the running server: %w", err)
	}
	c, err := client.New(strings.TrimSpace(string(address)), strings.TrimSpace(string(secret)))
	if err != nil {
		return 0, err
	}
	in, err := c.Backup(ctx)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	copied := io.TeeReader(in, file)
	packed, err := gzip.NewReader(copied)
	if err == nil {
		from := tar.NewReader(packed)
		for _, err = from.Next(); err == nil; _, err = from.Next() {
			n++
		}
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, packed) // the checksum of all
		}
	}
	return n, err
}

// backup writes the data of a server, and returns the number of files. The entries come first, and
// then the buckets: what a judgement is of is then in these and in the files.
func backup(ctx context.Context, dir string, q *queue.Queue, w io.Writer) (n int, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	packed := gzip.NewWriter(w)
	to := tar.NewWriter(packed)
	buckets := []string{server.WorkerBucket, server.PackageBucket, server.TokenBucket}
	err = q.Export(ctx, buckets, func(m *queue.Message) error {
		n++
		err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: stateFolder + m.Name, Mode: 0o600,
			Size: int64(len(m.Data)), ModTime: m.Time, PAXRecords: map[string]string{kindRecord: m.Kind}})
		if err == nil {
			_, err = to.Write(m.Data)
		}
		return err
	})
	if err != nil {
		return n, err
	}
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
	return n, errors.Join(err, to.Close(), packed.Close())
}

// kindRecord is the record of a file in a backup that has the kind of its message.
const kindRecord = "CRUCIBLE.kind"

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

// restore makes the folder of a server, or of one of a cluster, and returns the number of files.
func restore(ctx context.Context, dir string, cluster *clusterFlags, name string, log *slog.Logger) (n int, err error) {
	if dir, err = folderOf(dir); err == nil {
		err = cluster.check()
	}
	if err != nil {
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
	// No server uses a folder of this form.
	if err := osfile.WriteSynced(filepath.Join(dir, formFile), []byte("half restored\n")); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, empty(dir))
		}
	}()
	q, err := queue.Start(ctx, cluster.options(dir, "restore", log))
	if err != nil {
		return 0, err
	}
	defer q.Close()
	if cluster.nats != "" {
		if _, _, err := q.Bucket(keyBucket).Get(ctx, keyFile); !errors.Is(err, fs.ErrNotExist) {
			return 0, cmp.Or(err, fmt.Errorf("--nats-prefix %s: a server has used it before: expected another one",
				cluster.prefix))
		}
	}
	var last []byte
	for from := tar.NewReader(packed); ; n++ {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		switch err = errors.Join(err, context.Cause(ctx)); {
		case err == nil && h.Name == formFile:
			last, err = io.ReadAll(io.LimitReader(from, 100))
		case err == nil:
			err = restoreFile(ctx, dir, q, h, from)
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !osfile.IsFile(filepath.Join(dir, client.TokenFile)) {
		return n, fmt.Errorf("%s has no file %s: expected a file of judged backup", name, client.TokenFile)
	}
	if err = osfile.WriteSynced(filepath.Join(dir, formFile), last); err == nil {
		err = checkForm(dir)
	}
	if err == nil && cluster.nats != "" {
		err = new(serverDir).share(ctx, dir, q) // before a server with other secrets does
	}
	return n, err
}

// empty removes what is in a folder.
func empty(dir string) error {
	all, err := os.ReadDir(dir)
	for _, one := range all {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, one.Name())))
	}
	return err
}

// restoreFile writes a file of a backup.
func restoreFile(ctx context.Context, dir string, q *queue.Queue, h *tar.Header, from io.Reader) (err error) {
	if message, ok := strings.CutPrefix(h.Name, stateFolder); ok {
		data, err := io.ReadAll(io.LimitReader(from, queue.MaxMessage))
		if err != nil {
			return err
		}
		return q.Import(ctx, &queue.Message{Name: message, Kind: h.PAXRecords[kindRecord], Data: data})
	}
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
