package record

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// named creates an empty file with the name of a call.
func named(t testing.TB, folder, when, id string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, when+"-"+id+extension), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	named(t, folder, "20260101T000000.000Z", "bbbb000000")
	named(t, folder, "20260102T000000.000Z", "bbbb111111")
	named(t, folder, "20260103T000000.000Z", "cccc222222")
	file := filepath.Join(t.TempDir(), "last.jsonl")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(file))
	tests := []struct{ name, want, err string }{
		{"last", "cccc222222", ""},
		{"last~", "bbbb111111", ""},
		{"last~0", "cccc222222", ""},
		{"last~2", "bbbb000000", ""},
		{"last~3", "", `"last~3": no such run: expected at most last~2`},
		{"last~-1", "", `"last~-1": no such run: expected last, or last~ and a number`},
		{"last~x", "", `"last~x": no such run: expected last, or last~ and a number`},
		{"c", "cccc222222", ""},
		{"bbbb0", "bbbb000000", ""},
		{"bbbb000000", "bbbb000000", ""},
		{"bbbb0000000", "", `"bbbb0000000": no such run; judge history --all lists them`},
		{"bbbb", "", `"bbbb" names 2 runs, bbbb111111 and bbbb000000 among them: expected more letters`},
		{"d", "", `"d": no such run; judge history --all lists them`},
		{"last.jsonl", "last.jsonl", ""},
		{file, file, ""},
		{"../../etc/passwd0", "", `"../../etc/passwd0": no such run: expected an id from judge history, last, last~1, or a file`},
		{"", "", `"": no such run: expected an id from judge history, last, last~1, or a file`},
	}
	for _, tt := range tests {
		e, err := FindCall(folder, tt.name)
		got := e.Path
		if strings.HasPrefix(got, folder) {
			got = e.ID
		}
		if tt.err != "" && (err == nil || err.Error() != tt.err) {
			t.Errorf("Find(%q): error %v, expected %s", tt.name, err, tt.err)
		} else if tt.err == "" && (err != nil || got != tt.want) {
			t.Errorf("Find(%q) = %q, %v, expected %q", tt.name, got, err, tt.want)
		}
	}
	// FindCall accepts a file of any name; ID and Time are then zero.
	if e, err := FindCall(folder, file); err != nil || e.ID != "" || !e.Time.IsZero() {
		t.Errorf("Find(%q): id %q, time %v, error %v", file, e.ID, e.Time, err)
	}
	if _, err := FindCall(filepath.Join(folder, "none"), "last"); err == nil || !strings.Contains(err.Error(), "none is stored in") {
		t.Errorf("in a folder that is not there: error %v", err)
	}
}

