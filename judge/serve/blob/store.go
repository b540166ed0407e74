package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"crucible/judge/internal/osfile"
)

// A Store keeps blobs in a folder of limited size. It is safe for concurrent use, and
// several processes may use one folder. Blobs that were not used for the longest time
// are removed first; see [Store.Lease].
//
// A blob is written beside its place and renamed, so readers never see a part of one.
// After a loss of power, a blob that was stored after the last [Store.Sync] may be damaged,
// which its digest shows. A damaged blob is removed when it is read, and is missing from then on.
//
// Only the user of the process can read the folder, because blobs may be secret test
// data.
type Store struct {
	MaxFiles int   // of a tree that Extract writes; 0 means 200,000
	MaxBytes int64 // of a tree that Extract writes; 0 means 16 GiB
	// Durable is for a store whose Sync is called. Where a system cannot sync many files at once,
	// each of its files is synced when it is stored.
	Durable bool

	dir  string
	most int64 // of all blobs, in bytes; 0 means no limit

	space space
	lease leases

	dirty atomic.Bool // a blob was stored after the last Sync

	mu       sync.Mutex
	verified map[Digest]time.Time // modification times of files that had the right bytes
	checks   map[Digest]*check    // verifications that are under way
}

// A check is the verification of a file, which other readers wait for.
type check struct {
	done chan struct{} // closed when err is set
	err  error
}

// buffers has the buffers for copying.
var buffers = sync.Pool{New: func() any { return new(make([]byte, 256<<10)) }}

// Open returns the store in a folder, which it creates. most bounds the bytes of all
// blobs together, each rounded up to 4 KiB; 0 means no limit. Several processes may
// exceed it by a sixteenth each, for a short time.
func Open(dir string, most int64) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, most: most, verified: make(map[Digest]time.Time), checks: make(map[Digest]*check)}
	for _, name := range []string{"", "blobs", "drafts", "leases"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	s.removeDrafts()
	return s, nil
}

// Close ends the leases of this process. Blobs that are open can still be read.
func (s *Store) Close() error { return s.closeLeases() }

// path returns the name of a blob's file.
func (s *Store) path(d Digest) string {
	return filepath.Join(s.dir, "blobs", d.Hash[:2], d.String())
}

// Has reports whether the store has a blob, and marks it as used. It compares the size
// only: if the file is damaged, Open removes it.
func (s *Store) Has(d Digest) bool {
	if d.check() != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.use(d)
}

// Missing returns the digests of blobs that the store does not have, as Has does, in
// their order and without repetitions.
func (s *Store) Missing(digests []Digest) []Digest {
	var missing []Digest
	seen := make(map[Digest]bool, len(digests))
	for _, d := range digests {
		if !seen[d] && !s.Has(d) {
			missing = append(missing, d)
		}
		seen[d] = true
	}
	return missing
}

// use sets the modification time of a blob's file, which is the time of its last use.
// It reports whether there is such a file. Callers hold s.mu.
func (s *Store) use(d Digest) bool {
	name := s.path(d)
	info, err := os.Lstat(name)
	if err != nil || !fits(info, d) {
		return false
	}
	was, verified := s.verified[d]
	verified = verified && was.Equal(info.ModTime())
	delete(s.verified, d)
	now := time.Now()
	if os.Chtimes(name, now, now) == nil && verified {
		// The file system may have rounded the time.
		if info, err := os.Lstat(name); err == nil {
			s.verified[d] = info.ModTime()
		}
	}
	return true
}

func fits(info fs.FileInfo, d Digest) bool { return info.Mode().IsRegular() && info.Size() == d.Size }

