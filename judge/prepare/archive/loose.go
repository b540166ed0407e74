package archive

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
)

// A LooseProblem is a problem made of inputs and answers that belong to no package,
// such as samples downloaded from a contest. It is not on disk.
type LooseProblem struct {
	Problem *problem.Problem // without submissions
	// Of Problem.Cases, in the same order; Answer is "" if there is none: the case then has an
	// empty answer.
	Cases    []ImportedCase
	Left     []string // files that belong to no case
	Warnings []error  // those of Left that look like inputs or answers
}

// ErrNoCases is the error of [Import.Loose] if no file is an input.
var ErrNoCases = errors.New("no inputs: expected names such as 1.in and 1.out, 1.in and 1.ans, sample-1.in, " +
	"input1.txt and output1.txt, in/1.txt and out/1.txt")

// Loose pairs files of fsys by their names and makes a problem of them. All its
// cases are samples. The settings of im are those of a new problem.
func (im Import) Loose(fsys fs.FS, id string, names []string) (*LooseProblem, error) {
	at := func(name string) string { return problem.Where(fsys, name) }
	found, err := pairUp(names, at, false)
	if err != nil {
		return nil, err
	}
	if len(found.pairs) == 0 {
		return nil, ErrNoCases
	}
	withoutFolders(found.pairs)
	cases, err := nameCases(found.pairs, at)
	if err != nil {
		return nil, err
	}
	l, err := im.loose(fsys, id, found.pairs, cases)
	if err == nil {
		l.Left, l.Warnings = found.left, found.unused
	}
	return l, err
}

// IsData reports whether the name of a file looks like that of an input or an answer.
func IsData(name string) bool { return readName(name, func(string) bool { return false }).part }

// LooseInput makes a problem with one input of any name and no answer.
func (im Import) LooseInput(fsys fs.FS, id, name string) (*LooseProblem, error) {
	return im.loose(fsys, id, []pair{{"1", name, ""}}, []string{"1"})
}

// loose makes the problem from pairs and the names of their cases.
func (im Import) loose(fsys fs.FS, id string, pairs []pair, cases []string) (*LooseProblem, error) {
	if err := im.Validate(id, nil); err != nil {
		return nil, err
	}
	files := looseFS{
		held: fstest.MapFS{problem.ProblemFile: {Data: im.metadata(id)}},
		from: fsys, names: make(map[string]string),
	}
	if im.ValidatorArgs != nil {
		files.held["data/sample/"+groupFile] = &fstest.MapFile{Data: im.group()}
	}
	for name, text := range im.Checker {
		files.held["output_validator/"+name] = &fstest.MapFile{Data: text, Mode: 0o755}
	}
	byName := make(map[string]ImportedCase)
	for i, p := range pairs {
		c := ImportedCase{Name: "sample/" + cases[i], Input: p.input, Answer: p.answer}
		byName[c.Name] = c
		for ext, name := range map[string]string{".in": p.input, ".ans": p.answer} {
			files.held["data/"+c.Name+ext] = &fstest.MapFile{}
			if name != "" {
				files.names["data/"+c.Name+ext] = name
			}
		}
	}
	p, err := problem.Open(files, problem.WithLanguages(im.Languages))
	if err != nil {
		return nil, err
	}
	p.ID = id
	l := &LooseProblem{Problem: p}
	for _, c := range p.Cases {
		l.Cases = append(l.Cases, byName[c.Name])
	}
	return l, nil
}

// A looseFS is the package of a [LooseProblem].
type looseFS struct {
	held  fstest.MapFS      // has a file for every name, with contents for those that are not in names
	from  fs.FS             // has the inputs and answers
	names map[string]string // in from, by name in the package
}

// Open opens a file or folder of the package.
func (l looseFS) Open(name string) (fs.File, error) {
	if at, ok := l.names[name]; ok {
		return problem.OpenRegular(l.from, at)
	}
	return l.held.Open(name)
}

// looseFolders are the names of folders beside a program that may contain samples, as
// may those that are roles, such as in.
var looseFolders = []string{"test", "tests", "testcases", "sample", "samples", "example", "examples", "data"}

// maxLoose limits how many files [LooseFiles] lists.
const maxLoose = 10_000

// LooseFiles lists the files of fsys that may be inputs and answers, with those in
// subfolders. If beside is set, the folder also has a program and other things,
// and only subfolders with names such as tests, samples or in are searched.
func LooseFiles(fsys fs.FS, beside bool) (names []string, err error) {
	err = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		top, _, below := strings.Cut(name, "/")
		switch {
		case name == ".":
			return err
		case err != nil, strings.HasPrefix(e.Name(), "."), e.Name() == "__MACOSX":
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			searched := below || slices.Contains(looseFolders, strings.ToLower(top)) || IsData(name+"/1")
			if beside && !searched || strings.Count(name, "/") > osfile.MaxDepth {
				return fs.SkipDir
			}
			return nil
		}
		info, err := fs.Stat(fsys, name) // follows a symbolic link
		if err == nil && info.Mode().IsRegular() {
			if binary, err := problem.IsBinary(fsys, name); err == nil && !binary {
				names = append(names, name)
			}
		}
		if len(names) > maxLoose {
			return errors.New("more than 10,000 files")
		}
		return nil
	})
	return names, err
}
