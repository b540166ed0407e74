package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"crucible/judge/gen"
	"crucible/judge/sandbox"
)

// madeExtensions are what the files may end in that a generator leaves beside
// testcase.in, or that are copied.
var madeExtensions = []string{
	".in", ".ans", ".out", ".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction",
	".yaml", ".args", ".hint", ".desc", ".png", ".jpg", ".jpeg", ".svg", ".pdf",
}

// maxCopied bounds how many files a case's .files may have to be copied.
const maxCopied = 1000

// A tool is a program of the package that makes files: a generator, or the
// solution that answers. It is built once.
type tool struct {
	name  string // for messages
	build func(context.Context) (*built, error)

	mu    sync.Mutex
	done  bool
	built *built
	err   error

	first string // the case that was told first that it cannot be built
}

// A toolError says that a case lacks a tool.
type toolError struct {
	*tool
	err error
}

func (e *toolError) Error() string { return e.name + ": " + e.err.Error() }
func (e *toolError) Unwrap() error { return e.err }

// tellOnce puts the case to what is wrong with a tool, which is told in full to
// the first of many alone. Cases come here in order.
func (g *generation) tellOnce(c *gen.Case, err error) error {
	var e *toolError
	if !errors.As(err, &e) {
		return err
	}
	said := e.Error()
	if e.first == "" {
		e.first = c.Name
	} else {
		said = fmt.Sprintf("%s cannot be used, as told of %s", e.name, e.first)
	}
	if defect := new(Defect); errors.As(err, &defect) {
		return g.defect(c, "%s", said)
	}
	if unusable := new(unusableError); errors.As(err, &unusable) {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return fmt.Errorf("%s: %s", c.Name, said)
}

// ready returns the program, built.
func (g *generation) ready(ctx context.Context, t *tool) (*built, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return nil, &toolError{t, t.err}
	case t.done && g.j.confined():
		return t.built, nil
	}
	// Out of a box programs can write over one another, so each is looked at
	// again before it runs.
	release, err := g.j.acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	b, err := t.build(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		t.err = err
		return nil, &toolError{t, err}
	}
	t.built, t.done = b, true
	return b, nil
}

// key is a hash of all that decides what the program is: its sources, the
// compiler, the flags. What a run script calls is not in it.
func (b *built) key() string { return filepath.Base(b.dir) }

// tool finds a tool by its name, once.
func (g *generation) tool(name string, find func() *tool) *tool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tools[name] == nil {
		g.tools[name] = find()
	}
	return g.tools[name]
}

// generator finds the program of a case: one of the plan's, which are made of
// several files, or a file or folder below generators/.
func (g *generation) generator(c *gen.Case) *tool {
	return g.tool("generator "+c.Program, func() *tool {
		if list, ok := g.plan.Generators[c.Program]; ok {
			return &tool{name: "generator " + c.Program, build: func(ctx context.Context) (*built, error) { return g.buildList(ctx, c.Program, list) }}
		}
		var found defects
		program := g.problem.program(path.Join("generators", c.Program), &found)
		if program == nil {
			return &tool{name: "generator " + c.Program, err: errors.Join(found.errs...)}
		}
		return &tool{name: "generator " + c.Program, build: func(ctx context.Context) (*built, error) { return g.j.program(ctx, program, preparing) }}
	})
}

// buildList builds a generator of several files, of which the first is the
// entry point. They come into one folder, wherever they are from.
func (g *generation) buildList(ctx context.Context, name string, list []string) (*built, error) {
	at := where(g.fsys, path.Join("generators", list[0]))
	program := &Program{Name: name, Path: "generators", Files: list, folder: true, fsys: g.fsys, constants: g.problem.constants()}
	if slices.ContainsFunc(list, func(file string) bool { return file == "build" || file == "run" }) {
		return g.j.program(ctx, program, preparing)
	}
	read, err := program.read()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for file, data := range read {
		base := path.Base(file)
		if files[base] != nil {
			return nil, &Defect{File: at, Msg: fmt.Sprintf("the generator %s has two files of the name %s", name, base)}
		}
		files[base] = data
	}
	language, why := languageOf(sortedKeys(files))
	if language == nil {
		return nil, &Defect{File: at, Msg: "the generator " + name + ": " + why}
	}
	return g.j.compiled(ctx, source{what: at, files: files, language: language, entry: path.Base(list[0]), memory: preparing.Memory}, usualBuild)
}