func TestListLeavesOthersFilesAlone(t *testing.T) {
	folder := t.TempDir()
	const good = "20260101T000000.000Z-bbbb000000.jsonl"
	for _, name := range []string{
		good, "notes.txt", ".jsonl", "20260101T000000.000Z-bbbb000000.jsonl~", "20260101T000000.000Z-bbbb00000.jsonl",
		"20260101T000000.000Z-BBBB000000.jsonl", "20260101T000000.000Z-last000000.jsonl", "2026010-T000000.000Z-bbbb000000.jsonl",
		"20260101 000000.000Z-bbbb000000.jsonl", "20260101T000000,000Z-bbbb000000.jsonl",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := Calls(folder)
	if err != nil || len(entries) != 1 || entries[0].Path != filepath.Join(folder, good) {
		t.Errorf("List = %v, %v", entries, err)
	}
	if err := RemoveCall(Entry{Path: filepath.Join(folder, "notes.txt"), ID: entries[0].ID}); err == nil {
		t.Error("a file that is not ours was removed")
	}
	if _, err := os.Stat(filepath.Join(folder, "notes.txt")); err != nil {
		t.Error(err)
	}
	if err := RemoveCall(entries[0]); err != nil {
		t.Error(err)
	}
}

func TestEntriesTellTheirTime(t *testing.T) {
	e, ok := entryOf("20260131T235959.999Z-bbbb000000.jsonl")
	want := time.Date(2026, 1, 31, 23, 59, 59, 999e6, time.UTC)
	if !ok || !e.Time.Equal(want) || e.ID != "bbbb000000" {
		t.Errorf("%v, %v, %s", ok, e.Time, e.ID)
	}
	if !e.Since(want) || !e.Since(want.Add(-time.Hour).Local()) || e.Since(want.Add(time.Millisecond)) {
		t.Error("it did not begin when it began")
	}
}

func TestShown(t *testing.T) {
	of := func(ids ...string) (all []Entry) {
		for _, id := range ids {
			e, ok := entryOf("20260101T000000.000Z-" + id + extension)
			if !ok {
				t.Fatal(id)
			}
			all = append(all, e)
		}
		return all
	}
	tests := []struct {
		fact string
		all  []Entry
		want int
	}{
		{"none", nil, 4},
		{"ids that differ at once", of("bbbb000000", "cccc000000"), 4},
		{"ids that differ later", of("bbbb000000", "cccc000000", "bbbb001000"), 7},
		{"the same id twice", of("bbbb000000", "bbbb000000"), 10},
	}
	for _, tt := range tests {
		if got := Shown(tt.all); got != tt.want {
			t.Errorf("%s: %d letters, expected %d", tt.fact, got, tt.want)
		}
	}
}

func TestFolder(t *testing.T) {
	home := t.TempDir()
	tests := []struct {
		fact           string
		own, xdg, home string
		want           string // "" expects an error
	}{
		{"the user's data folder", "", "/data", home, "/data/crucible/runs"},
		{"its default", "", "", home, home + "/.local/share/crucible/runs"},
		{"a relative one does not count", "", "data", home, home + "/.local/share/crucible/runs"},
		{"one of its own", "/runs", "/data", home, "/runs"},
		{"one of its own without a home", "/runs", "", "", "/runs"},
		{"no home", "", "", "", ""},
		{"none at all", "off", "/data", home, ""},
	}
	if runtime.GOOS != "linux" {
		t.Skip("these are the folders of Linux")
	}
	for _, tt := range tests {
		t.Setenv("CRUCIBLE_HISTORY", tt.own)
		t.Setenv("XDG_DATA_HOME", tt.xdg)
		t.Setenv("HOME", tt.home)
		got, err := HistoryFolder()
		if got != tt.want && err == nil || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, error %v; expected %q", tt.fact, got, err, tt.want)
		}
	}
}

func TestIDsAreUnlikelyToMeet(t *testing.T) {
	seen := make(map[string]bool)
	for range 10000 {
		id := newID()
		if len(id) != idLength || !IsID(id) || seen[id] {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
}

// many creates a folder of n calls, each of a different problem.
func many(t testing.TB, n int) string {
	folder := t.TempDir()
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		h := head()
		h.Schema, h.ID, h.Time = LogSchema, newID(), when.Add(time.Duration(i)*time.Minute)
		h.Problems[0].ID = fmt.Sprint("sum", i)
		w := &LogWriter{}
		f, err := os.OpenFile(filepath.Join(folder, h.Time.Format(timeLayout)+"-"+h.ID+extension), os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		w.f = f
		for _, l := range []*Line{{Head: h}, begun, ran(0, "sample/1", "AC"), judged(0, "accepted/a.go", "AC", "sample/1"), {End: &End{Runs: 1}}} {
			if err := w.Write(l); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
	}
	return folder
}

// BenchmarkTenThousand measures lists in a folder of ten thousand calls: reading the
// names only, listing twenty calls, and reading every head, with and without a word.
func BenchmarkTenThousand(b *testing.B) {
	folder := many(b, 10000)
	b.Run("names", func(b *testing.B) {
		for b.Loop() {
			f, err := os.Open(folder)
			if err != nil {
				b.Fatal(err)
			}
			names, err := f.Readdirnames(-1)
			if err != nil || len(names) != 10000 {
				b.Fatal(err)
			}
			slices.Sort(names)
			f.Close()
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			entries, err := Calls(folder)
			if err != nil || len(entries) != 10000 || Shown(entries) < leastShown {
				b.Fatal(err)
			}
			for _, e := range entries[:20] {
				if g, err := e.Summary(); err != nil || g.State != Ended {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("heads", func(b *testing.B) {
		for b.Loop() {
			entries, err := Calls(folder)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if _, err := e.Head(nil); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			entries, err := Calls(folder)
			if err != nil {
				b.Fatal(err)
			}
			found := 0
			for _, e := range entries {
				h, err := e.Head([][]byte{[]byte("sum999")})
				if err != nil {
					b.Fatal(err)
				}
				if h != nil {
					found++
				}
			}
			if found != 11 { // sum999 and sum9990 to sum9999
				b.Fatal(found)
			}
		}
	})
}
