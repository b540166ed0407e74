package history

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

// ErrOff says that the user does not want calls to be stored.
var ErrOff = errors.New("$CRUCIBLE_HISTORY is off: no runs are stored")

// Folder returns where calls are stored: $CRUCIBLE_HISTORY, or crucible/runs in
// the folder that the system has for a user's data. It need not be there yet.
// The error is [ErrOff] if the variable is "off".
func Folder() (string, error) {
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
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("%LocalAppData% is not defined")
	case "darwin", "ios":
		home, err := os.UserHomeDir()
		return filepath.Join(home, "Library", "Application Support"), err
	}
	// A relative path is to be ignored (XDG Base Directory Specification).
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}

// An Entry is the file of a call, known by its name alone.
type Entry struct {
	Path string

	name string // of the file; "" if it is not one of ours
}

const (
	extension  = ".jsonl"
	timeLayout = "20060102T150405.000Z"
	idLength   = 10
	nameLength = len(timeLayout) + 1 + idLength + len(extension)
)

// letters are those of ids: no vowels, so that no id is a word.
const letters = "0123456789bcdfghjklmnpqrstvwxz"

// entryOf returns the entry of a file in the folder; ok is false if its name is
// not one of ours.
func entryOf(folder, name string) (e Entry, ok bool) {
	if len(name) != nameLength || name[len(timeLayout)] != '-' || !strings.HasSuffix(name, extension) {
		return e, false
	}
	e = Entry{Path: filepath.Join(folder, name), name: name}
	if !IsID(e.ID()) {
		return e, false
	}
	for i, want := range []byte(timeLayout) {
		if isDigit := '0' <= name[i] && name[i] <= '9'; isDigit != ('0' <= want && want <= '9') || !isDigit && name[i] != want {
			return e, false
		}
	}
	return e, true
}

// IsID reports whether a text may be an id, or the start of one.
func IsID(s string) bool { return s != "" && strings.Trim(s, letters) == "" }

// ID is the call's; "" if the name of its file does not tell.
func (e Entry) ID() string {
	if e.name == "" {
		return ""
	}
	return e.name[len(timeLayout)+1:][:idLength]
}

// Time is when the call began, to the millisecond; zero if the name of its file
// does not tell.
func (e Entry) Time() time.Time {
	t, _ := time.Parse(timeLayout, e.name[:min(len(e.name), len(timeLayout))])
	return t
}

// Since reports whether the call began at t or later.
func (e Entry) Since(t time.Time) bool { return e.name[:len(timeLayout)] >= t.UTC().Format(timeLayout) }

// List returns the calls in a folder, the newest first. It opens none of them.
// A folder that is not there has none.
func List(folder string) ([]Entry, error) {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file, want the folder of the stored runs ($CRUCIBLE_HISTORY)", folder)
	}
	names, err := f.Readdirnames(-1)
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		if e, ok := entryOf(folder, name); ok {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(b.name, a.name) })
	return entries, err
}

// leastShown is how many letters of an id are shown at least.
const leastShown = 4

// Shown returns how many letters of their ids tell the calls apart.
func Shown(entries []Entry) int {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID()
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

// A NoneError says that there is no such call.
type NoneError struct{ msg string }

func (e *NoneError) Error() string { return e.msg }

// Find returns the call that is named so in a folder: by its id or the start of
// one that no other has, as "last", or as "last~2", the second before the last.
// A name that is no id is the path of a file. The error is a [NoneError] if
// there is none.
func Find(folder, name string) (Entry, error) {
	back, isLast := strings.CutPrefix(name, "last")
	isLast = isLast && (back == "" || back[0] == '~')
	if !isLast && !IsID(name) {
		if _, err := os.Stat(name); err != nil {
			return Entry{}, &NoneError{fmt.Sprintf("%q: no such run: want an id from judge history, last, last~1, or a file", name)}
		}
		e, ours := entryOf(filepath.Dir(name), filepath.Base(name))
		if !ours {
			e.name = ""
		}
		e.Path = name
		return e, nil
	}
	entries, err := List(folder)
	if err != nil {
		return Entry{}, err
	}
	if len(entries) == 0 {
		return Entry{}, &NoneError{fmt.Sprintf("%q: no such run: none is stored in %s", name, folder)}
	}
	if isLast {
		return findLast(entries, name, back)
	}
	found := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !strings.HasPrefix(e.ID(), name) })
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Entry{}, &NoneError{fmt.Sprintf("%q: no such run; judge history --all lists them", name)}
	}
	return Entry{}, &NoneError{fmt.Sprintf("%q names %d runs, %s and %s among them: want more letters", name, len(found), found[0].ID(), found[1].ID())}
}

func findLast(entries []Entry, name, back string) (Entry, error) {
	n := 0
	if back != "" {
		var err error
		if n, err = strconv.Atoi(cmp.Or(back[1:], "1")); err != nil || n < 0 {
			return Entry{}, &NoneError{fmt.Sprintf("%q: no such run: want last, or last~ and a number", name)}
		}
	}
	if n >= len(entries) {
		if len(entries) == 1 {
			return Entry{}, &NoneError{fmt.Sprintf("%q: no such run: 1 is stored", name)}
		}
		return Entry{}, &NoneError{fmt.Sprintf("%q: no such run: %d are stored", name, len(entries))}
	}
	return entries[n], nil
}

// Remove removes a call from its folder. One that goes on is left, which is an
// error, and so is a file that no list had.
func Remove(e Entry) error {
	if _, ours := entryOf(filepath.Dir(e.Path), filepath.Base(e.Path)); !ours {
		return fmt.Errorf("%s: not removed: it does not have the name of a stored run", e.Path)
	}
	if goesOn(e.Path) {
		return fmt.Errorf("%s: not removed: it goes on", e.ID())
	}
	return os.Remove(e.Path)
}
