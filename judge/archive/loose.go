package archive

import (
	"crucible/judge/generate"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Loose is a problem made of inputs and answers that lie in no package, as
// downloaded from a contest. It is nowhere on disk.
type Loose struct {
	Problem *problem.Problem
	Cases   []ImportedCase // of Problem.Cases, in the same order; Answer is "" if there is none, and then that of the problem is empty
	Left    []string       // files that are no part of a case
}

// ErrNoCases is the error of [Import.Loose] if no file is an input.
var ErrNoCases = errors.New("no inputs: expected names such as 1.in and 1.out, 1.in and 1.ans, sample-1.in, input1.txt and output1.txt, in/1.txt and out/1.txt")

// Loose pairs files up by their names and makes a problem of them, all of whose
// cases are samples. The settings of im are those of a new problem.
func (im Import) Loose(fsys fs.FS, id string, names []string) (*Loose, error) {
	if err := im.validate(id, nil); err != nil {
		return nil, err
	}
	at := func(name string) string { return problem.Where(fsys, name) }
	pairs, left, err := pairUp(names, at, false)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, ErrNoCases
	}
	withoutFolders(pairs)
	own, err := nameCases(pairs, at)
	if err != nil {
		return nil, err
	}
	l, err := im.loose(fsys, id, pairs, own)
	if err != nil {
		return nil, err
	}
	l.Left = left
	return l, nil
}

// loose makes the problem of pairs and the names of their cases.
func (im Import) loose(fsys fs.FS, id string, pairs []pair, names []string) (l *Loose, err error) {
	l = &Loose{}
	files := map[string]*generate.Made{
		problem.ProblemFile: generate.MadeOf(im.metadata(id)),
	}
	if im.ValidatorArgs != nil {
		files["data/sample/"+problem.Formats[0].GroupFile[0]] = generate.MadeOf(im.group())
	}
	byName := make(map[string]ImportedCase)
	for i, p := range pairs {
		c := ImportedCase{Name: "sample/" + names[i], Input: p.input, Answer: p.answer}
		byName[c.Name] = c
		for ext, name := range map[string]string{".in": p.input, ".ans": p.answer} {
			made := generate.MadeOf(nil)
			if name != "" {
				info, err := fs.Stat(fsys, name)
				if err != nil {
					return nil, err
				}
				made = &generate.Made{Fsys: fsys, Name: name, Size: info.Size()}
			}
			files["data/"+c.Name+ext] = made
		}
	}
	if l.Problem, err = problem.Open(generate.CaseFS{Files: files}); err != nil {
		return nil, err
	}
	l.Problem.ID = id
	for _, c := range l.Problem.Cases {
		l.Cases = append(l.Cases, byName[c.Name])
	}
	return l, nil
}

// LooseFolders are the names of folders in which samples lie beside a program.
var LooseFolders = []string{"test", "tests", "testcases", "sample", "samples", "example", "examples", "data", "in", "out", "input", "inputs", "output", "outputs", "ans", "answers"}

// maxLoose bounds how many files are looked at beside a program.
const maxLoose = 10_000

// LooseFiles lists the files of a folder that may be inputs and answers: all
// that lie in it, and those in its folders, however deep. If beside, a program
// lies there with anything else, and only folders that [LooseFolders] names count.
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
			if beside && !below && !slices.Contains(LooseFolders, strings.ToLower(top)) || strings.Count(name, "/") > osfile.MaxDepth {
				return fs.SkipDir
			}
			return nil
		}
		info, err := fs.Stat(fsys, name) // of what a link leads to
		if err == nil && info.Mode().IsRegular() && !isBinary(fsys, name) {
			names = append(names, name)
		}
		if len(names) > maxLoose {
			return errors.New("more than 10,000 files")
		}
		return nil
	})
	return names, err
}

// isBinary tells a compiled program, such as a.out, from an answer.
func isBinary(fsys fs.FS, name string) bool {
	if ext := strings.ToLower(path.Ext(name)); ext != "" && ext != ".out" && ext != ".exe" {
		return false
	}
	f, err := fsys.Open(name)
	if err != nil {
		return true
	}
	defer f.Close()
	var start [4]byte
	n, _ := f.Read(start[:])
	for _, magic := range []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if strings.HasPrefix(string(start[:n]), magic) {
			return true
		}
	}
	return false
}

// HeldFile is a folder with one file, which is in memory.
func HeldFile(name string, data []byte) fs.FS {
	return generate.CaseFS{Files: map[string]*generate.Made{name: generate.MadeOf(data)}}
}

// LooseInput is a problem with one input, of any name, and no answer.
func (im Import) LooseInput(fsys fs.FS, id, name string) (*Loose, error) {
	if err := im.validate(id, nil); err != nil {
		return nil, err
	}
	return im.loose(fsys, id, []pair{{"1", name, ""}}, []string{"1"})
}
