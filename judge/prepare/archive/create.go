package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"crucible/judge/problem"
)

// A File is a file of a new package: Data or, if From is set, the contents of a file of the
// package that it is made of, or, if Zip is set, a zip of files.
type File struct {
	Data       []byte
	From       string          // name in the source
	Zip        map[string]File // for exported packages only
	Executable bool
}

// A NewProblem describes a problem made of files.
type NewProblem struct {
	Folders []string
	Problem *problem.Problem
	Changed []Change // changes of the text of files
}

// Create makes a problem of files by their names in its package. It writes all of them or
// none. It reads their contents from a source, and changes text as the format requires. The
// cases in made are those of which judge gen must make the files: secret/01.
func Create(ctx context.Context, from *problem.Source, files map[string]File, made []string,
	places []problem.Place) (n *NewProblem, err error) {
	p, err := opened(from, files, made)
	if err != nil {
		return nil, err
	}
	st := newStage(places, false)
	defer func() {
		if err = errors.Join(err, st.end()); err != nil {
			n = nil
		}
	}()
	if err := st.acceptedFolder(); err != nil {
		return nil, err
	}
	changed := make(changes)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		data, err := newContents(from, files[name], name, changed)
		if err != nil {
			return nil, err
		}
		if _, err := st.write(name, bytes.NewReader(data), files[name].Executable); err != nil {
			return nil, err
		}
	}
	if err := st.commit(ctx, nil); err != nil {
		return nil, err
	}
	return &NewProblem{Folders: st.folders(), Problem: p, Changed: changed.list()}, nil
}

// opened reads the new package before it is written, so that it has no defects.
func opened(from *problem.Source, contents map[string]File, made []string) (*problem.Problem, error) {
	files := looseFS{held: make(fstest.MapFS), from: from, names: make(map[string]string)}
	for name, f := range contents {
		files.held[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		if f.Executable {
			files.held[name].Mode = 0o755
		}
		if f.From != "" {
			files.names[name] = f.From
		}
	}
	for _, name := range made {
		files.held["data/"+name+".in"], files.held["data/"+name+".ans"] = &fstest.MapFile{}, &fstest.MapFile{}
	}
	return problem.Open(files)
}

// isCaseFile reports whether a file is an input, output or answer.
func isCaseFile(name string) bool {
	below := strings.HasPrefix(name, "data/") || strings.HasPrefix(name, "generators/manual/")
	return below && slices.ContainsFunc([]string{".in", ".ans", ".out"},
		func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// newContents returns the contents of a file, and changes text as the format requires. Only
// cases must be text; other files that are not stay as they are.
func newContents(from *problem.Source, f File, name string, changed changes) ([]byte, error) {
	data := f.Data
	if f.From != "" {
		var err error
		if data, err = problem.ReadBounded(from, f.From, maxImported); err != nil {
			return nil, err
		}
	}
	text, what, err := asText(data)
	switch {
	case err == nil && bytes.IndexByte(data, 0) < 0:
		changed.add(what, cmp.Or(f.From, name))
		return text, nil
	case err != nil && isCaseFile(name):
		return nil, problem.Defectf(from.Where(cmp.Or(f.From, name)), "%v", err)
	}
	return data, nil
}
