package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A tool is a program of the package: a generator, a solution or a validator.
type tool struct {
	name  string // for messages
	build func(context.Context) (*build.Program, error)

	mu    sync.Mutex
	built *build.Program
	err   error

	reported string // the first case whose error says why the tool cannot be built
}

// A toolError is the error of a case whose tool cannot be built.
type toolError struct {
	*tool
	err   error
	first string // the earlier case whose error has err; or ""
}

// Error returns why the tool cannot be built or, if the error of an earlier case says
// so, a reference to that case.
func (e *toolError) Error() string {
	if e.first != "" {
		return fmt.Sprintf("%s cannot be used; the error of %s says why", e.name, e.first)
	}
	return e.name + ": " + e.err.Error()
}

// A repeatedError is the error of a case that the error of an earlier one explains.
type repeatedError struct {
	error
	program string
}

// Unwrap returns the error.
func (e *repeatedError) Unwrap() error { return e.error }

// Repeats returns the program that a case needs, if it cannot be used and the error of an
// earlier case says why; otherwise "".
func Repeats(err error) string {
	var e *repeatedError
	if errors.As(err, &e) {
		return e.program
	}
	return ""
}

// Unwrap returns why the tool cannot be built.
func (e *toolError) Unwrap() error { return e.err }

// explain adds the case to its error. Only the first case says why a tool cannot be
// built. It must be called in the order of the cases.
func (g *generation) explain(c *casePlan, err error) error {
	var e *toolError
	var defect *problem.Defect
	isTool, isDefect := errors.As(err, &e), errors.As(err, &defect)
	again := isTool && e.reported != "" && e.reported != c.name
	switch {
	case again:
		err = &toolError{e.tool, e.err, e.reported}
	case isTool:
		e.reported, err = c.name, e
	case err == nil || isDefect:
		return err
	}
	if isDefect {
		err = g.defect(c, "%v", err)
	} else {
		err = fmt.Errorf("%s: %w", c.name, err)
	}
	if again {
		return &repeatedError{err, e.name}
	}
	return err
}

// ready builds a tool, if it is not built yet.
func (g *generation) ready(ctx context.Context, t *tool) (*build.Program, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return nil, &toolError{tool: t, err: t.err}
	case t.built != nil && g.j.Confined():
		return t.built, nil
	}
	// Outside a box a program can overwrite another, so each is checked again before
	// it runs.
	release, err := g.j.Acquire(ctx, 1)
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
		return nil, &toolError{tool: t, err: err}
	}
	t.built = b
	return b, nil
}

// tool returns the tool of that name. find sets build or err of a new one.
func (g *generation) tool(name string, find func(*tool)) *tool {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.tools[name]
	if t == nil {
		t = &tool{name: name}
		find(t)
		g.tools[name] = t
	}
	return t
}

// buildProgram sets build of a tool whose source is a file or folder of the package.
func (g *generation) buildProgram(t *tool, name string,
	by func(context.Context, *problem.Program, problem.Guarantee) (*build.Program, error)) {
	var found problem.Defects
	program := g.problem.Program(name, &found)
	if program == nil {
		t.err = errors.Join(found.Errs...)
	}
	t.build = func(ctx context.Context) (*build.Program, error) { return by(ctx, program, judge.Preparing) }
}

// generator returns the program of a case: one of the plan's programs of several files,
// or a file or folder below generators/.
func (g *generation) generator(c *casePlan) *tool {
	return g.tool("generator "+c.program, func(t *tool) {
		if list, ok := g.plan.generators[c.program]; ok {
			t.build = func(ctx context.Context) (*build.Program, error) { return g.buildList(ctx, c.program, list) }
		} else if g.buildProgram(t, path.Join("generators", c.program), g.j.BuildTool); t.err != nil {
			t.err = g.suggest(c.program, t.err)
		}
	})
}

// suggest adds the most similar name to the error of a generator that does not exist.
func (g *generation) suggest(name string, err error) error {
	var defect *problem.Defect
	if !errors.As(err, &defect) || defect.Msg != "is missing" {
		return err
	}
	known := slices.Sorted(maps.Keys(g.plan.generators))
	entries, _ := fs.ReadDir(g.fsys, path.Join("generators", path.Dir(name)))
	for _, e := range entries {
		known = append(known, path.Join(path.Dir(name), e.Name()))
	}
	hint := terminal.DidYouMean(name, known)
	for _, k := range known { // a missing extension is more than a mistyped letter
		if hint == "" && terminal.Nearest(name, []string{strings.TrimSuffix(k, path.Ext(k))}) != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return problem.Defectf(defect.File, "%s%s", defect.Msg, hint)
}

// buildList builds a generator of several files, the first of which is the entry
// point. The files are put into one folder.
func (g *generation) buildList(ctx context.Context, name string, list []string) (*build.Program, error) {
	at := problem.Where(g.fsys, path.Join("generators", list[0]))
	program := &problem.Program{Name: name, Path: "generators", Files: list, IsFolder: true, FS: g.fsys,
		Constants: g.problem.Inserted()}
	if slices.ContainsFunc(list, func(file string) bool { return file == "build" || file == "run" }) {
		return g.j.BuildTool(ctx, program, judge.Preparing)
	}
	read, err := program.Read()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for file, data := range read {
		base := path.Base(file)
		if files[base] != nil {
			return nil, problem.Defectf(at, "the generator %s has two files named %s", name, base)
		}
		files[base] = data
	}
	language, why := g.j.Languages.Of(slices.Sorted(maps.Keys(files)))
	if language == nil {
		return nil, problem.Defectf(at, "the generator %s: %s", name, why)
	}
	return g.j.CompileTool(ctx, build.Source{What: at, Files: files, Language: language, Entry: path.Base(list[0]),
		Memory: judge.Preparing.Memory}, build.Usual)
}

// solutionTool returns a program that answers cases: a submission, or another file or
// folder of the package.
func (g *generation) solutionTool(name string) *tool {
	return g.tool("solution "+name, func(t *tool) {
		s := g.problem.SubmissionNamed(strings.TrimPrefix(name, "/submissions/"))
		if s == nil || s.Language == nil || s.Unreadable != nil {
			g.buildProgram(t, strings.TrimPrefix(name, "/"), g.j.BuildSolution)
			return
		}
		t.build = func(ctx context.Context) (*build.Program, error) {
			files, err := s.Read()
			if err != nil {
				return nil, err
			}
			entry, err := g.problem.Include(s.Language, files, s.Entry)
			if err != nil {
				return nil, err
			}
			source := build.Source{What: problem.Where(g.fsys, s.Path), Files: files, Language: s.Language, Entry: entry,
				Memory: judge.Preparing.Memory, Submission: true}
			return g.j.CompileTool(ctx, source, g.problem.Building)
		}
	})
}
