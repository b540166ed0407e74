package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A disk records the calls of its sync function.
type disk struct {
	times   []time.Duration // of each sync, since the test began
	sizes   []int64         // size of the file at each sync
	folders [][]string
	answer  func() error // nil means no error
}

func (d *disk) sync(began time.Time) func(*os.File, []string) error {
	return func(f *os.File, folders []string) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		d.times, d.sizes, d.folders = append(d.times, time.Since(began)), append(d.sizes, info.Size()), append(d.folders, folders)
		if d.answer != nil {
			return d.answer()
		}
		return nil
	}
}

func TestLinesReachTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d disk
		there := t.TempDir()
		folder := filepath.Join(there, "made", "for", "it")
		w, err := createLog(folder, head(), d.sync(time.Now()))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for _, pause := range []time.Duration{0, 300, 300, 300, 2000, 0, 0, 5000, 100} { // milliseconds
			time.Sleep(pause * time.Millisecond)
			if err := w.Write(ran(0, "sample/1", "AC")); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		// The head; the lines of the second after it; a line after a pause and the lines of
		// the second after it; a line after a pause; and the last lines, at Close.
		want := []time.Duration{0, 1000, 2900, 3900, 7900, 8000}
		for i := range want {
			want[i] *= time.Millisecond
		}
		if diff := cmp.Diff(want, d.times); diff != "" {
			t.Errorf("brought to the disk (-want +got):\n%s", diff)
		}
		info, err := os.Stat(entries(t, folder)[0].Path)
		if err != nil || d.sizes[len(d.sizes)-1] != info.Size() {
			t.Errorf("%d bytes are on the disk at last, expected all %d; error %v", d.sizes[len(d.sizes)-1], info.Size(), err)
		}
		made := []string{folder, filepath.Dir(folder), filepath.Dir(filepath.Dir(folder)), there}
		if !slices.Equal(d.folders[0], made) || slices.ContainsFunc(d.folders[1:], func(all []string) bool { return len(all) > 0 }) {
			t.Errorf("folders brought to the disk: %v, expected %v once", d.folders, made)
		}
	})
}

func entries(t *testing.T, folder string) []Entry {
	t.Helper()
	all, err := Calls(folder)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d calls, error %v", len(all), err)
	}
	return all
}

func TestDiskThatRefuses(t *testing.T) {
	refuse := func() error { return syscall.EIO }
	for _, c := range []struct {
		fact   string
		writes int
	}{
		{"the next line and Close return it", 2},
		{"Close returns it if there is no next line", 0},
	} {
		t.Run(c.fact, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := disk{answer: refuse}
				w, err := createLog(t.TempDir(), head(), d.sync(time.Now()))
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				for range c.writes {
					if err := w.Write(ran(0, "sample/1", "AC")); !errors.Is(err, syscall.EIO) {
						t.Errorf("Write: %v, expected %v", err, syscall.EIO)
					}
				}
				if err := w.Close(); !errors.Is(err, syscall.EIO) {
					t.Errorf("Close: %v after %d writes, expected %v", err, c.writes, syscall.EIO)
				}
				if len(d.times) != 1 {
					t.Errorf("asked %d times, expected once", len(d.times))
				}
			})
		})
	}
}

func TestDiskThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		d := disk{answer: func() error { <-release; return nil }}
		folder := t.TempDir()
		w, err := createLog(folder, head(), d.sync(time.Now()))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for range 100 {
			if err := w.Write(ran(0, "sample/1", "AC")); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("writing waited %v for the disk", waited)
		}
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "not on the disk after 5s") || time.Since(began) != patience {
			t.Errorf("Close: %v after %v, expected an error after %v", err, time.Since(began), patience)
		}
		close(release)
		if e := entries(t, folder)[0]; len(read(t, e).problems[0].submissions[0].runs) != 1 {
			t.Error("what was written cannot be read")
		}
	})
}

// BenchmarkDisk measures the cost of syncing for a call of a hundred runs, alternately
// with and without syncs: the time of the writes, and the total time with Close.
func BenchmarkDisk(b *testing.B) {
	folder := b.TempDir()
	call := func(sync func(*os.File, []string) error) (writing, whole float64) {
		began := time.Now()
		w, err := createLog(folder, head(), sync)
		if err != nil {
			b.Fatal(err)
		}
		for range 100 {
			if err := w.Write(ran(0, "sample/1", "AC")); err != nil {
				b.Fatal(err)
			}
		}
		writing = time.Since(began).Seconds()
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		whole = time.Since(began).Seconds()
		if err := os.Remove(w.f.Name()); err != nil {
			b.Fatal(err)
		}
		return writing, whole
	}
	none := func(*os.File, []string) error { return nil }
	var times [4][]float64
	for b.Loop() {
		writing, whole := call(syncAll)
		times[0], times[1] = append(times[0], writing), append(times[1], whole)
		writing, whole = call(none)
		times[2], times[3] = append(times[2], writing), append(times[3], whole)
	}
	median := func(i int) float64 {
		slices.Sort(times[i])
		return times[i][len(times[i])/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(0)/median(2), "writing-ratio")
	b.ReportMetric(median(1)/median(3), "whole-ratio")
	b.ReportMetric(1e3*(median(1)-median(3)), "ms-more/call")
}
