//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A place is a file or folder of the machine that a program can see, at the same
// path. A view is the list of all places, parents first.
type place struct {
	path string
	kind placeKind
	id   string // distinguishes the file from earlier files at the path
}

type placeKind byte

const (
	readable placeKind = 'r'
	writable placeKind = 'w'
	scratch  placeKind = 's' // a writable private copy
)

type view []place

// text returns the form of a view in messages. It is equal for equal views.
func (v view) text() string {
	var b strings.Builder
	for _, p := range v {
		b.WriteString(p.path)
		b.WriteByte(0)
		b.WriteByte(byte(p.kind))
		b.WriteString(p.id)
		b.WriteByte(0)
	}
	return b.String()
}

// parseView parses the result of text.
func parseView(text string) (v view) {
	fields := strings.Split(text, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		v = append(v, place{fields[i], placeKind(fields[i+1][0]), fields[i+1][1:]})
	}
	return v
}

// view returns the view of a program, without the files that every program sees.
// The error is for paths that do not exist.
func (c *Cmd) view(program, dir string) (view, error) {
	var v view
	add := func(what, path string, kind placeKind) error {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("%s %s: expected an absolute path", what, path)
		}
		var stat unix.Stat_t
		path = filepath.Clean(path)
		if err := unix.Stat(path, &stat); err != nil {
			return fmt.Errorf("%s %s: %w", what, path, err)
		}
		id := make([]byte, 0, 40)
		id = strconv.AppendUint(id, stat.Dev, 36)
		id = append(id, '.')
		id = strconv.AppendUint(id, stat.Ino, 36)
		if stat.Mode&unix.S_IFMT == unix.S_IFREG {
			// A file can be overwritten in place.
			id = append(id, '.')
			id = strconv.AppendInt(id, stat.Ctim.Nano(), 36)
		}
		v = append(v, place{path, kind, string(id)})
		return nil
	}
	for _, path := range c.Writes {
		if err := add("writable path", path, writable); err != nil {
			return nil, err
		}
	}
	for _, path := range c.Reads {
		if err := add("readable path", path, readable); err != nil {
			return nil, err
		}
	}
	kind := readable
	if c.Scratch {
		kind = scratch
	}
	switch err := add("working folder", dir, kind); {
	case errors.Is(err, syscall.ENOENT):
		return nil, fmt.Errorf("working folder %s: %w", dir, syscall.ENOENT)
	case err != nil:
		return nil, err
	}
	// Ignore the error here: starting a missing or invalid program gives a better
	// one.
	add("program", program, readable)
	slices.SortStableFunc(v, func(a, b place) int { return cmp.Compare(a.path, b.path) })

	// Remove places inside a place of the same kind, and files that every program
	// sees. If a path occurs twice, the stronger kind wins.
	var kept view
	for _, p := range v {
		if p.kind == readable && (OfMachine(p.path) || p.path == "/") {
			continue
		}
		if n := len(kept); n > 0 && kept[n-1].path == p.path {
			if kept[n-1].kind == readable {
				kept[n-1] = p
			}
			continue
		}
		over := slices.IndexFunc(kept, func(q place) bool { return strings.HasPrefix(p.path, q.path+"/") })
		nearest := over
		for i := over + 1; over >= 0 && i < len(kept); i++ {
			if strings.HasPrefix(p.path, kept[i].path+"/") {
				nearest = i
			}
		}
		if nearest >= 0 && (kept[nearest].kind == p.kind || p.path == program) && p.kind != scratch {
			continue
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// systemFiles are the patterns of the files in /etc that a program can see: files
// that runtimes read, and nothing about users, hosts or secrets.
var systemFiles = []string{
	"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "os-release", "debian_version",
	"nsswitch.conf", "mime.types", "magic", "inputrc", "terminfo",
	"java*", "python*", "perl", "php", "ruby*", "lua", "mono", "ghc*", "fpc*.cfg", "gnat*", "sbcl*", "R", "erlang",
	"dotnet",
}

// realPath returns the path with symbolic links resolved, or the path itself on
// error.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// isFolder reports whether a path is a folder, after symbolic links.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