// compiled builds a source of the package, whose refusal is the package's fault.
func (j *Judge) compiled(ctx context.Context, s source, under Guarantee) (*built, error) {
	b, c, err := j.shop.build(ctx, s, under)
	if err == nil && b == nil {
		err = &Defect{File: s.what, Msg: "does not compile:\n" + strings.TrimSpace(c.Message)}
	}
	return b, err
}

// solution finds a program that answers cases: a submission, built as such,
// or another file or folder of the package.
func (g *generation) solution(name string) *tool {
	return g.tool("solution "+name, func() *tool {
		t := &tool{name: "solution " + name}
		if s := g.problem.SubmissionNamed(strings.TrimPrefix(name, "/submissions/")); s != nil && s.Language != nil && s.unreadable == nil {
			t.build = func(ctx context.Context) (*built, error) {
				files, err := s.read()
				if err == nil {
					err = g.problem.include(s.Language, files)
				}
				if err != nil {
					return nil, err
				}
				return g.j.compiled(ctx, source{what: where(g.fsys, s.Path), files: files, language: s.Language, entry: s.Entry, memory: preparing.Memory}, g.problem.Building)
			}
			return t
		}
		var found defects
		program := g.problem.program(strings.TrimPrefix(name, "/"), &found)
		if program == nil {
			t.err = errors.Join(found.errs...)
		}
		t.build = func(ctx context.Context) (*built, error) { return g.j.program(ctx, program, preparing) }
		return t
	})
}

