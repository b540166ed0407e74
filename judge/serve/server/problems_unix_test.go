//go:build unix

package server

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/blob"
)

// put sends a package.
func (s *site) put(data []byte) (status int, digest, answer string) {
	s.t.Helper()
	digest = blob.Of(data).String()
	status, _, text := s.send("PUT", "/v1/packages/"+digest, bytes.NewReader(data))
	return status, digest, string(text)
}

// stuck makes the package of a digest wait for the list of its files when it is opened next.
// Begun waits until the server has begun to open it, and end ends the wait: nobody has the list.
func (s *site) stuck(digest string) (begun, end func()) {
	s.t.Helper()
	s.s.Problems.Close()
	one, err := s.s.Problems.sentAs(s.t.Context(), digest)
	if err == nil {
		err = os.Remove(filepath.Join(s.store, "blobs", one.Tree.Hash[:2], one.Tree.String()))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	asked, ended := make(chan struct{}), make(chan struct{})
	s.s.Problems.Peers = &Peers{Living: func() []Peer { close(asked); <-ended; return nil }}
	return func() { <-asked }, func() { close(ended) }
}

// While a package is opened, requests for others are answered, and it is opened once.
func TestOpeningStopsNobody(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Problems.Package.Time = time.Minute })
	files := testkit.Echo()
	files["attachments/a"] = &fstest.MapFile{} // its list of files is not that of echo
	status, digest, answer := s.put(zipped(t, files))
	if status != http.StatusCreated {
		t.Fatalf("status %d: %s", status, answer)
	}
	begun, end := s.stuck(digest)
	answers := make(chan int)
	for range 2 {
		go func() {
			status, _, _ := s.send("GET", "/v1/problems/"+digest, nil)
			answers <- status
		}()
	}
	begun()
	others := make(chan int, 3)
	go func() {
		for _, path := range []string{"/v1/problems/echo", "/v1/problems/echo"} {
			status, _, _ := s.send("GET", path, nil)
			others <- status
		}
		_, g := s.judge(program("cat"))
		others <- len(g.Verdict)
	}()
	for _, want := range []int{200, 200, len("AC")} {
		select {
		case got := <-others:
			if got != want {
				t.Errorf("another package: %d, expected %d", got, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("other packages wait for the one that is opened")
		}
	}
	end()
	for range 2 {
		if status := <-answers; status != http.StatusNotFound {
			t.Errorf("a package whose list of files is lost: status %d", status)
		}
	}
}

// A package that takes long to open is refused; who asks does not wait for its end.
func TestOpenTime(t *testing.T) {
	s := newSite(t, nil)
	_, digest, _ := s.put(zipped(t, testkit.Echo()))
	begun, end := s.stuck(digest)
	s.s.Problems.Package.Time = 50 * time.Millisecond
	status, _, answer := s.send("GET", "/v1/problems/"+digest, nil)
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(string(answer), "more than 50ms to open") {
		t.Errorf("status %d: %s: expected 413", status, answer)
	}
	begun()
	end()
}

// A package that is too large is refused before it is opened.
func TestPackageLimits(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) {
		s.Problems.Package.Bytes, s.Problems.Package.Cases = 10<<20, 10
	})
	with := func(change func(fstest.MapFS)) []byte {
		files := testkit.Echo()
		change(files)
		return zipped(t, files)
	}
	linked := func() []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		add := func(name string, mode fs.FileMode, data []byte) {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			h.SetMode(mode)
			w, err := z.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(data)
		}
		for name, f := range testkit.Echo() {
			add(name, 0o644, f.Data)
		}
		for n := range 4 {
			add(fmt.Sprintf("data/secret/x%d/a.in", n), 0o644, nil)
			add(fmt.Sprintf("data/secret/x%d/a.ans", n), 0o644, nil)
		}
		for n := range 10 {
			add(fmt.Sprintf("data/secret/y%d", n), 0o777|fs.ModeSymlink, []byte("x0"))
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		name string
		zip  []byte
		want string
	}{
		{"a file of 100 MB that is small in the zip", with(func(f fstest.MapFS) {
			f["data/secret/9.in"] = &fstest.MapFile{Data: make([]byte, 100<<20)}
		}), "more than 10 MiB of files"},
		{"many files that are large together", with(func(f fstest.MapFS) {
			for n := range 11 {
				f[fmt.Sprintf("attachments/%d", n)] = &fstest.MapFile{Data: make([]byte, 1<<20)}
			}
		}), "more than 10 MiB of files"},
		{"a file that claims 9 GiB", bomb(t), "more than 10 MiB of files"},
		{"many cases", with(func(f fstest.MapFS) {
			for n := range 11 {
				f[fmt.Sprintf("data/secret/x%d.in", n)] = &fstest.MapFile{}
				f[fmt.Sprintf("data/secret/x%d.ans", n)] = &fstest.MapFile{}
			}
		}), "more than 10 test cases"},
		{"many cases by links to folders", linked(), "more than 10 test cases"},
	} {
		if status, _, answer := s.put(tt.zip); status != http.StatusRequestEntityTooLarge || !strings.Contains(answer, tt.want) {
			t.Errorf("%s: status %d: %s: expected 413 and %q", tt.name, status, answer, tt.want)
		}
	}
	if status, _, answer := s.put(zipped(t, testkit.Echo())); status != http.StatusCreated {
		t.Errorf("a package of 3 cases: status %d: %s", status, answer)
	}
	if _, err := (&limitedReaderAt{bytes.NewReader(make([]byte, 10)), 9}).ReadAt(make([]byte, 10), 0); err != io.ErrUnexpectedEOF {
		t.Errorf("a directory of 10 bytes: %v", err)
	}
}

// Open packages have a bounded size together: those that nobody uses are closed, and one that
// has no room beside those in use is refused.
func TestOpenPackagesAreBounded(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Problems.Disk = 2500 << 10 })
	var digests []string
	for n := range 6 {
		files := testkit.Echo()
		files["data/secret/9.in"] = &fstest.MapFile{Data: bytes.Repeat([]byte{byte('a' + n)}, 1<<20)}
		files["data/secret/9.ans"] = &fstest.MapFile{}
		data := zipped(t, files)
		digests = append(digests, blob.Of(data).String())
		if status, _, answer := s.send("PUT", "/v1/packages/"+digests[n], bytes.NewReader(data)); status != 201 {
			t.Fatalf("status %d: %s", status, answer)
		}
	}
	onDisk := func() (total int64) {
		t.Helper()
		dirs, _ := filepath.Glob(filepath.Join(s.s.Problems.Dir, "open-*"))
		for _, dir := range dirs {
			filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
				if info, bad := e.Info(); err == nil && bad == nil && !e.IsDir() {
					total += info.Size()
				}
				return nil
			})
		}
		return total
	}
	var used []*pack
	for n, digest := range digests {
		p, err := s.s.Problems.Find(t.Context(), digest)
		if n >= 2 && n < 4 {
			if err == nil || !strings.Contains(err.Error(), "2.441 MiB in all") {
				t.Fatalf("package %d beside two that are in use: %v: expected a refusal", n, err)
			}
			if n == 3 {
				for _, one := range used {
					one.close()
				}
			}
			continue
		}
		if err != nil {
			t.Fatalf("package %d: %v", n, err)
		}
		if total := onDisk(); total > 2500<<10 {
			t.Errorf("%d bytes of open packages: expected at most 2500 KiB", total)
		}
		used = append(used, p)
	}
}
