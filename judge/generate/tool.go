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
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"crucible/judge/problem"
)

// A tool is a program of the package that makes files: a generator, or the
// solution that answers. It is built once.
type tool struct {
	name  string // for messages
	build func(context.Context) (*build.Program, error)

	mu    sync.Mutex
	done  bool
	built *build.Program
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

// tellOnce puts the case to what has gone wrong. What is wrong with a tool is
// told in full to the first of many alone. Cases come here in order.
func (g *generation) tellOnce(c *Case, err error) error {
	var e *toolError
	if !errors.As(err, &e) {
		if defect := new(problem.Defect); err == nil || errors.As(err, &defect) {
			return err
		}
		return &caseError{c.Name + ": " + err.Error(), err}
	}
	said := e.Error()
	if e.first == "" {
		e.first = c.Name
	} else {
		said = fmt.Sprintf("%s cannot be used, as told of %s", e.name, e.first)
	}
	if defect := new(problem.Defect); errors.As(err, &defect) {
		return g.defect(c, "%s", said)
	}
	return &caseError{c.Name + ": " + said, err}
}

// A caseError is the judge's failure about a case.
type caseError struct {
	said string
	err  error
}

func (e *caseError) Error() string { return e.said }
func (e *caseError) Unwrap() error { return e.err }

// ready returns the program, built.
func (g *generation) ready(ctx context.Context, t *tool) (*build.Program, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return nil, &toolError{t, t.err}
	case t.done && g.j.Confined():
		return t.built, nil
	}
	// Out of a box programs can write over one another, so each is looked at
	// again before it runs.
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
		return nil, &toolError{t, err}
	}
	t.built, t.done = b, true
	return b, nil
}

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
func (g *generation) generator(c *Case) *tool {
	return g.tool("generator "+c.Program, func() *tool {
		if list, ok := g.plan.Generators[c.Program]; ok {
			return &tool{name: "generator " + c.Program, build: func(ctx context.Context) (*build.Program, error) { return g.buildList(ctx, c.Program, list) }}
		}
		var found problem.Defects
		program := g.problem.Program(path.Join("generators", c.Program), &found)
		if program == nil {
			return &tool{name: "generator " + c.Program, err: g.unknown(c.Program, errors.Join(found.Errs...))}
		}
		return &tool{name: "generator " + c.Program, build: func(ctx context.Context) (*build.Program, error) { return g.j.BuildTool(ctx, program, judge.Preparing) }}
	})
}

// unknown adds to the error of a generator that does not exist which one may be
// meant.
func (g *generation) unknown(name string, err error) error {
	var defect *problem.Defect
	if !errors.As(err, &defect) || defect.Msg != "is missing" {
		return err
	}
	known := slices.Sorted(maps.Keys(g.plan.Generators))
	entries, _ := fs.ReadDir(g.fsys, path.Join("generators", path.Dir(name)))
	for _, e := range entries {
		known = append(known, path.Join(path.Dir(name), e.Name()))
	}
	hint := text.DidYouMean(name, known)
	for _, k := range known { // an ending that was left out is no mistyped letter
		if hint == "" && text.Nearest(name, []string{strings.TrimSuffix(k, path.Ext(k))}) != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", k)
		}
	}
	return &problem.Defect{File: defect.File, Msg: defect.Msg + hint}
}

// buildList builds a generator of several files, of which the first is the
// entry point. They come into one folder, wherever they are from.
func (g *generation) buildList(ctx context.Context, name string, list []string) (*build.Program, error) {
	at := problem.Where(g.fsys, path.Join("generators", list[0]))
	program := &problem.Program{Name: name, Path: "generators", Files: list, IsFolder: true, FS: g.fsys, Constants: g.problem.Inserted()}
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
			return nil, &problem.Defect{File: at, Msg: fmt.Sprintf("the generator %s has two files of the name %s", name, base)}
		}
		files[base] = data
	}
	language, why := language.Of(slices.Sorted(maps.Keys(files)))
	if language == nil {
		return nil, &problem.Defect{File: at, Msg: "the generator " + name + ": " + why}
	}
	return g.j.CompileTool(ctx, build.Source{What: at, Files: files, Language: language, Entry: path.Base(list[0]), Memory: judge.Preparing.Memory}, build.Usual)
}

// solution finds a program that answers cases: a submission, built as such,
// or another file or folder of the package.
func (g *generation) solution(name string) *tool {
	return g.tool("solution "+name, func() *tool {
		t := &tool{name: "solution " + name}
		if s := g.problem.SubmissionNamed(strings.TrimPrefix(name, "/submissions/")); s != nil && s.Language != nil && s.Unreadable == nil {
			t.build = func(ctx context.Context) (*build.Program, error) {
				files, err := s.Read()
				if err != nil {
					return nil, err
				}
				entry, err := g.problem.Include(s.Language, files, s.Entry)
				if err != nil {
					return nil, err
				}
				return g.j.CompileTool(ctx, build.Source{What: problem.Where(g.fsys, s.Path), Files: files, Language: s.Language, Entry: entry, Memory: judge.Preparing.Memory}, g.problem.Building)
			}
			return t
		}
		var found problem.Defects
		program := g.problem.Program(strings.TrimPrefix(name, "/"), &found)
		if program == nil {
			t.err = errors.Join(found.Errs...)
		}
		t.build = func(ctx context.Context) (*build.Program, error) { return g.j.BuildTool(ctx, program, judge.Preparing) }
		return t
	})
}
