package blob

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/terminal"
)

// ErrFull is the error of a blob for which the store has no space, because it is larger
// than the store's limit, or because leases keep the others.
var ErrFull = errors.New("the store is full")

// block is the unit of disk space: a file of a byte takes as much on most file systems.
const block = 4 << 10

func blocks(size int64) int64 { return (size + block - 1) / block * block }

// space counts the bytes in a store, in blocks.
type space struct {
	sync.Mutex
	counted bool
	used    int64 // by blobs, when counted and as far as this process knows
	added   int64 // by this process since then
	flying  int64 // reserved for blobs that are being written
}

// room is the space that is reserved for a blob while it is written. Space is reserved
// just before it is needed, so that nothing is removed for a sender that sends nothing.
type room struct {
	ctx      context.Context
	store    *Store
	expected int64 // the size; negative if it is unknown
	written  int64
	reserved int64 // in blocks
}

// Write reserves the space for p.
func (r *room) Write(p []byte) (int, error) {
	r.written += int64(len(p))
	s, n := r.store, blocks(r.written)
	if s.most == 0 || n <= r.reserved {
		return len(p), nil
	}
	if size := max(r.expected, r.written); blocks(size) > s.most {
		return 0, fmt.Errorf("blob of %d bytes: %w: expected at most %s", size, ErrFull, terminal.Bytes(s.most))
	}
	if err := s.reserve(r.ctx, n-r.reserved); err != nil {
		return 0, err
	}
	r.reserved = n
	return len(p), nil
}

// settle ends the reservation. stored says whether the store has one blob more.
func (r *room) settle(stored bool) {
	r.store.space.Lock()
	defer r.store.space.Unlock()
	r.store.space.flying -= r.reserved
	if stored {
		r.store.space.used += blocks(r.written)
		r.store.space.added += blocks(r.written)
	}
}

// reserve makes sure that n more bytes fit.
func (s *Store) reserve(ctx context.Context, n int64) error {
	s.space.Lock()
	defer s.space.Unlock()
	sp := &s.space
	// Other processes add blobs, too, so the count is repeated now and then.
	if !sp.counted || sp.used+sp.flying+n > s.most || sp.added > s.most/16 {
		if err := s.collect(ctx, n); err != nil {
			return err
		}
	}
	if sp.used+sp.flying+n > s.most {
		return fmt.Errorf("%w: %s of %s are in use, expected %s for a blob", ErrFull, terminal.Bytes(sp.used+sp.flying),
			terminal.Bytes(s.most), terminal.Bytes(n))
	}
	sp.flying += n
	return nil
}

// A stored is a file of a store.
type stored struct {
	name string
	used time.Time
	size int64 // in blocks
}

// collect counts the blobs and, if there is no space for n more bytes, removes those
// that were not used for the longest time and have no lease. It frees a tenth of the
// store more than is needed, so that it runs rarely. Callers hold s.space.
func (s *Store) collect(ctx context.Context, n int64) error {
	files, total, err := s.files()
	if err != nil {
		return err
	}
	sp := &s.space
	sp.counted, sp.used, sp.added = true, total, 0
	if total+sp.flying+n <= s.most {
		return nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	leased, err := s.leased()
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b stored) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name))
	})
	goal := s.most - s.most/10
	if n > goal {
		goal = s.most
	}
	for _, f := range files {
		if sp.used+sp.flying+n <= goal {
			break
		}
		name := filepath.Base(f.name)
		if leased[name] {
			continue
		}
		// It may have been used since it was counted.
		if info, err := os.Lstat(f.name); err == nil && info.ModTime().After(f.used) {
			continue
		}
		if err := os.Remove(f.name); err == nil || errors.Is(err, fs.ErrNotExist) {
			sp.used -= f.size
			s.forget(name)
		}
	}
	return nil
}

// forget removes what is known of a blob that was removed.
func (s *Store) forget(name string) {
	if d, err := Parse(name); err == nil {
		s.mu.Lock()
		delete(s.verified, d)
		s.mu.Unlock()
	}
}

