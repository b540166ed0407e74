package problem

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
)

// writeZip writes a zip with the files in a folder of the archive.
func writeZip(t *testing.T, name string, files fstest.MapFS, below string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: path.Join(below, n), Method: zip.Deflate})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(files[n].Data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestOpenZip(t *testing.T) {
	for _, below := range []string{"", "sum"} {
		name := filepath.Join(t.TempDir(), "sum.zip")
		writeZip(t, name, testkit.Pack(""), below)
		p, err := OpenDir(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.ID != "sum" || len(p.Cases) != 4 || len(p.Submissions) != 2 {
			t.Errorf("below %q: id %s, %d cases, %d submissions", below, p.ID, len(p.Cases), len(p.Submissions))
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if _, err := p.Cases[0].Open(".in"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close, opening an input: %v, expected that the zip is closed", err)
		}
	}
}

// hostileZips returns archives that must be rejected, except those whose want is "".
func hostileZips() []hostileZip {
	raw := func(add func(*zip.Writer)) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		add(w)
		w.Close()
		return b.Bytes()
	}
	one := func(h zip.FileHeader, data []byte) []byte {
		return raw(func(w *zip.Writer) {
			f, _ := w.CreateHeader(&h)
			f.Write(data)
		})
	}
	// Two files at the same offset, that of the first.
	overlapping := raw(func(w *zip.Writer) {
		for _, name := range []string{"a", "b"} {
			f, _ := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			f.Write(make([]byte, 1000))
		}
	})
	const localHeader = 42 // where an entry of the central directory stores the offset of the file
	second := bytes.LastIndex(overlapping, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(overlapping[second+localHeader:], 0)
	// Each file is within the limit for one file.
	many := raw(func(w *zip.Writer) {
		for i := range 100 {
			w.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Deflate, UncompressedSize64: 1 << 20})
		}
	})
	link := zip.FileHeader{Name: "sum/data/secret/1.ans"}
	link.SetMode(fs.ModeSymlink | 0o777)
	device := zip.FileHeader{Name: "sum/data/secret/1.ans"}
	device.SetMode(fs.ModeDevice | 0o666)
	return []hostileZip{
		{"no zip at all", []byte("hello"), "not a zip archive"},
		{"an empty file", nil, "not a zip archive"},
		{"cut off", one(zip.FileHeader{Name: "a"}, []byte("x"))[:20], "not a zip archive"},
		{"climbs out", one(zip.FileHeader{Name: "../evil"}, []byte("x")), "leads outside its folder"},
		{"climbs out in the middle", one(zip.FileHeader{Name: "a/../../evil"}, []byte("x")), "leads outside its folder"},
		{"absolute", one(zip.FileHeader{Name: "/etc/passwd"}, []byte("x")), "leads outside its folder"},
		{"backslashes", one(zip.FileHeader{Name: `..\evil`}, []byte("x")), "leads outside its folder"},
		{"backslashes in the middle", one(zip.FileHeader{Name: `a\..\..\evil`}, []byte("x")), "leads outside its folder"},
		{"mixed separators", one(zip.FileHeader{Name: `a/..\evil`}, []byte("x")), "leads outside its folder"},
		{"a drive", one(zip.FileHeader{Name: `C:\evil`}, []byte("x")), "leads outside its folder"},
		{"a drive with slashes", one(zip.FileHeader{Name: "c:/evil"}, []byte("x")), "leads outside its folder"},
		{"relative to a drive", one(zip.FileHeader{Name: "c:evil"}, []byte("x")), "leads outside its folder"},
		{"absolute with a backslash", one(zip.FileHeader{Name: `\evil`}, []byte("x")), "leads outside its folder"},
		{"another machine", one(zip.FileHeader{Name: `\\host\evil`}, []byte("x")), "leads outside its folder"},
		{"equal but for the separator", raw(func(w *zip.Writer) { w.Create("a/b"); w.Create(`a\b`) }), "a/b: occurs twice"},
		{"equal but for a dot", raw(func(w *zip.Writer) { w.Create("a/b"); w.Create(`a\.\b`) }), "a/b: occurs twice"},
		{"a file and a folder of one name", raw(func(w *zip.Writer) { w.Create("a"); w.Create(`a\b`) }), "a: is a file and also a folder, of a/b"},
		{"a password", one(zip.FileHeader{Name: "1.in", Flags: 1}, []byte("x")), "1.in: is encrypted: expected"},
		{"a name that is not UTF-8", one(zip.FileHeader{Name: "\x83\\1.in"}, []byte("x")), "is not UTF-8: unpack the archive with its code page"},
		{"too deep", one(zip.FileHeader{Name: strings.Repeat("a/", 1000) + "b"}, []byte("x")), "is more than 64 folders deep"},
		{"a link to a file of the machine", one(link, []byte("/etc/passwd")), "symbolic link to /etc/passwd: leads outside the package"},
		{"a link that climbs", one(link, []byte("../../../../x")), "leads outside the package"},
		{"a link to nothing", one(link, []byte("2.ans")), "its target is not in the archive"},
		{"a link to itself", one(link, []byte("1.ans")), "too many levels of symbolic links"},
		{"a link too long", one(link, bytes.Repeat([]byte("a/"), 4000)), "more than 4096 bytes"},
		{"a device", one(device, nil), "neither a file nor a folder"},
		{"a bomb", one(zip.FileHeader{Name: "sum/data/secret/1.in", Method: zip.Deflate}, make([]byte, 64<<20)), ""},
		{"overlapping files", overlapping, "b: shares bytes of the archive with a: a zip bomb"},
		{"many small files", many, "expands from 8002 bytes to 104857600: a zip bomb"},
		{"two packages", raw(func(w *zip.Writer) { w.Create("a/problem.yaml"); w.Create("b/problem.yaml") }), "a second package in the archive; the first is in a"},
		{"named twice", raw(func(w *zip.Writer) { w.Create("a"); w.Create("a") }), "occurs twice"},
	}
}

type hostileZip struct {
	name string
	data []byte
	want string
}

func TestHostileZips(t *testing.T) {
	testkit.InOneGoroutine(t)
	for _, c := range hostileZips() {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "sum.zip")
			if err := os.WriteFile(name, c.data, 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := OpenZip(name)
			if c.want == "" {
				if err != nil {
					t.Fatal("64 MiB of zeros are no bomb yet:", err)
				}
				s.Close()
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("openZip = %v; want …%s…", err, c.want)
			}
		})
	}
}

