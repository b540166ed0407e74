package problem

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/terminal"
)

// Symbolic links in a zip. The format allows links to other files of the package;
// a zip stores a link as a file that contains its target.

const (
	maxLinkText  = 4096 // bytes
	maxLinkSteps = 40   // as many as Linux follows
)

var errLinkLoop = errors.New("too many levels of symbolic links")

// readLink returns the target of a link in the archive, relative to its folder.
func readLink(f *zip.File) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxLinkText+1))
	if err == nil && len(text) > maxLinkText {
		err = fmt.Errorf("the target has more than %d bytes", maxLinkText)
	}
	return string(text), err
}

// resolve follows the links in a name of the archive, folder by folder. A name
// that leads out of the package is an error.
func (z *ZipFS) resolve(name string) (string, error) {
	done, rest, steps := z.Prefix, name, 0
	if done == "" {
		done = "."
	}
	for rest != "" && rest != "." {
		var first string
		first, rest, _ = strings.Cut(rest, "/")
		switch first {
		case "", ".":
			continue
		case "..":
			if done == "." || done == z.Prefix {
				return "", errors.New("leads outside the package")
			}
			done = path.Dir(done)
			continue
		}
		at := path.Join(done, first)
		to, isLink := z.links[at]
		if !isLink {
			done = at
			continue
		}
		if steps++; steps > maxLinkSteps {
			return "", errLinkLoop
		}
		if path.IsAbs(to) || strings.Contains(to, "\\") || to == "" {
			return "", errors.New("leads outside the package")
		}
		rest = to + "/" + rest
	}
	return done, nil
}

// checkLinks rejects links that leave the package, have no target or form a cycle.
func (z *ZipFS) checkLinks(archive string) error {
	for _, at := range slices.Sorted(maps.Keys(z.links)) {
		name := at
		if z.Prefix != "" {
			var ok bool
			if name, ok = strings.CutPrefix(at, z.Prefix+"/"); !ok {
				continue // outside the package, so it is never read
			}
		}
		to, err := z.resolve(name)
		if err == nil {
			_, err = fs.Stat(z.r, to)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("its target is not in the archive")
		}
		if err != nil {
			return Defectf(archive+":"+terminal.QuoteName(at), "symbolic link to %s: %v", terminal.QuoteName(z.links[at]),
				err)
		}
	}
	return nil
}

// Stat describes the file or folder of that name in the package. It follows links.
func (z *ZipFS) Stat(name string) (fs.FileInfo, error) {
	if z.Broken != nil {
		return nil, z.Broken
	}
	to, err := z.resolve(name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return fs.Stat(z.r, to)
}
