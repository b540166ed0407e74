package problem

import (
	"errors"
	"io"
	"io/fs"

	"crucible/judge/language"
)

// OpenDir opens the package at a path: a folder, problems/ID of a repository whose
// solutions/ID and testdata/ID contain the rest, or a zip. The result reads files of
// the package when they are needed, so the caller must close it. The error is that
// of [Locate] or of [Open].
func OpenDir(name string, options ...Option) (*Problem, error) {
	s, err := Locate(name)
	if err != nil {
		return nil, err
	}
	p, err := Open(s, options...)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return p, nil
}

// Close closes the files of the package: FS, if it can be closed.
func (p *Problem) Close() error {
	if c, ok := p.FS.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// An Option is a setting of [Open].
type Option func(*Problem)

// WithLanguages makes a table the one in which the languages of the programs are found.
// Without it, it is [language.Builtin].
func WithLanguages(t language.Table) Option { return func(p *Problem) { p.Table = t } }

func newProblem(fsys fs.FS, options []Option) *Problem {
	p := &Problem{FS: fsys}
	for _, set := range options {
		set(p)
	}
	return p
}

// Open reads and checks a package in any version of the format that [Versions]
// lists. It runs no programs. fsys is a [*Source] or any other file system.
//
// If the package has defects, the problem is nil and the error joins all of them,
// each a *[Defect] or *yaml.Error with file and line: judging a package without
// its broken cases could accept wrong submissions. A defect of one submission only
// (an unknown language, an unreadable source) is not an error; it is in Unusable
// or Unreadable of that [Submission].
func Open(fsys fs.FS, options ...Option) (*Problem, error) {
	p := newProblem(fsys, options)
	var found Defects
	if s, ok := fsys.(*Source); ok {
		p.ID, p.Path, found.warnings = s.ID, s.Path, s.Departures()
		if s.Zip != nil && s.Zip.Broken != nil {
			return nil, s.Zip.Broken
		}
	}
	readMetadata(p, &found)
	readLosses(p, &found)
	readDOMjudge(p, &found)
	readPrograms(p, &found)
	checkValidation(p, &found)
	oldGroups(p, &found)
	readData(p, &found)
	readSubmissions(p, &found)
	scoreAsDOMjudge(p, &found)
	if found.Errs == nil {
		checkRules(p, &found)
	}
	readConstantUses(p, &found)
	if p.ID != "" && !PackageName.MatchString(p.ID) {
		found.warnf(p.Path, "problem id %q: expected lowercase letters and digits only", p.ID)
	}
	p.Warnings, p.Doubts = found.warnings, found.doubts
	if found.Errs != nil {
		return nil, errors.Join(found.Errs...)
	}
	return p, nil
}

// OpenWithoutData reads a package except its cases, which need not be generated yet.
// The error joins the defects of problem.yaml and of the validators; those of
// submissions are not reported. The problem is not nil, even with an error.
func OpenWithoutData(fsys fs.FS, options ...Option) (*Problem, error) {
	p := newProblem(fsys, options)
	if s, ok := fsys.(*Source); ok {
		p.ID, p.Path = s.ID, s.Path
	}
	var found Defects
	readMetadata(p, &found)
	readPrograms(p, &found)
	checkValidation(p, &found)
	err := errors.Join(found.Errs...)
	if err == nil {
		readSubmissions(p, &found)
	}
	return p, err
}

// WithData returns a copy of the problem with the cases that fsys has in data/. The
// error joins all defects of the cases.
func (p *Problem) WithData(fsys fs.FS) (*Problem, error) {
	with := *p
	with.FS = fsys
	var found Defects
	readData(&with, &found)
	return &with, errors.Join(found.Errs...)
}
