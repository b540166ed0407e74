package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

// packTo packs a folder's package and returns the archive.
func packTo(t *testing.T, ctx context.Context, s *problem.Source, to string) ([]byte, *PackResult, error) {
	t.Helper()
	k, err := BeginPack(s, to, false)
	if err != nil {
		return nil, nil, err
	}
	defer k.Abandon()
	p, err := k.Finish(ctx)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(to)
	return data, p, err
}

func folder(t *testing.T, dir string) *problem.Source {
	t.Helper()
	s, err := problem.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var small = map[string]string{
	"problem.yaml": "name: x\n", "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n", "submissions/accepted/a.py": "print(1)\n",
	"statement/problem.en.md": "x\n", ".timelimit": "3\n", "generators/data.sha256": "", "input_validators/v/run": "#!/bin/sh\n",
}

// The same package gives the same bytes, also later, in another layout or from a zip.
func TestPackIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	from := layFiles(t, filepath.Join(dir, "one", "abc"), small)
	os.Chmod(filepath.Join(from, "input_validators/v/run"), 0o755)
	first, p, err := packTo(t, t.Context(), folder(t, from), filepath.Join(dir, "abc.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Files != len(small) || p.Unchanged || p.Bytes != int64(len(first)) || p.Left != nil || p.Large != nil {
		t.Errorf("%+v", p)
	}
	again := layFiles(t, filepath.Join(dir, "two", "abc"), small)
	os.Chmod(filepath.Join(again, "input_validators/v/run"), 0o700)
	os.Chtimes(filepath.Join(again, "problem.yaml"), time.Time{}, time.Unix(1, 0))
	second, p, err := packTo(t, t.Context(), folder(t, again), filepath.Join(dir, "abc.zip"))
	if err != nil || !p.Unchanged || !bytes.Equal(first, second) {
		t.Errorf("packed again: %+v, %v", p, err)
	}
	archive, err := problem.Locate(filepath.Join(dir, "abc.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, whole := range []bool{false, true} {
		root := filepath.Join(dir, map[bool]string{false: "split", true: "whole"}[whole])
		un, err := UnpackOptions{Whole: whole}.Unpack(t.Context(), archive, root)
		if err != nil {
			t.Fatal(err)
		}
		s, err := problem.Locate(un.Folders[len(un.Folders)-1])
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		third, _, err := packTo(t, t.Context(), s, filepath.Join(root, "abc.kpp"))
		if err != nil || !bytes.Equal(first, third) {
			t.Errorf("packed from what was unpacked into %s: other bytes, or %v", root, err)
		}
	}
}

func TestPackedArchive(t *testing.T) {
	dir := t.TempDir()
	from := layFiles(t, filepath.Join(dir, "abc"), small)
	if err := os.Chmod(filepath.Join(from, "input_validators/v/run"), 0o711); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "abc.zip")
	data, _, err := packTo(t, t.Context(), folder(t, from), to)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		if y := f.Modified.UTC().Year(); y != 1980 {
			t.Errorf("%s is of %d", f.Name, y)
		}
		got = append(got, f.Mode().String()+" "+f.Name)
	}
	want := []string{
		"-rw-r--r-- abc/.timelimit", "-rw-r--r-- abc/data/secret/1.ans", "-rw-r--r-- abc/data/secret/1.in",
		"-rw-r--r-- abc/generators/data.sha256", "-rwxr-xr-x abc/input_validators/v/run", "-rw-r--r-- abc/problem.yaml",
		"-rw-r--r-- abc/statement/problem.en.md", "-rw-r--r-- abc/submissions/accepted/a.py",
	}
	if !executableBits(t) {
		t.Skip("no rights to execute here")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// executableBits reports whether the file system stores execute permissions.
func executableBits(t *testing.T) bool {
	name := filepath.Join(t.TempDir(), "x")
	os.WriteFile(name, nil, 0o644)
	os.Chmod(name, 0o755)
	info, err := os.Stat(name)
	return err == nil && info.Mode()&0o100 != 0
}

// After an error or interruption the old files are unchanged and no new files remain.
func TestInterruptedLeavesNothing(t *testing.T) {
	stop := errors.New("stop")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	dir := t.TempDir()
	from := folder(t, layFiles(t, filepath.Join(dir, "abc"), small))
	target := layFiles(t, filepath.Join(dir, "target"), map[string]string{"abc.zip": "mine", "problems/other/problem.yaml": "", "testdata/have/secret/1.in": "1\n", "problems/have/problem.yaml": ""})
	before := contents(t, target)
	pairs := folder(t, layFiles(t, filepath.Join(dir, "pairs"), map[string]string{"5.in": "5\n", "5.out": "5\n"}))
	have, err := problem.Locate(filepath.Join(target, "problems", "have"))
	if err != nil {
		t.Fatal(err)
	}
	defer have.Close()
	k, err := BeginPack(from, filepath.Join(target, "abc.zip"), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		do   func() error
	}{
		{"pack", func() error { _, err := k.Finish(canceled); return err }},
		{"unpack", func() error { _, err := UnpackOptions{}.Unpack(canceled, from, target); return err }},
		{"unpack --whole", func() error { _, err := UnpackOptions{Whole: true}.Unpack(canceled, from, target); return err }},
		{"import, new", func() error {
			_, err := Import{}.Import(canceled, pairs, target, "new", false, nil)
			return err
		}},
		{"import, added", func() error {
			_, err := Import{}.Import(canceled, pairs, target, "have", false, have)
			return err
		}},
	} {
		if err := c.do(); !errors.Is(err, stop) {
			t.Errorf("%s: error %v, want what ended it", c.what, err)
		}
		if diff := cmp.Diff(before, contents(t, target)); diff != "" {
			t.Errorf("%s leaves something behind (-want +got):\n%s", c.what, diff)
		}
	}
}

// An interruption at any time leaves all of the files or none.
func TestInterruptedAnywhere(t *testing.T) {
	dir := t.TempDir()
	from := folder(t, layFiles(t, filepath.Join(dir, "abc"), small))
	for n := range 200 {
		target := layFiles(t, filepath.Join(dir, "target"), map[string]string{"problems/other/problem.yaml": ""})
		before := contents(t, target)
		ctx := &countdown{Context: t.Context(), left: n}
		un, err := UnpackOptions{}.Unpack(ctx, from, target)
		after := contents(t, target)
		if err == nil {
			if len(after) != len(small)+1 || un.Files != len(small) {
				t.Errorf("%d files, want %d: %v", len(after), len(small)+1, after)
			}
			if n < 10 {
				t.Errorf("only %d calls of the context", n)
			}
			return
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("ended at the %dth question (-want +got):\n%s", n, diff)
		}
	}
	t.Error("never ends")
}

// A countdown is a context that ends after a number of calls of its methods.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func (c *countdown) Value(any) any { return nil }

// Links in an archive are followed as in a folder, except cycles.
func TestUnpackLinksOfZips(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, links map[string]string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, n := range slices.Sorted(maps.Keys(small)) {
			f, _ := w.Create("abc/" + n)
			f.Write([]byte(small[n]))
		}
		for _, n := range slices.Sorted(maps.Keys(links)) {
			h := zip.FileHeader{Name: "abc/" + n}
			h.SetMode(fs.ModeSymlink | 0o777)
			f, _ := w.CreateHeader(&h)
			f.Write([]byte(links[n]))
		}
		w.Close()
		at := filepath.Join(dir, name)
		os.WriteFile(at, b.Bytes(), 0o644)
		return at
	}
	for _, c := range []struct {
		name  string
		links map[string]string
		ok    bool
	}{
		{"good.zip", map[string]string{"data/secret/2.in": "1.in", "data/secret/2.ans": "../secret/1.ans", "data/sample": "secret"}, true},
		{"out.zip", map[string]string{"data/secret/2.in": "../../../x"}, false},
		{"around.zip", map[string]string{"data/again": "../data"}, false},
	} {
		s, err := problem.Locate(make(c.name, c.links))
		if err == nil {
			defer s.Close()
			_, err = UnpackOptions{ID: "abc"}.Unpack(t.Context(), s, filepath.Join(dir, c.name+".d"))
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.name, err)
		}
		if !c.ok {
			continue
		}
		for name, want := range map[string]string{"secret/2.in": "1\n", "secret/2.ans": "1\n", "sample/1.in": "1\n"} {
			at := filepath.Join(dir, c.name+".d", "testdata", "abc", filepath.FromSlash(name))
			info, err := os.Lstat(at)
			if err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s: no file, %v", name, err)
				continue
			}
			if data, err := os.ReadFile(at); string(data) != want {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
	}
}

func TestPackWritesWhatLinksLeadTo(t *testing.T) {
	s := testproblem.Located(t, filepath.Join(testkit.Linked(t), "problems", "b"))
	to := filepath.Join(t.TempDir(), "b.zip")
	if _, _, err := packTo(t, t.Context(), s, to); err == nil || !strings.Contains(err.Error(), "passwd.py") {
		t.Fatalf("with a link out of the repository: %v", err)
	}
	dir := filepath.Join(s.Path, "generators", "g")
	for _, name := range []string{"passwd.py", "readme.py"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := packTo(t, t.Context(), s, to); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(to)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if f.Name != "b/generators/g/core.py" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != "shared = 1\n" || !f.Mode().IsRegular() {
			t.Errorf("core.py in the zip: %v %q, %v", f.Mode(), text, err)
		}
		return
	}
	t.Error("the zip has no core.py")
}
