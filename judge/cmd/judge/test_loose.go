package main

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

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/archive"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/selection"
	"crucible/judge/problem"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// A looseChoice contains inputs and answers that belong to no package.
type looseChoice struct {
	*archive.Loose
	from string // the folder or zip
}

// settings returns the settings of the problem that is made from loose samples.
func (f *testFlags) settings() archive.Import {
	return archive.Import{TimeLimit: cmp.Or(f.timeLimit, looseTime), Memory: cmp.Or(f.memory, looseMemory), ValidatorArgs: f.rules()}
}

// looseTest makes a test of a program and the samples that belong to no package. The
// caller must close the source if it is not nil, also after an error.
func (f *testFlags) looseTest(file string) (t test, s *problem.Source, err error) {
	if _, err := os.Stat(file); err != nil {
		return t, nil, err
	}
	l, s, err := f.loose(file)
	if err != nil {
		return t, s, err
	}
	t, err = l.test(file)
	return t, s, err
}

// test makes a test of a program and the samples.
func (l *looseChoice) test(file string) (test, error) {
	dir, base := filepath.Split(filepath.Clean(file))
	submission, err := problem.NewSubmission(l.Problem, os.DirFS(cmp.Or(dir, ".")), base)
	return test{file: file, submission: submission, loose: l}, err
}

// loose finds the samples of a program: in --data, or otherwise beside it, in the
// working folder, or in a zip there. The caller must close the source.
func (f *testFlags) loose(file string) (*looseChoice, *problem.Source, error) {
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if f.data != "" {
		s, err := selection.Locate(f.data)
		if err != nil {
			return nil, nil, err
		}
		l, err := f.looseIn(s, f.data, stem, false)
		if err != nil {
			err = fmt.Errorf("%s: %w", terminal.Clean(f.data), err)
		}
		return l, s, err
	}
	var folders []string
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		folders = append(folders, filepath.Clean(file))
	}
	folders = append(folders, filepath.Dir(filepath.Clean(file)), ".")
	for _, dir := range slices.Compact(folders) {
		l, err := f.looseIn(os.DirFS(dir), dir, stem, true)
		if !errors.Is(err, archive.ErrNoCases) {
			return l, nil, err
		}
	}
	for _, dir := range slices.Compact(folders) {
		if l, s, err := f.looseZip(dir, stem); err == nil {
			return l, s, nil
		}
	}
	return nil, nil, archive.ErrNoCases
}

func (f *testFlags) looseIn(fsys fs.FS, from, stem string, beside bool) (*looseChoice, error) {
	names, err := archive.LooseFiles(fsys, beside)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", terminal.Clean(from), err)
	}
	if beside {
		names = ofProgram(names, stem)
	}
	l, err := f.settings().Loose(fsys, "samples", names)
	if err != nil {
		return nil, err
	}
	return &looseChoice{l, from}, nil
}

// looseZip looks for one zip in a folder that has samples and is no package.
func (f *testFlags) looseZip(dir, stem string) (found *looseChoice, source *problem.Source, err error) {
	zips, err := filepath.Glob(filepath.Join(dir, "*.zip"))
	if err != nil {
		return nil, nil, err
	}
	for _, name := range zips {
		s, err := problem.Locate(name)
		if err != nil {
			continue
		}
		_, none := s.Stat("problem.yaml")
		l, err := f.looseIn(s, name, stem, false)
		if none == nil || err != nil || found != nil && !strings.HasPrefix(filepath.Base(name), stem) {
			s.Close()
			continue
		}
		if source != nil {
			source.Close()
		}
		found, source = l, s
	}
	if found == nil {
		return nil, nil, archive.ErrNoCases
	}
	return found, source, nil
}

// ofProgram returns the files whose names begin with the name of the program, or all
// files if there are none: for a.cpp, a1.in of a1.in and b1.in.
func ofProgram(names []string, stem string) []string {
	own := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		base := path.Base(name)
		rest, ok := strings.CutPrefix(base, stem)
		ext := path.Ext(base)
		return !ok || rest == "" || unicode.IsLetter(rune(rest[0])) || ext != ".in" && ext != ".out" && ext != ".ans" && ext != ".txt"
	})
	if len(own) == 0 {
		return names
	}
	return own
}

// head describes the samples and the limits.
func (l *looseChoice) head(limits problem.Limits) string {
	var names []string
	for _, c := range l.Cases {
		name := c.Input + " without an answer"
		if c.Answer != "" {
			name = c.Input + " " + c.Answer
		}
		names = append(names, name)
	}
	where := "in " + l.from
	if l.from == "." {
		where = "in this folder"
	}
	return fmt.Sprintf("%s %s: %s; time limit %s, memory limit %s", units.Count(len(l.Cases), "sample"), where,
		strings.Join(atMost(4, names), ", "), units.Exactly(limits.Time), units.Bytes(limits.Memory))
}

