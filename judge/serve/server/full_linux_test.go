package server

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// On a full disk, requests that need room are refused with 507 and without paths.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("server-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("mounting a file system needs root: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	s := newSite(t, func(s *Server, _ *pool) {
		store, err := blob.Open(filepath.Join(dir, "blobs"), 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		s.Store, s.Problems.Store, s.Problems.Dir = store, store, filepath.Join(dir, "problems")
	})
	files := testkit.Echo()
	files["data/secret/9.in"] = &fstest.MapFile{Data: make([]byte, 2<<20)} // the zip has room, the file has none
	files["data/secret/9.ans"] = &fstest.MapFile{}
	small := zipped(t, files)
	large := make([]byte, 2<<20)
	put := func(path string, data []byte) (int, string) {
		status, _, answer := s.send("PUT", path+blob.Of(data).String(), bytes.NewReader(data))
		return status, string(answer)
	}
	refused := func(name string, status int, answer string) {
		t.Helper()
		if status != 507 || strings.Contains(answer, dir) {
			t.Errorf("%s: status %d: %s: expected 507 and no path", name, status, answer)
		}
	}
	status, answer := put("/v1/packages/", small)
	refused("a package with a large file", status, answer)
	status, answer = put("/v1/packages/", large)
	refused("a large package", status, answer)
	status, answer = put("/v1/blobs/", large)
	refused("a large blob", status, answer)
	fill, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	fill.Close()
	status, _, text := s.send("POST", "/v1/executions", &api.Execution{Language: "bash", Sources: map[string]string{"a.sh": "cat"}, Stdin: "a"})
	refused("an execution", status, string(text))
	if err := os.Remove(fill.Name()); err != nil {
		t.Fatal(err)
	}
	if status, answer := put("/v1/packages/", zipped(t, testkit.Echo())); status != 201 {
		t.Errorf("with room again: status %d: %s", status, answer)
	}
}
