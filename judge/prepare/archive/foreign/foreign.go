// Package foreign reads problem packages of other systems, such as Polygon and DMOJ, as
// packages of the format 2025-09.
//
// A reader makes a [Package], which is a list of files: the metadata, test data and
// settings that problem.Open reads. It runs nothing. What the other format has and this
// one lacks is in [Package.Parts], where every part of the other package is stated as
// carried, equal in effect, or lost.
package foreign

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Format is a format of problem packages.
type Format struct {
	Name  string // such as "Polygon"
	File  string // a folder with a file of this name is a package of the format
	read  func(*draft) error
	other []unusedFiles // what its files that nothing reads are
}

// Formats lists the formats, in the order in which they are detected.
var Formats = []Format{
	{"Polygon", polygonFile, readPolygon, polygonLeftovers},
	{"DMOJ", dmojFile, readDMOJ, nil},
	{"Library Checker", libraryCheckerFile, readLibraryChecker, libraryLeftovers},
	{"CMS", cmsFile, readCMS, cmsLeftovers},
}

// A Package is a problem of the format 2025-09, made of a package of another format.
type Package struct {
	Format  Format
	Files   map[string]archive.File // by name in the new package
	Parts   Parts                   // of the other package
	Changed []archive.Change        // submissions that the new package needs in another form
	Made    []string                // the cases of which judge gen must make files: secret/01
}

// Detect returns the format of the package in a folder or zip, and the folder in it that
// contains the package: "." or the only folder at the top. It returns nil if the source
// is none of [Formats].
func Detect(src *problem.Source) (f *Format, dir string) {
	dirs := []string{"."}
	if entries, err := src.ReadDir("."); err == nil {
		var folders []string
		for _, e := range entries {
			if e.IsDir() && e.Name() != "__MACOSX" && !strings.HasPrefix(e.Name(), ".") {
				folders = append(folders, e.Name())
			}
		}
		if len(folders) == 1 && src.Zip != nil {
			dirs = append(dirs, folders[0])
		}
	}
	for _, dir := range dirs {
		for i, f := range Formats {
			if info, err := src.Stat(path.Join(dir, f.File)); err == nil && info.Mode().IsRegular() {
				return &Formats[i], dir
			}
		}
	}
	return nil, ""
}

// Read reads a package that [Detect] recognized. Errors name the file, the line if it is
// known, what was found and what is expected.
func Read(ctx context.Context, src *problem.Source, o Options) (*Package, error) {
	f, dir := Detect(src)
	if f == nil {
		return nil, problem.Defectf(src.Path, "is of no known format: expected %s", expectedFiles())
	}
	d := &draft{
		src: src, dir: dir, Options: o, files: make(map[string]archive.File), groups: []*group{{}},
		rules: make(map[string]rule), programs: make(map[string][]string), used: make(map[string]bool),
		placed: make(map[string]string),
	}
	err := f.read(d)
	if err == nil {
		err = errors.Join(d.wrong.Errs...)
	}
	if err == nil {
		err = d.finish(ctx)
	}
	if err != nil {
		return nil, err
	}
	d.leftovers(f.other)
	d.losses(f.Name)
	p := &Package{Format: *f, Files: d.files, Parts: d.parts.Parts, Made: d.made}
	if d.changed != nil {
		p.Changed = []archive.Change{{What: d.fileNames(), Files: d.changed}}
	}
	return p, nil
}

// expectedFiles lists the files by which formats are detected.
func expectedFiles() string {
	return strings.Join(terminal.Texts(Formats, func(f Format) string { return fmt.Sprintf("%s (%s)", f.File, f.Name) }),
		" or ")
}
