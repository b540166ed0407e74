package problem

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/osfile"
)

// Limits of the search for packages below a folder.
const (
	maxArchiveLevels  = 5
	maxArchiveFolders = 10_000
)

// IsPackage reports whether a folder is a package, as its files say.
func IsPackage(dir string) bool {
	return slices.ContainsFunc(packageFiles, func(name string) bool { return osfile.IsFile(filepath.Join(dir, name)) })
}

// HasPackage reports whether a file system has a package, as its files say.
func HasPackage(fsys fs.FS) bool {
	return slices.ContainsFunc(packageFiles, func(name string) bool {
		_, err := fs.Stat(fsys, name)
		return err == nil
	})
}

// Sources lists the packages below root, sorted by id: the packages of a
// repository, root itself if it is a package, or the zips directly in root and the
// package folders up to five levels below it. If a folder has two packages with
// one id, opening the second returns an error that names both; a zip that the judge
// made beside its package is ignored, and so is one of judge export beside another zip.
func Sources(root string) ([]*Source, error) {
	if IsPackage(root) || !osfile.IsDir(root) {
		s, err := Locate(root)
		if err != nil {
			return nil, err
		}
		return []*Source{s}, nil
	}
	dir := root
	if IsRepository(root) {
		dir = filepath.Join(root, "problems")
	}
	all, level, err := sourcesIn(dir, true)
	if err != nil {
		return nil, err
	}
	for depth, seen := 1, 0; depth < maxArchiveLevels && seen+len(level) <= maxArchiveFolders; depth++ {
		var next []string
		for _, dir := range level {
			found, folders, err := sourcesIn(dir, false)
			if err != nil {
				continue // the user did not name this folder
			}
			all, next = append(all, found...), append(next, folders...)
		}
		seen, level = seen+len(level), next
	}
	if len(all) == 0 {
		return nil, Defectf(root, "no problem package here: expected problem.yaml, a folder problems/, or folders or zips "+
			"of packages")
	}
	slices.SortStableFunc(all, func(a, b *Source) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// sourcesIn lists the packages in a folder, with zips if zips is set, and its
// subfolders that are not packages.
func sourcesIn(dir string, zips bool) (all []*Source, folders []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		var s *Source
		switch {
		case IgnoredName(e.Name()):
			continue
		case osfile.IsDir(name) && filepath.Base(dir) == "problems" && isSplit(filepath.Dir(dir), e.Name()):
			s, err = Split(filepath.Dir(dir), e.Name())
		case IsPackage(name):
			s, err = Folder(name)
		case e.IsDir():
			folders = append(folders, name)
			continue
		case zips && osfile.IsFile(name) && isZip(name):
			s, err = OpenZip(name)
		default:
			continue
		}
		if err != nil {
			s = &Source{ID: trimZip(e.Name()), Path: name, Zip: &ZipFS{Broken: err}}
		}
		if i := slices.IndexFunc(all, func(other *Source) bool { return other.ID == s.ID }); i >= 0 {
			switch other := all[i]; {
			case s.exported() != "", other.Zip == nil && s.Zip != nil && (s.packed() || !HasPackage(s)):
				s.Close() // made of the folder, or a zip of something else beside it
				continue
			case other.exported() != "":
				other.Close()
				all[i] = s
				continue
			}
			second := Defectf(s.Path, "a second problem %q; the first is %s", s.ID, all[i].Path)
			s.Close()
			s = &Source{ID: s.ID, Path: s.Path, Zip: &ZipFS{Broken: second}}
		}
		all = append(all, s)
	}
	return all, folders, nil
}

// Find returns the repository or package that contains dir. If dir is inside a
// problem of a repository, focus is the id of that problem, else "".
func Find(dir string) (root, focus string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	for at, below := abs, ""; ; at, below = filepath.Dir(at), filepath.Join(filepath.Base(at), below) {
		top := at == filepath.Dir(at)
		switch {
		case osfile.IsDir(filepath.Join(at, "problems")) && !top:
			if parts := strings.Split(filepath.ToSlash(below), "/"); len(parts) > 1 &&
				slices.Contains([]string{"problems", "solutions", "testdata"}, parts[0]) {
				focus = parts[1]
			}
			return shorten(at), focus, nil
		case IsPackage(at) && filepath.Base(filepath.Dir(at)) != "problems":
			return shorten(at), "", nil
		}
		if top {
			break
		}
	}
	if s, err := Sources(abs); err == nil {
		for _, one := range s {
			one.Close()
		}
		return shorten(abs), "", nil
	}
	return "", "", fmt.Errorf("%s: no problem package here or above: expected problem.yaml or a folder problems/; "+
		"judge new ID creates a problem", dir)
}

// shorten returns a path relative to the working folder if that is shorter.
func shorten(abs string) string {
	rel, err := filepath.Rel(osfile.Getwd(), abs)
	if err != nil || len(rel) > len(abs) {
		return abs
	}
	return rel
}