// runInput runs a program on the input of --input.
func (f *testFlags) runInput(e *env, command *cobra.Command, file string) error {
	ctx := command.Context()
	if _, err := os.Stat(file); err != nil {
		return err
	}
	dir, name := filepath.Split(filepath.Clean(f.input))
	var fsys fs.FS = os.DirFS(cmp.Or(dir, "."))
	if f.input == "-" {
		data, err := io.ReadAll(command.InOrStdin())
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		fsys, name = fstest.MapFS{"-": {Data: data}}, "-"
	} else if info, err := os.Stat(f.input); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: expected a file", terminal.Clean(f.input))
	}
	l, err := f.settings().LooseInput(fsys, "samples", name)
	if err != nil {
		return err
	}
	if f.input == "-" {
		l.Cases[0].Input = "standard input"
	}
	t, err := (&looseChoice{l, f.input}).test(file)
	if err != nil {
		return err
	}
	last := lastByte('\n')
	j, err := f.levels.judge(&judge.Judge{All: true, Jobs: 1, OnOutput: func(_ *problem.Submission, _ *problem.Case, r io.Reader) error {
		_, err := io.Copy(io.MultiWriter(e.stdout, &last), r)
		return err
	}})
	if err != nil {
		return err
	}
	r := j.Run(ctx, t.submission, t.cases())
	if err := errors.Join(closed(j), ctx.Err()); err != nil {
		return err
	}
	if last != '\n' && e.tty {
		fmt.Fprintln(e.stdout)
	}
	facts := *e
	facts.stdout = e.stderr
	facts.color = false
	s := showing{e: &facts, t: &t, own: true, limits: j.LimitsOf(l.Problem)}
	if err := s.show(r); err != nil {
		return err
	}
	return ending(s.status(r))
}

// A lastByte is the last byte written to it.
type lastByte byte

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		*l = lastByte(p[len(p)-1])
	}
	return len(p), nil
}

// A keeper writes the files of failed samples into a folder. Their names are derived
// from the names of the samples, so no program chooses a name. Each file is written to
// a temporary file, which is then renamed.
type keeper struct {
	root   *os.Root                        // nil if nothing is kept
	drafts map[*problem.Case]*osfile.Draft // output that was printed
}

func keeping(dir string) (*keeper, error) {
	if dir == "" {
		return &keeper{}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &keeper{root: root, drafts: make(map[*problem.Case]*osfile.Draft)}, err
}

// output copies an output, while it is read, to a file that is kept if the sample
// fails.
func (k *keeper) output(c *problem.Case, r io.Reader) (io.Reader, error) {
	if k.root == nil {
		return r, nil
	}
	d, err := osfile.NewDraft(k.root, "output")
	if err != nil {
		return nil, err
	}
	k.drop(c)
	k.drafts[c] = d
	return io.TeeReader(r, d), nil
}

func (k *keeper) drop(c *problem.Case) {
	if d := k.drafts[c]; d != nil {
		d.Discard()
		delete(k.drafts, c)
	}
}

// failed keeps the files of a sample under a name.
func (k *keeper) failed(name string, c *problem.Case, answered bool, stderr string) error {
	if k.root == nil {
		return nil
	}
	if dir := path.Dir(name); dir != "." {
		if err := k.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if d := k.drafts[c]; d != nil {
		delete(k.drafts, c)
		d.To = filepath.FromSlash(name + ".out")
		if err := d.Commit(d.Sync()); err != nil {
			return err
		}
	}
	exts := []string{".in", ".ans"}
	if !answered {
		exts = exts[:1]
	}
	for _, ext := range exts {
		f, err := c.Open(ext)
		if err != nil {
			return err
		}
		if err := errors.Join(k.write(name+ext, f), f.Close()); err != nil {
			return err
		}
	}
	return k.write(name+".err", strings.NewReader(stderr))
}

func (k *keeper) write(name string, r io.Reader) error {
	d, err := osfile.NewDraft(k.root, filepath.FromSlash(name))
	if err != nil {
		return err
	}
	_, err = io.Copy(d, r)
	return d.Commit(errors.Join(err, d.Sync()))
}

// close removes the temporary files that are not kept.
func (k *keeper) close() error {
	if k.root == nil {
		return nil
	}
	for c := range k.drafts {
		k.drop(c)
	}
	return k.root.Close()
}