// key hashes all that decides what a run makes.
func key(parts ...string) string {
	h := sha256.New()
	for _, s := range append([]string{storeVersion}, parts...) {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

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
			err = errors.Join(err, removeAll(dir))
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
	defer func() { err = errors.Join(err, removeAll(second)) }()
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
func (g *generation) unsteady(err error, c *gen.Case, what string) error {
	if e := new(unsteadyError); errors.As(err, &e) {
		return &unsteadyDefect{Defect{File: g.at, Line: c.Line, Column: c.Column, Msg: fmt.Sprintf("%s: %s: %v", c.Name, what, e)}}
	}
	return err
}

// An unsteadyDefect is a Defect that is ErrUnsteady.
type unsteadyDefect struct{ Defect }

func (e *unsteadyDefect) Is(target error) bool { return target == ErrUnsteady }
func (e *unsteadyDefect) Unwrap() error        { return &e.Defect }

// run runs the case's program. It prints the input, or leaves testcase.in and
// perhaps more in its working folder. If it fails it runs again, with the next
// seed, as often as the case says.
func (g *generation) run(ctx context.Context, c *gen.Case, files map[string]*Made) (ran int, err error) {
	t := g.generator(c)
	b, err := g.ready(ctx, t)
	if err != nil {
		return 0, err
	}
	_, isThere := c.Files[".in"]
	parts := append([]string{"generate", b.key(), strconv.Itoa(c.Retries), strconv.FormatBool(isThere || c.Copy != "")}, c.Args...)
	if c.HasSeed && c.Retries > 1 {
		parts = append(parts, c.Command, strconv.FormatUint(uint64(c.Seed), 10))
	}
	runs := 0
	made, ran, err := g.once(key(parts...), g.how.Twice, func(dir string) (err error) {
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
func (g *generation) generate(ctx context.Context, c *gen.Case, b *built, args []string, dir string, quiet bool) (again bool, err error) {
	fault := func(format string, more ...any) error {
		return g.defect(c, "%s: %s", strings.Join(slices.Concat([]string{c.Program}, args), " "), fmt.Sprintf(format, more...))
	}
	printed := filepath.Join(dir, "printed")
	defer os.Remove(printed)
	why, size, err := g.program(ctx, b, args, nil, printed, func(work string) error { return g.collect(work, dir, fault) })
	switch {
	case err != nil:
		return false, err
	case why.text != "":
		return !why.limit, fault("%s", why.text)
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
}

// program runs a tool on an input, which may be nil; what it prints goes to a
// file. Collect, if not nil, may take files from the working folder, which the
// program may then write to.
func (g *generation) program(ctx context.Context, b *built, args []string, input *Made, printed string, collect func(work string) error) (why fault, size int64, err error) {
	release, err := g.j.acquire(ctx, 1)
	if err != nil {
		return why, 0, err
	}
	defer release()
	work, err := b.workplace(g.j.tmp)
	if err != nil {
		return why, 0, err
	}
	defer func() {
		if g.j.confined() {
			err = errors.Join(err, b.leave(work, collect == nil))
		} else {
			err = errors.Join(err, removeAll(work))
		}
	}()
	out, err := os.OpenFile(printed, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return why, 0, err
	}
	said := &head{most: keptStderr}
	cmd := sandbox.Cmd{Args: slices.Concat(b.args, args), Dir: work, Reads: b.reads, Stdout: out, Stderr: said, Limits: g.limits.enforced()}
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
	o, err := g.j.runner.Run(ctx, cmd)
	if info, statErr := out.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return why, 0, err
	}
	switch {
	case o.Exceeded != "":
		return fault{g.beyond(o.Exceeded), true}, 0, nil
	case o.Signal != 0:
		return fault{text: "was killed by " + signalName(o.Signal) + onStderr(said)}, 0, nil
	case o.Exit != 0:
		return fault{text: fmt.Sprintf("exit status %d%s", o.Exit, onStderr(said))}, 0, nil
	}
	if collect != nil {
		err = collect(work)
	}
	return why, size, err
}

// beyond says which limit was passed.
func (g *generation) beyond(r sandbox.Resource) string {
	l := g.limits.enforced()
	switch r {
	case sandbox.CPU:
		return fmt.Sprintf("took more than %s of CPU time", l.CPU)
	case sandbox.Wall:
		return fmt.Sprintf("had not ended after %s", l.Wall)
	case sandbox.Memory:
		return "used more than " + Bytes(l.Memory) + " of memory"
	case sandbox.Output:
		return "wrote more than " + Bytes(l.Output)
	case sandbox.FileSize, sandbox.Files:
		return "wrote a file of more than " + Bytes(l.FileSize)
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
			return fault("left files of more than %s", Bytes(g.limits.Output))
		}
		f, err := os.OpenFile(from, os.O_RDONLY|openHere, 0)
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
func (g *generation) copy(c *gen.Case, files map[string]*Made) error {
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
		return g.defect(c, "copy: %s: no such file", where(g.fsys, from+".in"))
	}
	return nil
}

// copyFolder takes over a case's .files.
func (g *generation) copyFolder(c *gen.Case, from string, files map[string]*Made) error {
	if info, err := fs.Stat(g.fsys, from+".files"); err != nil || !info.IsDir() {
		return nil
	}
	var found defects
	program := readProgram(g.fsys, from+".files", &found)
	switch {
	case program == nil:
		return g.defect(c, "copy: %v", errors.Join(found.errs...))
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

// answer lets the solution answer the input. A problem that is a conversation
// has no answer but the empty one.
func (g *generation) answer(ctx context.Context, c *gen.Case, files map[string]*Made) (ran int, err error) {
	if slices.Contains(g.problem.Types, "interactive") || slices.Contains(g.problem.Types, "multi-pass") {
		files[".ans"] = madeOf(nil)
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
	in := files[".in"]
	made, ran, err := g.once(key("answer", b.key(), hex.EncodeToString(in.Sum[:])), g.how.Twice, func(dir string) error {
		b, err := g.ready(ctx, t)
		if err != nil {
			return err
		}
		why, _, err := g.program(ctx, b, nil, in, filepath.Join(dir, caseFile(".ans")), nil)
		if err == nil && why.text != "" {
			err = g.defect(c, "%s: %s", t.name, why.text)
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
