package generate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// stored returns the files of a run from the store. If the store does not have them, it
// calls run, which leaves its files in dir. If twice is true, it always calls run, two
// times, and both must leave the same files.
func (m *caseWork) stored(program, key string, twice bool,
	run func(dir string) error) (files map[string]*File, err error) {
	lock, _ := m.keys.LoadOrStore(key, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if !twice {
		if files, ok := m.store.recall(key); ok {
			return files, nil
		}
	}
	dir, err := m.store.begin()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, osfile.RemoveAll(dir))
		}
	}()
	m.ran++
	if err := run(dir); err != nil {
		return nil, err
	}
	if twice {
		if err := m.again(program, dir, run); err != nil {
			return nil, err
		}
	}
	return m.store.keep(dir, key)
}

// again runs a second time, and compares the files with those of the first run.
func (m *caseWork) again(program, dir string, run func(dir string) error) (err error) {
	second, err := m.store.begin()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(second)) }()
	m.ran++
	if err := run(second); err != nil {
		return err
	}
	a, errA := filesIn(dir)
	b, errB := filesIn(second)
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, ext := range slices.Sorted(maps.Keys(all)) {
		if differ, err := difference(a[ext], b[ext]); err != nil {
			return err
		} else if differ != "" {
			return m.unsteady(m.casePlan, program, ext, differ)
		}
	}
	return nil
}

// generate runs a generator once. retry means that it may succeed with another seed.
// If the input is optional, it need not make one.
func (m *caseWork) generate(ctx context.Context, b *build.Program, args []string, dir string,
	optional bool) (retry bool, err error) {
	fault := func(format string, more ...any) error {
		return m.fail("%s: %s", m.commandLine(args), fmt.Sprintf(format, more...))
	}
	printed, in := filepath.Join(dir, "printed"), filepath.Join(dir, caseFile(".in"))
	defer os.Remove(printed)
	why, size, err := m.execute(ctx, b, nil, args, nil, printed,
		func(work string) error { return m.collect(work, dir, fault) })
	switch {
	case err != nil:
		return false, err
	case why.text != "":
		return !why.limit, fault("%s%s", why.text, m.j.Reason(m.program, m.name, why.stderr))
	case osfile.IsFile(in):
		return false, nil
	case size > 0:
		return false, os.Rename(printed, in)
	case !optional:
		return false, fault("made no input: expected it on standard output or in testcase.in")
	}
	return false, nil
}

// Limits of the search for files that a solution wrote.
const (
	maxLeft  = 1000 // files and folders in its working folder
	maxNamed = 3    // names of files that are given
)

// wrote runs a solution again that printed nothing, and names the files that it wrote
// into its working folder, such as "sum.out, "; "" if there are none. It prints to a file
// that is not used.
func (m *caseWork) wrote(ctx context.Context, b *build.Program, c *problem.Case, input *File,
	printed string) (names string, err error) {
	var left []string
	_, _, err = m.execute(ctx, b, c, nil, input, printed, func(work string) error {
		seen := 0
		return filepath.WalkDir(work, func(name string, d fs.DirEntry, err error) error {
			if seen++; seen > maxLeft {
				return filepath.SkipAll
			}
			if err != nil || !d.Type().IsRegular() {
				return nil // what cannot be read is not named
			}
			within, err := filepath.Rel(work, name)
			if err != nil {
				return err
			}
			slashed := filepath.ToSlash(within)
			own := b.Sources[slashed] != nil || b.Tree != "" && osfile.IsFile(filepath.Join(b.Tree, within))
			if !own && (c == nil || !slices.Contains(c.Files, slashed)) {
				left = append(left, terminal.Excerpt(terminal.QuoteName(slashed), 100))
			}
			return nil
		})
	})
	more := ""
	if len(left) > maxNamed {
		left, more = left[:maxNamed], fmt.Sprintf("and %s more, ", terminal.Count(len(left)-maxNamed, "file"))
	}
	for _, name := range left {
		names += name + ", "
	}
	return names + more, err
}