// TestZipOfBackslashes opens packages whose names have backslashes, or dots that mean
// nothing.
func TestZipOfBackslashes(t *testing.T) {
	for _, c := range []struct {
		fact   string
		rename func(string) string
		warned bool
	}{
		{"backslashes only", func(s string) string { return strings.ReplaceAll(`sum\`+s, "/", `\`) }, true},
		{"both separators", func(s string) string { return `sum/` + strings.Replace(s, "/", `\`, 1) }, true},
		{"a dot first", func(s string) string { return "./" + s }, false},
		{"a backslash after a dot", func(s string) string { return `.\sum\` + s }, true},
		{"two slashes", func(s string) string { return "sum//" + s }, false},
	} {
		files := fstest.MapFS{}
		for name, f := range testkit.Pack("") {
			files[c.rename(name)] = f
		}
		name := filepath.Join(t.TempDir(), "sum.zip")
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		w.Create("./")
		w.Create(`sum\empty\`)
		if !c.warned {
			b.Reset()
			w = zip.NewWriter(&b)
		}
		for _, n := range slices.Sorted(maps.Keys(files)) {
			f, err := w.Create(n)
			if err != nil {
				t.Fatal(err)
			}
			f.Write(files[n].Data)
		}
		w.Close()
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := OpenDir(name)
		if err != nil {
			t.Errorf("%s: %v", c.fact, err)
			continue
		}
		if len(p.Cases) != 4 || len(p.Submissions) != 2 {
			t.Errorf("%s: %d cases, %d submissions", c.fact, len(p.Cases), len(p.Submissions))
		}
		if data, err := fs.ReadFile(p.FS, "data/sample/1.in"); err != nil || len(data) == 0 {
			t.Errorf("%s: an input: %q, %v", c.fact, data, err)
		}
		warned := len(p.Warnings) > 0 && strings.Contains(p.Warnings[0].Error(), "APPNOTE 4.4.17.1")
		if warned != c.warned {
			t.Errorf("%s: warnings %v", c.fact, p.Warnings)
		}
		p.Close()
	}
}

// TestZipBombs opens zips whose headers declare huge sizes.
func TestZipBombs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sum.zip")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 9 {
		// 1 MiB that is declared to expand to 1 GiB.
		f, err := w.CreateRaw(&zip.FileHeader{Name: "sum/" + string(rune('a'+i)), Method: zip.Deflate, CompressedSize64: 1 << 20, UncompressedSize64: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(make([]byte, 1<<20))
	}
	w.Close()
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenZip(name); err == nil || !strings.Contains(err.Error(), "zip bomb") {
		t.Errorf("nine declared gigabytes: %v", err)
	}
	b.Reset()
	w = zip.NewWriter(&b)
	f, _ := w.CreateRaw(&zip.FileHeader{Name: "sum/a", Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: 1 << 30})
	f.Write(make([]byte, 4))
	w.Close()
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenZip(name); err == nil || !strings.Contains(err.Error(), "zip bomb") {
		t.Errorf("four bytes of a gigabyte: %v", err)
	}
}

// TestZipThatLies reads a file that is longer than the archive declares.
func TestZipThatLies(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.zip")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "f", Method: zip.Store, CompressedSize64: 10, UncompressedSize64: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("0123456789")); errors.Join(err, z.Close(), file.Close()) != nil {
		t.Fatal(err)
	}
	s, err := OpenZip(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := s.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := io.ReadAll(f)
	if err == nil || !strings.Contains(err.Error(), "more than the archive says") || len(got) > 4 {
		t.Errorf("read %q, then %v", got, err)
	}
}

// The format allows links to other files of the package.
func TestZipLinks(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{"p/problem.yaml": "x\n", "p/data/secret/1.in": "1\n", "p/shared/a/file": "f\n"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(text))
	}
	for name, to := range map[string]string{"p/data/secret/2.in": "1.in", "p/data/sample": "secret", "p/here": "there/../there", "p/there": "./shared"} {
		h := zip.FileHeader{Name: name}
		h.SetMode(fs.ModeSymlink | 0o777)
		f, err := w.CreateHeader(&h)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(to))
	}
	w.Close()
	name := filepath.Join(t.TempDir(), "p.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := OpenZip(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, want := range map[string]string{"data/secret/2.in": "1\n", "data/sample/2.in": "1\n", "here/a/file": "f\n"} {
		if got, err := fs.ReadFile(s, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	if info, err := fs.Stat(s, "data/sample"); err != nil || !info.IsDir() {
		t.Errorf("data/sample: %v, %v; want the folder it leads to", info, err)
	}
}
