package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// settings returns the settings of the problem that is made from loose samples.
func (f *testFlags) settings() archive.Import {
	return archive.Import{TimeLimit: cmp.Or(f.timeLimit, looseTime), Memory: cmp.Or(f.memory, looseMemory),
		ValidatorArgs: f.rules(), Checker: f.validator, Languages: f.languages}
}

// Bounds of the files of --checker.
const (
	maxChecker     = 4 << 20 // bytes of each file
	maxCheckerFile = 100
)

// readChecker reads the files of --checker: those of a folder, or a file and the headers
// beside it, which it may include.
func (f *testFlags) readChecker() error {
	if f.checker == "" {
		return nil
	}
	dir, only := filepath.Split(filepath.Clean(f.checker))
	if osfile.IsDir(f.checker) {
		dir, only = f.checker, ""
	} else if _, err := os.Stat(f.checker); err != nil {
		return fmt.Errorf("--checker %s: %w", terminal.Clean(f.checker), osfile.Cause(err))
	}
	fsys := os.DirFS(cmp.Or(dir, "."))
	f.validator = make(map[string][]byte)
	return fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("--checker: %w", err)
		case e.IsDir() && only != "" && name != ".":
			return fs.SkipDir
		case e.IsDir(), only != "" && name != only && path.Ext(name) != ".h":
			return nil
		case len(f.validator) == maxCheckerFile:
			return fmt.Errorf("--checker %s: more than %d files", terminal.Clean(f.checker), maxCheckerFile)
		}
		file, err := problem.OpenRegular(fsys, name)
		if err != nil {
			return fmt.Errorf("--checker: %w", err)
		}
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, maxChecker+1))
		if err == nil && len(data) > maxChecker {
			err = fmt.Errorf("more than %d MiB", maxChecker>>20)
		}
		if err != nil {
			return fmt.Errorf("--checker: %s: %w", terminal.Clean(name), err)
		}
		f.validator[name] = data
		return nil
	})
}

// looseTest makes a test of a program and samples that belong to no package.
func (f *testFlags) looseTest(file string) (test, error) {
	if _, err := os.Stat(file); err != nil {
		return test{}, err
	}
	l, from, err := f.loose(file)
	if err != nil {
		return test{}, err
	}
	return newTest(file, l, from)
}

// maxUnused is the maximum number of printed files that are not used.
const maxUnused = 20

// maxPrograms is the maximum number of programs in a folder whose samples are recognized.
const maxPrograms = 1000

// warnUnused names the files that look like samples and are not used, once.
func warnUnused(e *Env, tests []test) {
	var warnings []string
	for _, t := range tests {
		if t.loose == nil {
			continue
		}
		for _, w := range t.loose.Warnings {
			if !slices.Contains(warnings, w.Error()) {
				warnings = append(warnings, w.Error())
			}
		}
	}
	for _, w := range AtMost(maxUnused, warnings) {
		Warn(e, errors.New(w))
	}
}

// newTest makes a test of a program and samples from a folder or zip.
func newTest(file string, l *archive.LooseProblem, from string) (test, error) {
	dir, base := filepath.Split(filepath.Clean(file))
	submission, err := problem.NewSubmission(l.Problem, os.DirFS(cmp.Or(dir, ".")), base)
	return test{file, submission, l, from}, err
}

// loose finds the samples of a program: in --data, or otherwise beside it, in the
// working folder, or in a zip there. It returns also the folder or zip.
func (f *testFlags) loose(file string) (l *archive.LooseProblem, from string, err error) {
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if f.data != "" {
		info, err := os.Stat(f.data)
		if ext := filepath.Ext(f.data); err == nil && !info.IsDir() && ext != ".zip" && ext != ".kpp" {
			err = errors.New("expected a folder or a .zip with samples")
		}
		if err != nil {
			return nil, "", fmt.Errorf("--data %s: %w", terminal.Clean(f.data), osfile.Cause(err))
		}
		s, err := Locate(f.data)
		if err != nil {
			return nil, "", err
		}
		f.closers = append(f.closers, func() { s.Close() })
		if l, err = f.looseIn(s, f.data, stem, false); err != nil {
			err = fmt.Errorf("%s: %w", terminal.Clean(f.data), err)
		}
		return l, f.data, err
	}
	folders := []string{filepath.Dir(filepath.Clean(file)), "."}
	if osfile.IsDir(file) {
		folders = append([]string{filepath.Clean(file)}, folders...)
	}
	for _, dir := range slices.Compact(folders) {
		if l, err = f.looseIn(os.DirFS(dir), dir, stem, true); !errors.Is(err, archive.ErrNoCases) {
			return l, dir, err
		}
	}
	for _, dir := range slices.Compact(folders) {
		if l, from = f.looseZip(dir, stem); l != nil {
			return l, from, nil
		}
	}
	return nil, "", archive.ErrNoCases
}