// A failure describes why a program failed.
type failure struct {
	text   string // "" if it did not fail
	limit  bool   // it exceeded a limit
	stderr *judge.Stderr
}

// execute runs a program on an input, which may be nil, and writes its standard output
// to the file printed. A solution gets the arguments and .files of the case c. collect,
// if not nil, takes files from the working folder, and only then can the program write
// there. size is that of the standard output.
func (g *generation) execute(ctx context.Context, b *build.Program, c *problem.Case, args []string, input *File,
	printed string, collect func(work string) error) (why failure, size int64, err error) {
	release, err := g.j.Acquire(ctx, 1)
	if err != nil {
		return why, 0, err
	}
	defer release()
	intact := collect == nil && (c == nil || c.Files == nil)
	err = g.j.InFolder(b, intact, func(work string) error {
		if c != nil {
			args = c.Args
			if err := c.CopyFiles(work); err != nil {
				return err
			}
		}
		out, err := os.OpenFile(printed, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		stderr := &judge.Stderr{Most: judge.KeptSaid}
		cmd := sandbox.Cmd{
			Args: slices.Concat(b.Args, args), Dir: work, Reads: b.Reads, OpenFiles: b.Files, AddEnv: b.Env,
			Stdout: out, Stderr: stderr, Limits: build.LimitsOf(g.limits),
			Scratch: collect == nil, // a solution may write temporary files
		}
		if input != nil {
			in, err := input.open()
			if err != nil {
				return errors.Join(err, out.Close())
			}
			defer in.Close()
			cmd.Stdin = in
		}
		if collect != nil {
			cmd.Writes = []string{work}
			for _, ext := range caseExtensions {
				os.Remove(filepath.Join(work, caseFile(ext)))
			}
		}
		o, err := g.j.RunProgram(ctx, cmd)
		if info, statErr := out.Stat(); statErr == nil {
			size = info.Size()
		}
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
		if why = failureOf(o, cmd.Limits); why.text == "" && collect != nil {
			err = collect(work)
		}
		why.stderr = stderr
		return err
	})
	return why, size, err
}

// failureOf describes why a program failed, if it failed.
func failureOf(o sandbox.Outcome, limits sandbox.Limits) (why failure) {
	switch {
	case o.Exceeded != "":
		why.text, why.limit = exceeded(o.Exceeded, limits), true
	case o.Signal != 0:
		why.text = "was killed by " + terminal.SignalName(o.Signal)
	case o.Exit != 0:
		why.text = fmt.Sprintf("exit status %d", o.Exit)
	}
	return why
}

// exceeded describes which limit a program exceeded.
func exceeded(r sandbox.Resource, l sandbox.Limits) string {
	switch r {
	case sandbox.CPU:
		return fmt.Sprintf("took more than %s of CPU time", l.CPU)
	case sandbox.Wall:
		return fmt.Sprintf("had not ended after %s", l.Wall)
	case sandbox.Memory:
		return "used more than " + terminal.Bytes(l.Memory) + " of memory"
	case sandbox.Output:
		return "wrote more than " + terminal.Bytes(l.Output)
	case sandbox.FileSize, sandbox.Files:
		return "wrote a file of more than " + terminal.Bytes(l.FileSize)
	}
	return fmt.Sprintf("exceeded its %s limit", r)
}

// collect copies the files that a generator left in its working folder.
func (g *generation) collect(work, dir string, fault func(string, ...any) error) error {
	left := g.limits.Output
	for _, ext := range caseExtensions {
		from := filepath.Join(work, caseFile(ext))
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if left -= info.Size(); left < 0 {
			return fault("left files of more than %s", terminal.Bytes(g.limits.Output))
		}
		f, err := os.OpenFile(from, os.O_RDONLY|osfile.NoFollow, 0)
		if err != nil {
			return fault("left %s, which cannot be read", caseFile(ext))
		}
		to, err := os.OpenFile(filepath.Join(dir, caseFile(ext)), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err == nil {
			_, err = io.Copy(to, io.LimitReader(f, info.Size()))
			err = errors.Join(err, to.Close())
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
