package generate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

// madeExtensions are what the files may end in that a generator leaves beside
// testcase.in, or that are copied.
var madeExtensions = []string{
	".in", ".ans", ".out", ".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction",
	".yaml", ".args", ".hint", ".desc", ".png", ".jpg", ".jpeg", ".svg", ".pdf",
}

// maxCopied bounds how many files a case's .files may have to be copied.
const maxCopied = 1000

// once returns what a run makes, from the store if it is there. Run leaves its
// files in a folder; if it is to run twice, both must leave the same, and the
// store proves nothing.
func (g *generation) once(key string, twice bool, run func(dir string) error) (files map[string]*Made, ran int, err error) {
	g.mu.Lock()
	m := g.keys[key]
	if m == nil {
		m = new(sync.Mutex)
		g.keys[key] = m
	}
	g.mu.Unlock()
	m.Lock()
	defer m.Unlock()
	if !twice {
		if files, ok := g.store.recall(key); ok {
			return files, 0, nil
		}
	}
	dir, err := g.store.begin()
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, osfile.RemoveAll(dir))
		}
	}()
	if err := run(dir); err != nil {
		return nil, 1, err
	}
	if twice {
		if err := g.again(dir, run); err != nil {
			return nil, 2, err
		}
		ran = 1
	}
	files, err = g.store.keep(dir, key)
	return files, ran + 1, err
}

