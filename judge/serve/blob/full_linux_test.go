package blob

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

// TestFullDisk has a store on a file system of 1 MiB, which fills while blobs and trees
// are written.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("blob-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("mounting a file system needs root: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	s, err := Open(filepath.Join(dir, "store"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	small := put(t, s, bytesOf(1, 300_000))
	large := bytesOf(2, 1_000_000)
	if _, err := s.Put(t.Context(), bytes.NewReader(large)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Put: %v, expected %v", err, syscall.ENOSPC)
	}
	tidy(t, s)

	elsewhere := newStore(t, 0)
	put(t, elsewhere, large)
	f, err := FolderOf(t.Context(), fstest.MapFS{"large": {Data: large}})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, s, Options{}, nil)
	var p *Problem
	if err := c.UploadTree(t.Context(), f); !errors.As(err, &p) || p.Status != http.StatusInsufficientStorage {
		t.Errorf("UploadTree: %v, expected status 507", err)
	}
	if err := serve(t, elsewhere, Options{}, nil).Fetch(t.Context(), s, Of(large)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Fetch: %v, expected %v", err, syscall.ENOSPC)
	}
	tidy(t, s)

	tree, err := treeOf(t, s, fstest.MapFS{"a": {Data: bytesOf(1, 300_000)}, "b/c": {Data: bytesOf(3, 300_000)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Extract(t.Context(), tree, filepath.Join(dir, "package")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Extract: %v, expected %v", err, syscall.ENOSPC)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("beside the store: %v, %v; expected nothing", left, err)
	}
	if got, err := read(s, small); err != nil || !bytes.Equal(got, bytesOf(1, 300_000)) {
		t.Errorf("an older blob: %v", err)
	}
	if s.Has(Of(large)) {
		t.Error("the large blob is in the store")
	}
	if _, err := s.Open(Of(large)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
}
