package blob

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkStore compares the store with SHA-256 alone, for blobs of three sizes.
// Divide the rates: each of put, get and extract contains one hash.
func BenchmarkStore(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 64 << 20} {
		data := bytesOf(1, size)
		run := func(name string, f func(b *testing.B)) {
			b.Run(strconv.Itoa(size>>10)+"KiB/"+name, func(b *testing.B) {
				b.SetBytes(int64(size))
				f(b)
			})
		}
		run("sha256", func(b *testing.B) {
			for b.Loop() {
				sha256.Sum256(data)
			}
		})
		run("put", func(b *testing.B) {
			s := newStore(b, 0)
			for n := uint64(0); b.Loop(); n++ {
				binary.LittleEndian.PutUint64(data, n) // other bytes each time
				d, err := s.Put(b.Context(), bytes.NewReader(data))
				if err != nil {
					b.Fatal(err)
				}
				if size > 1<<20 { // or the disk would fill
					b.StopTimer()
					os.Remove(s.path(d))
					b.StartTimer()
				}
			}
		})
		s := newStore(b, 0)
		d := put(b, s, data)
		get := func(b *testing.B, fresh bool) {
			for b.Loop() {
				if fresh {
					clear(s.verified)
				}
				f, err := s.Open(d)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, f); err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		}
		run("get-first", func(b *testing.B) { get(b, true) })
		run("get-again", func(b *testing.B) { get(b, false) })
		tree, err := s.PutTree(b.Context(), &Tree{Files: []File{{Path: "a", Digest: d}}})
		if err != nil {
			b.Fatal(err)
		}
		run("extract", func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "a")
			for b.Loop() {
				if err := s.Extract(b.Context(), tree, dir); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				os.RemoveAll(dir)
				b.StartTimer()
			}
		})
		c := serve(b, s, Options{}, nil)
		run("fetch", func(b *testing.B) {
			to := newStore(b, 0)
			for b.Loop() {
				if err := c.Fetch(b.Context(), to, d); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				os.Remove(to.path(d))
				b.StartTimer()
			}
		})
	}
}