// again runs a second time, and compares with what the first time left.
func (g *generation) again(dir string, run func(dir string) error) (err error) {
	second, err := g.store.begin()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(second)) }()
	if err := run(second); err != nil {
		return err
	}
	for _, ext := range madeExtensions {
		a, errA := os.Open(filepath.Join(dir, caseFile(ext)))
		b, errB := os.Open(filepath.Join(second, caseFile(ext)))
		switch {
		case errA == nil && errB == nil:
			var differ string
			differ, err = firstDifference(a, b)
			err = errors.Join(err, a.Close(), b.Close())
			if err == nil && differ != "" {
				err = &unsteadyError{ext, differ}
			}
		case errA == nil:
			a.Close()
			err = &unsteadyError{ext, "the second left none"}
		case errB == nil:
			b.Close()
			err = &unsteadyError{ext, "the first left none"}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// An unsteadyError says in which file two runs differ, and how.
type unsteadyError struct{ ext, how string }

func (e *unsteadyError) Error() string {
	return fmt.Sprintf("two runs made different %s: %s", caseFile(e.ext), e.how)
}

// unsteady puts the case and the program to an unsteadyError.
func (g *generation) unsteady(err error, c *Case, what string) error {
	if e := new(unsteadyError); errors.As(err, &e) {
		return &unsteadyDefect{problem.Defect{File: g.at, Line: c.Line, Column: c.Column, Msg: fmt.Sprintf("%s: %s: %v", c.Name, what, e)}}
	}
	return err
}

// An unsteadyDefect is a Defect that is ErrUnsteady.
type unsteadyDefect struct{ problem.Defect }

func (e *unsteadyDefect) Is(target error) bool { return target == ErrUnsteady }
func (e *unsteadyDefect) Unwrap() error        { return &e.Defect }

// run runs the case's program. It prints the input, or leaves testcase.in and
// perhaps more in its working folder. If it fails it runs again, with the next
// seed, as often as the case says.
func (g *generation) run(ctx context.Context, c *Case, files map[string]*Made) (ran int, err error) {
	t := g.generator(c)
	b, err := g.ready(ctx, t)
	if err != nil {
		return 0, err
	}
	_, isThere := c.Files[".in"]
	parts := append([]string{"generate", b.Key(), strconv.Itoa(c.Retries), strconv.FormatBool(isThere || c.Copy != "")}, c.Args...)
	if c.HasSeed && c.Retries > 1 {
		parts = append(parts, c.Command, strconv.FormatUint(uint64(c.Seed), 10))
	}
	runs := 0
	made, ran, err := g.once(build.HashOf(parts...), g.how.Twice, func(dir string) (err error) {
		for try := range c.Retries {
			b, readyErr := g.ready(ctx, t)
			if readyErr != nil {
				return readyErr
			}
			args := c.Args
			if try > 0 {
				args = c.ArgsWith((c.Seed + uint32(try)) & (1<<31 - 1))
				runs++
			}
			var again bool
			if again, err = g.generate(ctx, c, b, args, dir, isThere || c.Copy != ""); err == nil || !again {
				return err
			}
		}
		if c.Retries > 1 {
			return fmt.Errorf("%w (and so with %d seeds)", err, c.Retries)
		}
		return err
	})
	if err != nil {
		return ran + runs, g.unsteady(err, c, strings.Join(slices.Concat([]string{c.Program}, c.Args), " "))
	}
	for ext, m := range made {
		files[ext] = m
	}
	return ran + runs, nil
}

// generate runs a generator once. Again says that another seed may do better.
// Quiet says that it need not make an input.
func (g *generation) generate(ctx context.Context, c *Case, b *build.Program, args []string, dir string, quiet bool) (again bool, err error) {
	fault := func(format string, more ...any) error {
		return g.defect(c, "%s: %s", strings.Join(slices.Concat([]string{c.Program}, args), " "), fmt.Sprintf(format, more...))
	}
	printed := filepath.Join(dir, "printed")
	defer os.Remove(printed)
	why, size, err := g.program(ctx, b, nil, args, nil, printed, func(work string) error { return g.collect(work, dir, fault) })
	switch {
	case err != nil:
		return false, err
	case why.text != "":
		return !why.limit, fault("%s%s", why.text, g.j.Reason(c.Program, c.Name, why.said))
	}
	if _, err := os.Lstat(filepath.Join(dir, caseFile(".in"))); err == nil {
		return false, nil
	}
	if size == 0 {
		if !quiet {
			return false, fault("made no input: want it printed, or in testcase.in")
		}
		return false, nil
	}
	return false, os.Rename(printed, filepath.Join(dir, caseFile(".in")))
}

// A fault says why a program did not come to a good end.
type fault struct {
	text  string
	limit bool // it went beyond one
	said  *judge.Stderr
}

// program runs a tool on an input, which may be nil; what it prints goes to a
// file. If it answers a case, it gets the case's arguments and .files. Collect,
// if not nil, may take files from the working folder, which the program may then
// write to.
func (g *generation) program(ctx context.Context, b *build.Program, answers *problem.Case, args []string, input *Made, printed string, collect func(work string) error) (why fault, size int64, err error) {
	release, err := g.j.Acquire(ctx, 1)
	if err != nil {
		return why, 0, err
	}
	defer release()
	work, err := g.j.WorkingFolder(b)
	if err != nil {
		return why, 0, err
	}
	laid := answers != nil && answers.Files != nil
	defer func() {
		if g.j.Confined() {
			err = errors.Join(err, b.Leave(work, collect == nil && !laid))
		} else {
			err = errors.Join(err, osfile.RemoveAll(work))
		}
	}()
	if answers != nil {
		args = answers.Args
		if err := answers.CopyFiles(work); err != nil {
			return why, 0, err
		}
	}
	out, err := os.OpenFile(printed, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return why, 0, err
	}
	said := &judge.Stderr{Most: judge.KeptSaid}
	cmd := sandbox.Cmd{Args: slices.Concat(b.Args, args), Dir: work, Reads: b.Reads, OpenFiles: b.Files, Stdout: out, Stderr: said, Limits: build.LimitsOf(g.limits)}
	if input != nil {
		in, err := input.open()
		if err != nil {
			return why, 0, errors.Join(err, out.Close())
		}
		defer in.Close()
		cmd.Stdin = in
	}
	// A solution may have use for files of its own, which nobody reads.
	if collect == nil {
		cmd.Scratch = true
	} else {
		cmd.Writes = []string{work}
		for _, ext := range madeExtensions {
			os.Remove(filepath.Join(work, caseFile(ext)))
		}
	}
	o, err := g.j.Execute(ctx, cmd)
	if info, statErr := out.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return why, 0, err
	}
	switch {
	case o.Exceeded != "":
		return fault{g.beyond(o.Exceeded), true, said}, 0, nil
	case o.Signal != 0:
		return fault{text: "was killed by " + text.SignalName(o.Signal), said: said}, 0, nil
	case o.Exit != 0:
		return fault{text: fmt.Sprintf("exit status %d", o.Exit), said: said}, 0, nil
	}
	if collect != nil {
		err = collect(work)
	}
	return why, size, err
}

// beyond says which limit was passed.
func (g *generation) beyond(r sandbox.Resource) string {
	l := build.LimitsOf(g.limits)
	switch r {
	case sandbox.CPU:
		return fmt.Sprintf("took more than %s of CPU time", l.CPU)
	case sandbox.Wall:
		return fmt.Sprintf("had not ended after %s", l.Wall)
	case sandbox.Memory:
		return "used more than " + units.Bytes(l.Memory) + " of memory"
	case sandbox.Output:
		return "wrote more than " + units.Bytes(l.Output)
	case sandbox.FileSize, sandbox.Files:
		return "wrote a file of more than " + units.Bytes(l.FileSize)
	}
	return fmt.Sprintf("went beyond its %s limit", r)
}

// collect takes what a generator left of the case out of its working folder.
func (g *generation) collect(work, dir string, fault func(string, ...any) error) error {
	left := g.limits.Output
	for _, ext := range madeExtensions {
		from := filepath.Join(work, caseFile(ext))
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if left -= info.Size(); left < 0 {
			return fault("left files of more than %s", units.Bytes(g.limits.Output))
		}
		f, err := os.OpenFile(from, os.O_RDONLY|osfile.NoFollow, 0)
		if err != nil {
			return fault("left %s, which cannot be read", caseFile(ext))
		}
		err = writeFrom(filepath.Join(dir, caseFile(ext)), io.LimitReader(f, info.Size()))
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func writeFrom(name string, r io.Reader) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// copy takes over the files that lie below generators/.
func (g *generation) copy(c *Case, files map[string]*Made) error {
	from := path.Join("generators", c.Copy)
	some := false
	for _, ext := range madeExtensions {
		if _, err := fs.Stat(g.fsys, from+ext); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		m, err := madeBy(g.fsys, from+ext)
		if err != nil {
			return g.defect(c, "copy: %v", err)
		}
		files[ext], some = m, true
	}
	if err := g.copyFolder(c, from, files); err != nil {
		return err
	}
	if !some {
		return g.defect(c, "copy: %s: no such file", problem.Where(g.fsys, from+".in"))
	}
	return nil
}

// copyFolder takes over a case's .files.
func (g *generation) copyFolder(c *Case, from string, files map[string]*Made) error {
	if info, err := fs.Stat(g.fsys, from+".files"); err != nil || !info.IsDir() {
		return nil
	}
	var found problem.Defects
	program := problem.ReadProgram(g.fsys, from+".files", &found)
	switch {
	case program == nil:
		return g.defect(c, "copy: %v", errors.Join(found.Errs...))
	case len(program.Files) > maxCopied:
		return g.defect(c, "copy: %s.files has more than %d files", c.Copy, maxCopied)
	}
	for _, name := range program.Files {
		m, err := madeBy(g.fsys, from+".files/"+name)
		if err != nil {
			return g.defect(c, "copy: %v", err)
		}
		files[".files/"+name] = m
	}
	return nil
}

// unanswered returns the case as a solution is run on it, with the arguments that
// its folders may give it and its .files; nil if nobody runs one on it later.
func (g *generation) unanswered(c *Case, files map[string]*Made) (*problem.Case, error) {
	root, _, _ := strings.Cut(c.Name, "/")
	if !slices.Contains([]string{"sample", "secret", "valid_output", "invalid_output"}, root) {
		return nil, nil
	}
	all := maps.Clone(files)
	for _, ext := range []string{".ans", ".out"} {
		if all[ext] == nil {
			all[ext] = MadeOf(nil) // what is missing is no matter yet
		}
	}
	_, k, err := g.placed(c, root, all)
	return k, err
}

// answer lets the solution answer the input. A problem that is a conversation
// has no answer but the empty one.
func (g *generation) answer(ctx context.Context, c *Case, files map[string]*Made) (ran int, err error) {
	if g.problem.Is(problem.Interactive) || g.problem.Is(problem.MultiPass) {
		files[".ans"] = MadeOf(nil)
		return 0, nil
	}
	if c.Solution == "" {
		return 0, g.defect(c, "has no answer: want a solution, or the answer itself")
	}
	t := g.solution(c.Solution)
	b, err := g.ready(ctx, t)
	if err != nil {
		return 0, err
	}
	k, err := g.unanswered(c, files)
	if err != nil {
		return 0, err
	}
	in := files[".in"]
	parts := []string{"answer", b.Key(), hex.EncodeToString(in.Sum[:])}
	if k != nil {
		parts = append(append(parts, fmt.Sprintf("%q", k.Args)), sumsOf(files, ".files/")...)
	}
	made, ran, err := g.once(build.HashOf(parts...), g.how.Twice, func(dir string) error {
		b, err := g.ready(ctx, t)
		if err != nil {
			return err
		}
		why, _, err := g.program(ctx, b, k, nil, in, filepath.Join(dir, caseFile(".ans")), nil)
		if err == nil && why.text != "" {
			err = g.defect(c, "%s: %s%s", t.name, why.text, g.j.Reason(t.name, c.Name, why.said))
		}
		return err
	})
	if err != nil {
		return ran, g.unsteady(err, c, t.name)
	}
	files[".ans"] = made[".ans"]
	g.bySolution[g.index[c.Name]].Store(true)
	return ran, nil
}
