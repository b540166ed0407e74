package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestTree(t *testing.T) {
	s := newStore(t, 0)
	files := fstest.MapFS{
		"problem.yaml":     {Data: []byte("name: x\n"), Mode: 0o644},
		"data/secret/1.in": {Data: bytesOf(1, 600_000), Mode: 0o600},
		"data/secret/2.in": {Mode: 0o644},
		"data-2":           {Data: []byte("<&>é"), Mode: 0o644},
		"build/run":        {Data: []byte("#!/bin/sh\n"), Mode: 0o700},
	}
	d, err := treeOf(t, s, files)
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Read(d, maxTree)
	if err != nil {
		t.Fatal(err)
	}
	expected := fmt.Sprintf(`{"files":[{"path":"build/run","digest":"%s","executable":true},{"path":"data-2","digest":"%s"},`+
		`{"path":"data/secret/1.in","digest":"%s"},{"path":"data/secret/2.in","digest":"%s"},{"path":"problem.yaml","digest":"%s"}]}`,
		Of(files["build/run"].Data), Of(files["data-2"].Data), Of(files["data/secret/1.in"].Data), Of(nil), Of(files["problem.yaml"].Data))
	if diff := cmp.Diff(expected, string(data)); diff != "" {
		t.Errorf("tree (-expected +found):\n%s", diff)
	}

	dir := filepath.Join(t.TempDir(), "package")
	if err := s.Extract(t.Context(), d, dir); err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, f.Data) {
			t.Errorf("%s: %d bytes, expected %d: %v", name, len(got), len(f.Data), err)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if mode := 0o444 | f.Mode&0o100/0o100*0o111; runtime.GOOS != "windows" && (err != nil || info.Mode() != mode) {
			t.Errorf("%s: mode %v, expected %v: %v", name, info.Mode(), mode, err)
		}
	}
	if again, err := treeOf(t, s, os.DirFS(dir)); err != nil || runtime.GOOS != "windows" && again != d {
		t.Errorf("the extracted folder is %v, expected %v: %v", again, d, err)
	}
	if err := s.Extract(t.Context(), d, dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("extracting to a folder that exists: %v, expected %v", err, fs.ErrExist)
	}
	if d, err := treeOf(t, s, fstest.MapFS{}); err != nil || d != Of([]byte(`{"files":[]}`)) {
		t.Errorf("an empty folder: %v, %v", d, err)
	}
	tidy(t, s)
}

