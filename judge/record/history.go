package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrOff is the error of [HistoryFolder] if the user has turned the history off.
var ErrOff = errors.New("$CRUCIBLE_HISTORY is off: no runs are stored")

// HistoryFolder returns the folder of the stored calls: $CRUCIBLE_HISTORY, or crucible/runs
// in the system's folder for user data. The folder need not exist yet. The error is
// [ErrOff] if the variable is "off".
func HistoryFolder() (string, error) {
	switch dir := os.Getenv("CRUCIBLE_HISTORY"); dir {
	case "":
	case "off":
		return "", ErrOff
	default:
		return filepath.Abs(dir)
	}
	data, err := dataFolder()
	if err != nil {
		return "", err
	}
	return filepath.Join(data, "crucible", "runs"), nil
}

func dataFolder() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios":
		return os.UserConfigDir() // Library/Application Support
	}
	// The XDG Base Directory Specification requires that a relative path is ignored.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}

// An Entry is the file of a call.
type Entry struct {
	Path string // path of the file
	ID   string // id of the call; "" if the name of the file does not contain it
	// Start of the call, with a resolution of a millisecond; zero if the name of the file does
	// not contain it.
	Time time.Time
}

// The file of a call has the name TIME-ID.jsonl.
const (
	extension  = ".jsonl"
	timeLayout = "20060102T150405.000Z"
	idLength   = 10
)

// letters are the characters of ids. They contain no vowels, so no id is a word.
const letters = "0123456789bcdfghjklmnpqrstvwxz"

// entryOf returns the entry of a file; ok is false if its name does not have the
// form TIME-ID.jsonl.
func entryOf(path string) (e Entry, ok bool) {
	name, ok := strings.CutSuffix(filepath.Base(path), extension)
	at, id, _ := strings.Cut(name, "-")
	t, err := time.Parse(timeLayout, at)
	if !ok || len(id) != idLength || !IsID(id) || err != nil || t.Format(timeLayout) != at {
		return Entry{}, false
	}
	return Entry{path, id, t}, true
}

// IsID reports whether s consists only of characters of ids and is not empty, so
// that it may be an id or the start of one.
func IsID(s string) bool { return s != "" && strings.Trim(s, letters) == "" }

// Since reports whether the call began at t or later, with a resolution of a
// millisecond.
func (e Entry) Since(t time.Time) bool { return !e.Time.Before(t.Truncate(time.Millisecond)) }

// Calls returns the calls in a folder, the newest first, without opening their files.
// If the folder does not exist, the list is empty. If the folder cannot be read to the
// end, Calls returns the error and the calls found until then.
func Calls(folder string) ([]Entry, error) {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file, expected the folder of the stored runs ($CRUCIBLE_HISTORY)", folder)
	}
	names, err := f.Readdirnames(-1)
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		if e, ok := entryOf(filepath.Join(folder, name)); ok {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID)) })
	return entries, err
}

// leastShown is the minimum number of displayed characters of an id.
const leastShown = 4

// Shown returns the smallest number of leading characters that makes the ids of the
// entries distinct, at least 4.
func Shown(entries []Entry) int {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	slices.Sort(ids)
	n := leastShown
	for i := 1; i < len(ids); i++ {
		for n < idLength && ids[i-1][:n] == ids[i][:n] {
			n++
		}
	}
	return n
}

// FindCall returns the call of a name in a folder. The name is an id, the unique start of
// an id, "last", or "last~2" for the second call before the last. Any other name is the
// path of a file.
func FindCall(folder, name string) (Entry, error) {
	back, isLast := strings.CutPrefix(name, "last")
	isLast = isLast && (back == "" || back[0] == '~')
	if !isLast && !IsID(name) {
		if _, err := os.Stat(name); err != nil {
			return Entry{}, fmt.Errorf("%q: no such run: expected an id from judge history, last, last~1, or a file", name)
		}
		e, _ := entryOf(name)
		e.Path = name
		return e, nil
	}
	entries, err := Calls(folder)
	switch {
	case err != nil:
		return Entry{}, err
	case len(entries) == 0:
		return Entry{}, fmt.Errorf("%q: no such run: none is stored in %s", name, folder)
	case isLast:
		n := 0
		if back != "" {
			n, err = strconv.Atoi(cmp.Or(back[1:], "1"))
		}
		switch {
		case err != nil || n < 0:
			return Entry{}, fmt.Errorf("%q: no such run: expected last, or last~ and a number", name)
		case n >= len(entries):
			return Entry{}, fmt.Errorf("%q: no such run: expected at most last~%d", name, len(entries)-1)
		}
		return entries[n], nil
	}
	found := slices.DeleteFunc(entries, func(e Entry) bool { return !strings.HasPrefix(e.ID, name) })
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Entry{}, fmt.Errorf("%q: no such run; judge history --all lists them", name)
	}
	return Entry{}, fmt.Errorf("%q names %d runs, %s and %s among them: expected more letters", name, len(found),
		found[0].ID, found[1].ID)
}

// RemoveCall removes a call from its folder. It does not remove a call that is still
// running, or a file whose name [Calls] would ignore: for these it returns an error.
func RemoveCall(e Entry) error {
	if _, ours := entryOf(e.Path); !ours {
		return fmt.Errorf("%s: not removed: it does not have the name of a stored run", e.Path)
	}
	if goesOn(e.Path) {
		return fmt.Errorf("%s: not removed: it goes on", e.ID)
	}
	return os.Remove(e.Path)
}