// files lists all files of blobs, with the sum of their sizes in blocks.
func (s *Store) files() (files []stored, total int64, err error) {
	top := filepath.Join(s.dir, "blobs")
	err = filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		if errors.Is(err, fs.ErrNotExist) && name != top {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		f := stored{name, info.ModTime(), blocks(info.Size())}
		files = append(files, f)
		total += f.size
		return nil
	})
	return files, total, err
}

// lock waits until no other process, and no other goroutine, removes blobs or takes
// leases. Where files cannot be locked, it waits for goroutines of this store only.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	s.lease.Lock()
	f, err := os.OpenFile(filepath.Join(s.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		s.lease.Unlock()
		return nil, err
	}
	unlock = func() {
		f.Close()
		s.lease.Unlock()
	}
	for wait := time.Millisecond; errors.Is(osfile.Lock(f), osfile.ErrLocked); wait = min(2*wait, 50*time.Millisecond) {
		select {
		case <-ctx.Done():
			unlock()
			return nil, context.Cause(ctx)
		case <-time.After(wait):
		}
	}
	return unlock, nil
}

// leases are those of this process. Each is a file that lists digests, in a folder with
// a file "owner" that this process keeps locked. Other processes see from the lock
// whether the leases still hold.
type leases struct {
	sync.Mutex
	dir   string // "" until the first lease
	owner *os.File
}

// A Lease keeps blobs in their store. Release ends it.
type Lease struct{ file string }

// Lease keeps blobs from being removed to make space, until the lease is released, the
// store is closed or the process ends. It holds for blobs that are stored later, too,
// so a lease taken before [Store.Missing] is asked keeps what is there. It does not
// keep damaged blobs.
func (s *Store) Lease(ctx context.Context, digests ...Digest) (*Lease, error) {
	var text strings.Builder
	for _, d := range digests {
		if err := d.check(); err != nil {
			return nil, err
		}
		text.WriteString(d.String() + "\n")
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.lease.dir == "" {
		if err := s.openLeases(); err != nil {
			return nil, err
		}
	}
	l := &Lease{filepath.Join(s.lease.dir, rand.Text())}
	if err := os.WriteFile(l.file, []byte(text.String()), 0o600); err != nil {
		os.Remove(l.file)
		return nil, err
	}
	return l, nil
}

// Release ends the lease. It may be called more than once, and on nil.
func (l *Lease) Release() {
	if l != nil {
		os.Remove(l.file)
	}
}

// openLeases creates the folder for the leases of this process. Callers hold the lock.
func (s *Store) openLeases() error {
	dir := filepath.Join(s.dir, "leases", rand.Text())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "owner"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return errors.Join(err, os.Remove(dir))
	}
	osfile.Lock(f)
	s.lease.dir, s.lease.owner = dir, f
	return nil
}

func (s *Store) closeLeases() error {
	s.lease.Lock()
	defer s.lease.Unlock()
	if s.lease.dir == "" {
		return nil
	}
	err := errors.Join(s.lease.owner.Close(), os.RemoveAll(s.lease.dir))
	s.lease.dir, s.lease.owner = "", nil
	return err
}

// leased returns the text forms of the digests that processes have leases for, and
// removes the leases of processes that have ended. Callers hold the lock.
func (s *Store) leased() (map[string]bool, error) {
	leased := make(map[string]bool)
	top := filepath.Join(s.dir, "leases")
	processes, err := os.ReadDir(top)
	if err != nil {
		return nil, err
	}
	for _, p := range processes {
		dir := filepath.Join(top, p.Name())
		if dir != s.lease.dir && !isOwned(dir) {
			os.RemoveAll(dir)
			continue
		}
		files, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			for d := range strings.Lines(string(text)) {
				leased[strings.TrimSuffix(d, "\n")] = true
			}
		}
	}
	return leased, nil
}

// isOwned reports whether the process that created a folder of leases is running.
func isOwned(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "owner"))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return osfile.Locked(f)
}