// TestExtractedFilesAreCopies writes to an extracted file, as a program without a box
// could.
func TestExtractedFilesAreCopies(t *testing.T) {
	s := newStore(t, 0)
	d, err := treeOf(t, s, fstest.MapFS{"a": {Data: []byte("right")}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a")
	if err := s.Extract(t.Context(), d, dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a")
	if err := errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, []byte("wrong"), 0)); err != nil {
		t.Fatal(err)
	}
	if got, err := read(s, Of([]byte("right"))); string(got) != "right" {
		t.Errorf("the blob is %q: %v", got, err)
	}
}

// TestExtractVerifies damages a blob after it was read, without a trace in its time.
func TestExtractVerifies(t *testing.T) {
	s := newStore(t, 0)
	d, err := treeOf(t, s, fstest.MapFS{"a": {Data: []byte("right")}, "b": {Data: []byte("b")}})
	if err != nil {
		t.Fatal(err)
	}
	right := Of([]byte("right"))
	if _, err := read(s, right); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.path(right))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(s.path(right), 0o644), os.WriteFile(s.path(right), []byte("wrong"), 0),
		os.Chtimes(s.path(right), info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	err = s.Extract(t.Context(), d, filepath.Join(parent, "a"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"a": blob `+right.String()+": damaged") {
		t.Errorf("error %v, expected a damaged blob", err)
	}
	if s.Has(right) {
		t.Error("the damaged blob is in the store")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestExtractBounds(t *testing.T) {
	s := newStore(t, 0)
	large := put(t, s, bytesOf(1, 1000))
	bomb := &Tree{}
	for i := range 100 {
		bomb.Files = append(bomb.Files, File{Path: fmt.Sprintf("%03d", i), Digest: large})
	}
	d, err := s.PutTree(t.Context(), bomb)
	if err != nil {
		t.Fatal(err)
	}
	s.MaxBytes = 99_999
	if err := s.Extract(t.Context(), d, filepath.Join(t.TempDir(), "a")); err == nil || !strings.Contains(err.Error(), `"099": with it there is more than`) {
		t.Errorf("a tree of 100,000 bytes: %v", err)
	}
	s.MaxBytes, s.MaxFiles = 100_000, 99
	if err := s.Extract(t.Context(), d, filepath.Join(t.TempDir(), "a")); err == nil || !strings.Contains(err.Error(), "found 100 files, expected at most 99") {
		t.Errorf("a tree of 100 files: %v", err)
	}
	s.MaxFiles = 100
	if err := s.Extract(t.Context(), d, filepath.Join(t.TempDir(), "a")); err != nil {
		t.Errorf("a tree within the bounds: %v", err)
	}
	overflow := &Tree{Files: []File{{Path: "a", Digest: Digest{large.Hash, 1<<63 - 1}}, {Path: "b", Digest: Digest{large.Hash, 1<<63 - 1}}}}
	if d, err = s.PutTree(t.Context(), overflow); err != nil {
		t.Fatal(err)
	}
	if err := s.Extract(t.Context(), d, filepath.Join(t.TempDir(), "a")); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a tree whose sizes overflow: %v", err)
	}
}

func TestParseTree(t *testing.T) {
	d := Of(nil).String()
	file := func(names ...string) string {
		var files []string
		for _, name := range names {
			files = append(files, fmt.Sprintf(`{"path":%q,"digest":"%s"}`, name, d))
		}
		return `{"files":[` + strings.Join(files, ",") + `]}`
	}
	for _, c := range []struct{ fact, text, err string }{
		{"files", file("a", "b/c", "é"), ""},
		{"dots in names", file("..a", "a..b", "b/...", "c."), ""},
		{"a path upwards", file("../a"), "expected a path below the folder"},
		{"a path upwards inside", file("a/../../b"), "expected a path below the folder"},
		{"an absolute path", file("/etc/passwd"), "expected a path below the folder"},
		{"no path", file(""), "expected a path below the folder"},
		{"the folder itself", file("."), "expected a path below the folder"},
		{"a dot inside", file("a/./b"), "expected a path below the folder"},
		{"a slash at the end", file("a/"), "expected a path below the folder"},
		{"two slashes", file("a//b"), "expected a path below the folder"},
		{"a backslash", file(`a\b`), "no backslash"},
		{"a drive letter", file("c:a"), "no drive letter"},
		{"a NUL", `{"files":[{"path":"a\u0000b","digest":"` + d + `"}]}`, "no NUL"},
		{"a path twice", file("a", "a"), "found twice"},
		{"another order", file("b", "a"), "expected the order of bytes"},
		{"a file that is a folder", file("a", "a-b", "a/b"), "as a file and as a folder"},
		{"a long path", file(strings.Repeat("a", 1025)), "at most 1024 bytes"},
		{"a deep path", file(strings.Repeat("a/", 65) + "a"), "at most 64 nested folders"},
		{"a wrong digest", `{"files":[{"path":"a","digest":"x"}]}`, "tree: file 1: digest"},
		{"no digest", `{"files":[{"path":"a"}]}`, "tree: file 1: digest"},
		{"empty files", `{"files":[{},{}]}`, "tree: file 1: digest"},
		{"null", `null`, `expected a list of files`},
		{"no files", `{}`, `expected a list of files`},
		{"files that are null", `{"files":null}`, `expected a list of files`},
		{"an unknown key", `{"files":[],"x":1}`, "canonical"},
		{"a key twice", `{"files":[],"files":[]}`, "canonical"},
		{"a key in capitals", `{"Files":[]}`, "expected a list of files"},
		{"a key of a file in capitals", strings.Replace(file("a"), "path", "Path", 1), "canonical"},
		{"a space", `{"files": []}`, "canonical"},
		{"a line feed", "{\"files\":[]}\n", "canonical"},
		{"an explicit false", `{"files":[{"path":"a","digest":"` + d + `","executable":false}]}`, "canonical"},
		{"an escape that is not needed", strings.Replace(file("a"), `"a"`, `"\u0061"`, 1), "canonical"},
		{"bytes that are not UTF-8", strings.Replace(file("a"), `"a"`, "\"\xff\"", 1), "canonical"},
		{"nothing", "", "expected a list of files"},
		{"half a tree", file("a")[:60], "unexpected EOF"},
		{"something after the tree", file("a") + "{}", "canonical"},
	} {
		_, err := ParseTree([]byte(c.text))
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s: error %v, expected none", c.fact, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, expected %q", c.fact, err, c.err)
		}
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte(`{"files":[{"path":"a","digest":"` + Of(nil).String() + `","executable":true}]}`))
	f.Add([]byte(`{"files":[{"path":"../a","digest":"` + Of(nil).String() + `"}]}`))
	f.Add([]byte(`{"files":[{"path":"a\\b","digest":"` + Of(nil).String() + `"}]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := ParseTree(data)
		if err != nil {
			return
		}
		again, err := tree.Encode()
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("ParseTree(%q) again as JSON: %q, %v", data, again, err)
		}
		for _, file := range tree.Files {
			joined := filepath.Join(dir, filepath.FromSlash(file.Path))
			if !strings.HasPrefix(joined, dir+string(filepath.Separator)) || !filepath.IsLocal(filepath.FromSlash(file.Path)) {
				t.Errorf("ParseTree(%q): path %q leaves the folder", data, file.Path)
			}
		}
	})
}

func TestTreeOfRefuses(t *testing.T) {
	s := newStore(t, 0)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "b")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	d, err := treeOf(t, s, root.FS())
	if err != nil {
		t.Fatal("a link to a file: ", err)
	}
	tree, err := s.Tree(d)
	if err != nil || len(tree.Files) != 2 || tree.Files[1].Digest != Of([]byte("a")) {
		t.Errorf("a link to a file: %+v, %v", tree, err)
	}
	for name, to := range map[string]string{"upwards": "../../../etc/passwd", "folder": ".", "nowhere": "x"} {
		link := filepath.Join(dir, name)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		if _, err := treeOf(t, s, root.FS()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a link to %s: error %v, expected one that names %s", to, err, name)
		}
		os.Remove(link)
	}
	if _, err := treeOf(t, s, fstest.MapFS{`a\b`: {}}); err == nil || !strings.Contains(err.Error(), "no backslash") {
		t.Errorf("a backslash: %v", err)
	}
}