// looseIn finds the samples in a folder or zip. beside means that the folder is that
// of the program, and may have other files.
func (f *testFlags) looseIn(fsys fs.FS, from, stem string, beside bool) (*archive.LooseProblem, error) {
	names, err := archive.LooseFiles(fsys, beside)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", terminal.Clean(from), err)
	}
	own := names
	if beside {
		own = ofProgram(names, stem)
	}
	l, err := f.settings().Loose(fsys, "samples", own)
	if err != nil {
		return nil, err
	}
	if s, ok := fsys.(*problem.Source); ok {
		l.Warnings = append(l.Warnings, s.Departures()...)
	}
	lacks := func(c archive.ImportedCase) bool { return c.Answer == "" }
	if len(own) < len(names) && slices.ContainsFunc(l.Cases, lacks) {
		// A program may be named as its input: input.py, input.txt and output.txt.
		if all, err := f.settings().Loose(fsys, "samples", names); err == nil && !slices.ContainsFunc(all.Cases, lacks) {
			own, l = names, all
		}
	}
	if len(own) < len(names) {
		l.Warnings = append(l.Warnings, strays(fsys, names, stem)...)
	}
	return l, nil
}

// strays names the files that look like samples, but whose names do not begin with that of
// the program or of another program in their folder.
func strays(fsys fs.FS, names []string, stem string) (warnings []error) {
	programs := []string{stem}
	for _, name := range names {
		if l, _ := language.Builtin.Of([]string{name}); l != nil && len(programs) < maxPrograms {
			programs = append(programs, strings.TrimSuffix(path.Base(name), path.Ext(name)))
		}
	}
	for _, name := range names {
		of := func(stem string) bool { return begins(name, stem) }
		if archive.IsData(name) && !slices.ContainsFunc(programs, of) {
			const why = "is not used: other samples here begin with %s, as the program does"
			warnings = append(warnings, fmt.Errorf("%s: "+why, problem.Where(fsys, name), stem))
		}
	}
	return warnings
}

// looseZip returns the samples of a zip in a folder that is no package, and its name.
// It prefers a zip whose name begins with the name of the program; nil if there is
// none.
func (f *testFlags) looseZip(dir, stem string) (found *archive.LooseProblem, from string) {
	zips, _ := fs.Glob(os.DirFS(dir), "*.zip") // the pattern is valid
	for _, base := range zips {
		name := filepath.Join(dir, base)
		s, err := problem.Locate(name)
		if err != nil || found != nil && !strings.HasPrefix(base, stem) {
			continue
		}
		f.closers = append(f.closers, func() { s.Close() })
		if l, err := f.looseIn(s, name, stem, false); err == nil && !problem.HasPackage(s) {
			found, from = l, name
		}
	}
	return found, from
}

// ofProgram returns the files whose names begin with the name of the program, or all
// files if there are none: for a.cpp, a1.in of a1.in and b1.in.
func ofProgram(names []string, stem string) []string {
	own := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !begins(name, stem) ||
			!archive.IsData(name)
	})
	if len(own) == 0 {
		return names
	}
	return own
}

// begins reports whether the name of a file is the stem and something more, which does
// not begin with a letter.
func begins(name, stem string) bool {
	rest, ok := strings.CutPrefix(path.Base(name), stem)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && rest != "" && !unicode.IsLetter(first)
}

// head describes the loose samples of a test and its limits.
func (t *test) head(limits problem.Limits) string {
	var names []string
	for _, c := range t.loose.Cases {
		names = append(names, c.Input+" "+cmp.Or(c.Answer, "without an answer"))
	}
	where := "in " + t.from
	if t.from == "." {
		where = "in this folder"
	}
	return fmt.Sprintf("%s %s: %s; time limit %s, memory limit %s", terminal.Count(len(names), "sample"), where,
		strings.Join(AtMost(4, names), ", "), terminal.Exactly(limits.Time), terminal.Bytes(limits.Memory))
}

// inputTest makes a test of a program and the input of --input.
func (f *testFlags) inputTest(file string, stdin io.Reader) (test, error) {
	if _, err := os.Stat(file); err != nil {
		return test{}, err
	}
	dir, name := filepath.Split(filepath.Clean(f.input))
	var fsys fs.FS = os.DirFS(cmp.Or(dir, "."))
	if f.input == "-" {
		data, err := io.ReadAll(stdin)
		if err != nil {
			return test{}, fmt.Errorf("standard input: %w", err)
		}
		name = "standard input"
		fsys = fstest.MapFS{name: {Data: data}}
	} else if info, err := os.Stat(f.input); err != nil {
		return test{}, err
	} else if !info.Mode().IsRegular() {
		return test{}, fmt.Errorf("%s: expected a file", terminal.Clean(f.input))
	}
	l, err := f.settings().LooseInput(fsys, "samples", name)
	if err != nil {
		return test{}, err
	}
	return newTest(file, l, f.input)
}
