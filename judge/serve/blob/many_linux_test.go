package blob

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
)

// TestManyFiles sends a folder of 100,000 small files, of 5,000 kinds, to a server and
// writes it. It uses a file system in memory, because creating a file on a busy disk can
// take a millisecond.
func TestManyFiles(t *testing.T) {
	testkit.InMatrix(t)
	if testkit.Raced {
		t.Skip("100,000 files take too long")
	}
	dir := t.TempDir()
	if err := syscall.Mount("blob-test", dir, "tmpfs", 0, "size=1g"); err != nil {
		t.Skip("mounting a file system needs root: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	files := fstest.MapFS{}
	for i := range 100_000 {
		files[fmt.Sprintf("data/secret/%02d/%05d.in", i%100, i)] = &fstest.MapFile{Data: fmt.Append(nil, i%5000)}
	}
	f, err := FolderOf(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	there, err := Open(filepath.Join(dir, "store"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	c := serve(t, there, Options{}, nil)
	if err := c.UploadTree(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTree(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if err := there.Extract(t.Context(), f.Tree, filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	again, err := FolderOf(t.Context(), os.DirFS(filepath.Join(dir, "a")))
	if err != nil || again.Tree != f.Tree {
		t.Errorf("the extracted folder is %v, expected %v: %v", again.Tree, f.Tree, err)
	}
	tidy(t, there)
}