// Open opens a blob for reading. If this process has not read the file yet, or the file
// has changed, Open compares it with the digest first. The error is [fs.ErrNotExist] if
// the store does not have the blob; a damaged file is removed. The result is a file.
func (s *Store) Open(d Digest) (io.ReadSeekCloser, error) {
	f, info, err := s.open(d)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	was, ok := s.verified[d]
	s.mu.Unlock()
	if !ok || !was.Equal(info.ModTime()) {
		if err = s.verify(d, f, info); err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s.mu.Lock()
	s.use(d)
	s.mu.Unlock()
	return f, nil
}

// open opens a blob's file without a look at its bytes.
func (s *Store) open(d Digest) (*os.File, fs.FileInfo, error) {
	if err := d.check(); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(s.path(d), os.O_RDONLY|osfile.NoFollow, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("blob %s: %w", d, osfile.Cause(err))
	}
	info, err := f.Stat()
	if err == nil && !fits(info, d) {
		err = s.damaged(d)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// verify compares a blob's file with the digest. One goroutine does so at a time.
func (s *Store) verify(d Digest, f *os.File, info fs.FileInfo) error {
	s.mu.Lock()
	if c := s.checks[d]; c != nil {
		s.mu.Unlock()
		<-c.done
		return c.err
	}
	c := &check{done: make(chan struct{})}
	s.checks[d] = c
	s.mu.Unlock()

	// A disk that cannot read a file any more has lost the blob, too.
	if found, err := OfReader(f); err != nil || found != d {
		c.err = s.damaged(d)
	}
	s.mu.Lock()
	delete(s.checks, d)
	if c.err == nil {
		s.verified[d] = info.ModTime()
	}
	s.mu.Unlock()
	close(c.done)
	return c.err
}

// damaged removes the file of a blob that has other bytes, and returns the error of a
// missing blob.
func (s *Store) damaged(d Digest) error {
	s.mu.Lock()
	delete(s.verified, d)
	s.mu.Unlock()
	if err := os.RemoveAll(s.path(d)); err != nil {
		return fmt.Errorf("blob %s: damaged, and cannot be removed: %w", d, osfile.Cause(err))
	}
	return fmt.Errorf("blob %s: damaged: %w", d, fs.ErrNotExist)
}

// Read returns the bytes of a blob, which must have at most most bytes.
func (s *Store) Read(d Digest, most int64) ([]byte, error) {
	if d.Size > most {
		return nil, fmt.Errorf("blob %s: expected at most %d bytes", d, most)
	}
	f, _, err := s.open(d)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, d.Size)
	if _, err := io.ReadFull(f, data); err != nil || Of(data) != d {
		return nil, s.damaged(d)
	}
	s.Has(d)
	return data, nil
}

// Put stores everything that can be read from r.
func (s *Store) Put(ctx context.Context, r io.Reader) (Digest, error) {
	return s.put(ctx, Digest{Size: -1}, r)
}

// PutDigest stores the blob d. It reads nothing if the store has d already. The error
// is a [*MismatchError] if r has other bytes; nothing is stored then.
func (s *Store) PutDigest(ctx context.Context, d Digest, r io.Reader) error {
	if err := d.check(); err != nil {
		return err
	}
	// Not Has: the bytes are at hand if the file is damaged.
	if f, err := s.Open(d); err == nil {
		return f.Close()
	}
	_, err := s.put(ctx, d, r)
	return err
}

// PutBytes stores data.
func (s *Store) PutBytes(ctx context.Context, data []byte) (Digest, error) {
	d := Of(data)
	return d, s.PutDigest(ctx, d, bytes.NewReader(data))
}

// put stores what r has. Without a size in d, any bytes are right.
func (s *Store) put(ctx context.Context, d Digest, r io.Reader) (found Digest, err error) {
	draft, err := s.draft()
	if err != nil {
		return Digest{}, err
	}
	room := &room{ctx: ctx, store: s, expected: d.Size}
	stored := false
	defer func() { room.settle(stored) }()
	var info fs.FileInfo
	if found, err = write(ctx, io.MultiWriter(room, draft), d, r); err == nil {
		err = draft.Chmod(0o444)
	}
	if err == nil && s.Durable && !osfile.SyncsAll {
		err = draft.Sync()
	}
	if err == nil {
		info, err = draft.Stat()
	}
	if err != nil {
		return found, errors.Join(err, draft.Discard())
	}
	draft.To = s.path(found)
	os.Mkdir(filepath.Dir(draft.To), 0o700)
	had := s.Has(found)
	if err = draft.Commit(nil); err == nil {
		stored = !had
		s.dirty.Store(true)
		s.mu.Lock()
		s.verified[found] = info.ModTime()
		s.mu.Unlock()
	} else if s.Has(found) {
		err = nil // another process was first, on a system that does not replace files in use
	}
	return found, err
}

// Sync returns when all blobs that were stored before the call are on the disk.
func (s *Store) Sync() error {
	s.dirty.Store(false)
	err := osfile.SyncAll(s.dir)
	if err != nil {
		s.dirty.Store(true)
	}
	return err
}

// SyncEvery calls Sync again and again until ctx ends, unless no blob was stored meanwhile. It
// calls failed with each error.
func (s *Store) SyncEvery(ctx context.Context, pause time.Duration, failed func(error)) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !s.dirty.Load() {
			continue
		}
		if err := s.Sync(); err != nil {
			failed(err)
		}
	}
}

// write copies r to w and returns the digest of the bytes. If d has a size, other bytes
// than those of d are an error.
func write(ctx context.Context, w io.Writer, d Digest, r io.Reader) (Digest, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	h, n := sha256.New(), int64(0)
	for {
		if err := context.Cause(ctx); err != nil {
			return Digest{}, err
		}
		got, err := r.Read(*buffer)
		n += int64(got)
		if d.Size >= 0 && n > d.Size {
			return Digest{}, &MismatchError{d, Digest{Size: n}}
		}
		h.Write((*buffer)[:got])
		if _, err := w.Write((*buffer)[:got]); err != nil {
			return Digest{}, err
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Digest{}, err
		}
	}
	found := sumOf(h, n)
	if d.Size >= 0 && found != d {
		return found, &MismatchError{d, found}
	}
	return found, nil
}

// draft begins a file. Its lock shows other processes that it is being written.
func (s *Store) draft() (*osfile.Draft, error) {
	draft, err := osfile.NewDraft(nil, filepath.Join(s.dir, "drafts", "blob"))
	if err == nil {
		osfile.Lock(draft.File)
	}
	return draft, err
}

// removeDrafts removes the drafts of processes that were killed.
func (s *Store) removeDrafts() {
	dir := filepath.Join(s.dir, "drafts")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < time.Hour {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		// A draft that is written to is younger, where files cannot be locked.
		busy := osfile.Locked(f)
		f.Close()
		if !busy {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
