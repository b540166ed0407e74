package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/osfile"
)

func newStore(t testing.TB, most int64) *Store {
	t.Helper()
	s, err := Open(t.TempDir(), most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// bytesOf returns n bytes that differ for each seed.
func bytesOf(seed uint64, n int) []byte {
	data := make([]byte, n)
	random := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
	random.Read(data)
	return data
}

func put(t testing.TB, s *Store, data []byte) Digest {
	t.Helper()
	d, err := s.PutBytes(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// treeOf stores all files of fsys and returns their tree.
func treeOf(t *testing.T, s *Store, fsys fs.FS) (Digest, error) {
	t.Helper()
	f, err := FolderOf(t.Context(), fsys)
	if err != nil {
		return Digest{}, err
	}
	return f.Tree, s.PutFolder(t.Context(), f)
}

// read returns the bytes of a blob by Open.
func read(s *Store, d Digest) ([]byte, error) {
	f, err := s.Open(d)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// tidy fails if anything is left of writing.
func tidy(t *testing.T, s *Store) {
	t.Helper()
	drafts, err := os.ReadDir(filepath.Join(s.dir, "drafts"))
	if err != nil || len(drafts) > 0 {
		t.Errorf("drafts left: %v, %v", drafts, err)
	}
	s.space.Lock()
	defer s.space.Unlock()
	if s.space.flying != 0 {
		t.Errorf("%d bytes are reserved, expected 0", s.space.flying)
	}
}

func TestPut(t *testing.T) {
	s := newStore(t, 1<<30)
	for _, n := range []int{0, 1, 4096, 256 << 10, 256<<10 + 1, 1 << 20} {
		data := bytesOf(uint64(n), n)
		d, err := s.Put(t.Context(), iotest.HalfReader(bytes.NewReader(data)))
		if err != nil || d != Of(data) {
			t.Fatalf("Put of %d bytes = %v, %v; expected %v", n, d, err, Of(data))
		}
		if got, err := read(s, d); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes are not as they were put: %v", n, err)
		}
		if err := s.PutDigest(t.Context(), d, iotest.ErrReader(errors.New("was read"))); err != nil {
			t.Errorf("PutDigest of a blob that is there: %v", err)
		}
	}
	tidy(t, s)
}

func TestPutRefusesOtherBytes(t *testing.T) {
	s := newStore(t, 1<<30)
	d := Of([]byte("right"))
	broken := errors.New("broken")
	for _, c := range []struct {
		fact string
		r    io.Reader
		err  string
	}{
		{"other bytes", strings.NewReader("wrong"), "blob " + d.String() + ": found bytes with digest " + Of([]byte("wrong")).String()},
		{"fewer bytes", strings.NewReader("righ"), "found bytes with digest " + Of([]byte("righ")).String()},
		{"more bytes", strings.NewReader("right or wrong"), "found more than 5 bytes"},
		{"endless bytes", endless{}, "found more than 5 bytes"},
		{"a reader that fails", io.MultiReader(strings.NewReader("ri"), iotest.ErrReader(broken)), "broken"},
	} {
		err := s.PutDigest(t.Context(), d, c.r)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, expected %q", c.fact, err, c.err)
		}
		if s.Has(d) {
			t.Errorf("%s: the blob is in the store", c.fact)
		}
	}
	if err := s.PutDigest(t.Context(), Digest{"../../x", 1}, strings.NewReader("x")); err == nil {
		t.Error("a digest with a path was put")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Put(ctx, endless{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Put: %v", err)
	}
	tidy(t, s)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestDamagedBlobs(t *testing.T) {
	data := bytesOf(1, 10_000)
	for _, c := range []struct {
		fact   string
		damage func(name string) error
	}{
		{"a bit that flipped", func(name string) error {
			changed := bytes.Clone(data)
			changed[5000] ^= 1
			return os.WriteFile(name, changed, 0o644)
		}},
		{"a file that was cut off", func(name string) error { return os.Truncate(name, 9999) }},
		{"an empty file", func(name string) error { return os.Truncate(name, 0) }},
		{"a link", func(name string) error { return errors.Join(os.Remove(name), os.Symlink("/etc/passwd", name)) }},
		{"a folder", func(name string) error { return errors.Join(os.Remove(name), os.MkdirAll(name+"/a", 0o755)) }},
	} {
		for _, earlier := range []bool{false, true} {
			s := newStore(t, 0)
			d := put(t, s, data)
			if earlier {
				if _, err := read(s, d); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(s.path(d), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := c.damage(s.path(d)); err != nil {
				t.Skip(err)
			}
			if _, err := read(s, d); !errors.Is(err, fs.ErrNotExist) && c.fact != "a link" || err == nil {
				t.Errorf("%s, read before %v: error %v, expected %v", c.fact, earlier, err, fs.ErrNotExist)
			}
			if _, err := s.Read(d, 1<<20); err == nil {
				t.Errorf("%s: Read gave it", c.fact)
			}
			if s.Has(d) {
				t.Errorf("%s: the store still has the blob", c.fact)
			}
			put(t, s, data)
			if got, err := read(s, d); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: after it was put again: %v", c.fact, err)
			}
		}
	}
}

// TestEviction uses blobs of a block each in a store for ten.
func TestEviction(t *testing.T) {
	s := newStore(t, 10*block)
	var blobs []Digest
	add := func() Digest {
		t.Helper()
		d := put(t, s, bytesOf(uint64(len(blobs)), block))
		blobs = append(blobs, d)
		// The file system's clock may be coarse.
		at := time.Now().Add(time.Duration(len(blobs)-1000) * time.Second)
		if err := os.Chtimes(s.path(d), at, at); err != nil {
			t.Fatal(err)
		}
		return d
	}
	there := func() string {
		var text strings.Builder
		for _, d := range blobs {
			_, err := os.Stat(s.path(d))
			fmt.Fprint(&text, map[bool]string{true: "x", false: "."}[err == nil])
		}
		return text.String()
	}
	expect := func(fact, expected string) {
		t.Helper()
		if got := there(); got != expected {
			t.Errorf("%s: %s, expected %s", fact, got, expected)
		}
	}
	for range 10 {
		add()
	}
	expect("ten blobs fit", "xxxxxxxxxx")
	lease, err := s.Lease(t.Context(), blobs[1], blobs[3])
	if err != nil {
		t.Fatal(err)
	}
	s.Has(blobs[0])
	add()
	expect("the oldest go, but not those used or leased", "xx.x.xxxxxx")
	lease.Release()
	lease.Release()
	add()
	add()
	expect("released ones go", "x....xxxxxxxx")
	all, err := s.Lease(t.Context(), blobs...)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil && len(blobs) < 30 {
		_, err = s.PutBytes(t.Context(), bytesOf(uint64(len(blobs)), block))
		blobs = append(blobs, Of(bytesOf(uint64(len(blobs)), block)))
		if err == nil {
			_, err = s.Lease(t.Context(), blobs...)
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Errorf("a blob beyond leases: %v, expected %v", err, ErrFull)
	}
	all.Release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	add()
	if _, err := s.PutBytes(t.Context(), bytesOf(99, 10*block+1)); !errors.Is(err, ErrFull) {
		t.Errorf("a blob larger than the store: %v, expected %v", err, ErrFull)
	}
	if _, err := s.Put(t.Context(), bytes.NewReader(bytesOf(99, 11*block))); !errors.Is(err, ErrFull) {
		t.Errorf("a blob of unknown size larger than the store: %v, expected %v", err, ErrFull)
	}
	tidy(t, s)
}

// TestMain runs this program as another process of a store.
func TestMain(m *testing.M) {
	if dir := os.Getenv("BLOB_TEST_STORE"); dir != "" {
		if err := otherProcess(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// otherProcess puts and reads the blobs of TestProcesses, leases the first, and then
// waits for the end of its input.
func otherProcess(dir string) error {
	s, err := Open(dir, 64*block)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.Lease(ctx, Of(bytesOf(0, 100))); err != nil {
		return err
	}
	if err := putAndRead(ctx, s); err != nil {
		return err
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	return nil
}

// putAndRead puts more blobs than fit, several times, and reads each while it has a
// lease.
func putAndRead(ctx context.Context, s *Store) error {
	for i := range 300 {
		data := bytesOf(uint64(i%100), 100)
		lease, err := s.Lease(ctx, Of(data))
		if err != nil {
			return err
		}
		d, err := s.PutBytes(ctx, data)
		if err != nil {
			return err
		}
		if got, err := read(s, d); err != nil || !bytes.Equal(got, data) {
			return fmt.Errorf("blob %d: %w", i, err)
		}
		lease.Release()
	}
	return nil
}

func TestProcesses(t *testing.T) {
	s := newStore(t, 64*block)
	start := func() (wait func() error, kill func()) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "BLOB_TEST_STORE="+s.dir)
		stdin, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { stdin.Close(); c.Process.Kill(); c.Wait() })
		return func() error {
				line := make([]byte, 1000)
				n, _ := io.ReadAtLeast(out, line, len("ready\n"))
				if text := string(line[:n]); text != "ready\n" {
					return errors.New(text)
				}
				return nil
			}, func() {
				c.Process.Kill()
				c.Wait()
			}
	}
	wait, kill := start()
	wait2, kill2 := start()
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			if err := putAndRead(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, wait := range []func() error{wait, wait2} {
		if err := wait(); err != nil {
			t.Fatal("another process: ", err)
		}
	}
	first := Of(bytesOf(0, 100))
	fill := func() {
		for i := range 100 {
			put(t, s, bytesOf(uint64(1000+i), 100))
		}
	}
	fill()
	if !s.Has(first) {
		t.Error("a blob was removed that other processes have leases for")
	}
	kill()
	kill2()
	fill()
	at := time.Now().Add(-time.Hour)
	os.Chtimes(s.path(first), at, at)
	for i := range 100 {
		put(t, s, bytesOf(uint64(2000+i), 100))
	}
	if s.Has(first) {
		t.Error("a lease outlived its process")
	}
	if files, total, err := s.files(); err != nil || total > 64*block {
		t.Errorf("the store has %d files of %d bytes, expected at most %d: %v", len(files), total, 64*block, err)
	}
	tidy(t, s)
}

func TestConcurrentPuts(t *testing.T) {
	s := newStore(t, 1<<30)
	data := bytesOf(1, 3<<20)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if d, err := s.Put(t.Context(), bytes.NewReader(data)); err != nil || d != Of(data) {
				t.Errorf("Put = %v, %v", d, err)
			}
			if got, err := read(s, Of(data)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("read: %v", err)
			}
		})
	}
	group.Wait()
	if files, _, err := s.files(); err != nil || len(files) != 1 {
		t.Errorf("%d files, expected 1: %v", len(files), err)
	}
	tidy(t, s)
}

// TestBound puts blobs of all sizes at once, and watches the bytes on the disk.
func TestBound(t *testing.T) {
	const most = 2 << 20
	s := newStore(t, most)
	done := make(chan struct{})
	var writers, watcher sync.WaitGroup
	watcher.Go(func() {
		for {
			_, total, err := s.files()
			drafts, err2 := os.ReadDir(filepath.Join(s.dir, "drafts"))
			for _, d := range drafts {
				if info, err := d.Info(); err == nil {
					total += info.Size()
				}
			}
			// A draft that was renamed between both lists is counted twice.
			if err != nil || err2 != nil || total > most+8*300_000 {
				t.Errorf("%d bytes, expected at most %d: %v, %v", total, most, err, err2)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for w := range 8 {
		writers.Go(func() {
			for i := range 30 {
				data := bytesOf(uint64(100*w+i), (w*37+i*10_007)%300_000)
				if _, err := s.Put(t.Context(), bytes.NewReader(data)); err != nil && !errors.Is(err, ErrFull) {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	watcher.Wait()
	if _, total, err := s.files(); err != nil || total > most || total < most/2 {
		t.Errorf("%d bytes in the end, expected at most %d and not much less: %v", total, most, err)
	}
	tidy(t, s)
	if _, err := s.Put(t.Context(), endless{}); !errors.Is(err, ErrFull) {
		t.Errorf("an endless blob: %v, expected %v", err, ErrFull)
	}
	tidy(t, s)
}

func TestMissing(t *testing.T) {
	s := newStore(t, 0)
	a, b, c := put(t, s, []byte("a")), Of([]byte("b")), Of([]byte("c"))
	if diff := cmp.Diff([]Digest{c, b}, s.Missing([]Digest{c, a, b, c, a})); diff != "" {
		t.Errorf("Missing (-expected +found):\n%s", diff)
	}
}

func TestRemovesOldDrafts(t *testing.T) {
	s := newStore(t, 0)
	draft, err := s.draft()
	if err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(s.dir, "drafts", "dead")
	if err := os.WriteFile(dead, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{dead, draft.Name()} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	s.removeDrafts()
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the draft of a process that has ended is left")
	}
	if _, err := os.Stat(draft.Name()); err != nil {
		t.Errorf("a draft that is being written: %v", err)
	}
	draft.Discard()
}

// TestPutHeals puts a blob whose file was damaged since it was last read.
func TestPutHeals(t *testing.T) {
	s := newStore(t, 0)
	d := put(t, s, []byte("right"))
	if err := errors.Join(os.Chmod(s.path(d), 0o644), os.WriteFile(s.path(d), []byte("wrong"), 0)); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("right"))
	if got, err := read(s, d); string(got) != "right" {
		t.Errorf("the blob is %q: %v", got, err)
	}
}

// TestTreesLargerThanStores checks that a tree is complete or an error, and that a
// fetched one stays while it has its lease.
func TestTreesLargerThanStores(t *testing.T) {
	files := func(n int) fstest.MapFS {
		fsys := fstest.MapFS{}
		for i := range n {
			fsys[fmt.Sprint(i)] = &fstest.MapFile{Data: bytesOf(uint64(i), block)}
		}
		return fsys
	}
	there := newStore(t, 0)
	c := serve(t, there, Options{}, nil)
	large, err := treeOf(t, there, files(20))
	if err != nil {
		t.Fatal(err)
	}
	s := newStore(t, 10*block)
	if _, err := treeOf(t, s, files(20)); !errors.Is(err, ErrFull) {
		t.Errorf("PutFolder: %v, expected %v", err, ErrFull)
	}
	if _, err := c.FetchTree(t.Context(), s, large); !errors.Is(err, ErrFull) {
		t.Errorf("FetchTree: %v, expected %v", err, ErrFull)
	}
	small, err := treeOf(t, there, files(5))
	if err != nil {
		t.Fatal(err)
	}
	lease, err := c.FetchTree(t.Context(), s, small)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		put(t, s, bytesOf(uint64(1000+i), block))
	}
	if err := s.Extract(t.Context(), small, filepath.Join(t.TempDir(), "a")); err != nil {
		t.Errorf("Extract while the tree has a lease: %v", err)
	}
	lease.Release()
	for i := range 30 {
		put(t, s, bytesOf(uint64(2000+i), block))
	}
	if s.Has(small) {
		t.Error("the tree stayed after its lease")
	}
}

// What was stored is synced, and again after an error.
func TestSync(t *testing.T) {
	s, err := Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Durable = true
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		defer close(ended)
		s.SyncEvery(ctx, time.Millisecond, func(err error) { t.Error(err) })
	}()
	if _, err := s.PutBytes(ctx, []byte("a")); err != nil {
		t.Fatal(err)
	}
	for s.dirty.Load() {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
	if !osfile.SyncsAll {
		return
	}
	gone := &Store{dir: filepath.Join(t.TempDir(), "gone")}
	gone.dirty.Store(true)
	ctx, cancel = context.WithCancel(t.Context())
	gone.SyncEvery(ctx, time.Millisecond, func(err error) {
		cancel()
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: expected that there is no folder", err)
		}
	})
	if !gone.dirty.Load() {
		t.Error("after an error it is not tried again")
	}
}
