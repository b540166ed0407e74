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

	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// A Conversion describes a problem made of a package of another format.
type Conversion struct {
	Format  string   // such as "Polygon"
	Folders []string // of the new problem
	Problem *problem.Problem
	Made    int           // number of cases that judge gen must make
	Changed []Change      // changes of the imported text, and of submissions
	Parts   foreign.Parts // of the other package
}

// IsForeign reports whether a folder or zip is a package of another format.
func IsForeign(from *problem.Source) bool {
	f, _ := foreign.Detect(from)
	return f != nil
}

// Convert makes a problem of a package of another format. It writes all of it or
// nothing; root and whole are as for [problem.Places]. Of the settings, the ones for a
// new problem apply. testlib is the path of testlib.h or of its folder, or "". If losses can
// change verdicts and are not accepted, it returns the parts and [foreign.ErrLosses].
func (im Import) Convert(ctx context.Context, from *problem.Source, root, id string, whole bool,
	testlib string) (c *Conversion, err error) {
	if err := im.validate(id, nil); err != nil {
		return nil, err
	}
	p, err := foreign.Read(ctx, from, foreign.Options{ID: id, UUID: NewUUID(), Name: im.Name, Time: im.TimeLimit,
		Memory: im.Memory, Testlib: testlib})
	if err != nil {
		return nil, err
	}
	c = &Conversion{Format: p.Format.Name, Made: len(p.Made), Parts: p.Parts}
	if err := p.Parts.Check(from.Path, im.AcceptLosses); err != nil {
		return c, err
	}
	c.Changed = append(c.Changed, p.Changed...)
	if c.Problem, err = opened(p, from); err != nil {
		return nil, err
	}
	st := newStage(problem.Places(root, id, whole), false)
	defer func() {
		if err = errors.Join(err, st.end()); err != nil {
			c = nil
		}
	}()
	if err := st.acceptedFolder(); err != nil {
		return nil, err
	}
	if err := c.write(ctx, p, from, st); err != nil {
		return nil, err
	}
	if err := st.commit(ctx, nil); err != nil {
		return nil, err
	}
	c.Folders = st.folders()
	return c, nil
}

// opened reads the new package before it is written, so that it has no defects.
func opened(p *foreign.Package, from *problem.Source) (*problem.Problem, error) {
	files := looseFS{held: make(fstest.MapFS), from: from, names: make(map[string]string)}
	for name, f := range p.Files {
		files.held[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		if f.Executable {
			files.held[name].Mode = 0o755
		}
		if f.From != "" {
			files.names[name] = f.From
		}
	}
	for _, name := range p.Made {
		files.held["data/"+name+".in"], files.held["data/"+name+".ans"] = &fstest.MapFile{}, &fstest.MapFile{}
	}
	return problem.Open(files)
}

// write writes the files of the package.
func (c *Conversion) write(ctx context.Context, p *foreign.Package, from *problem.Source, st *stage) error {
	changed := make(changes)
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		data, err := newContents(from, p.Files[name], name, changed)
		if err != nil {
			return err
		}
		if _, err := st.write(name, bytes.NewReader(data), p.Files[name].Executable); err != nil {
			return err
		}
	}
	c.Changed = append(c.Changed, changed.list()...)
	return nil
}

// isCaseFile reports whether a file is an input, output or answer.
func isCaseFile(name string) bool {
	below := strings.HasPrefix(name, "data/") || strings.HasPrefix(name, "generators/manual/")
	return below && slices.ContainsFunc([]string{".in", ".ans", ".out"},
		func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// newContents returns the contents of a file, and changes text as the format requires. Only
// cases must be text; other files that are not stay as they are.
func newContents(from *problem.Source, f foreign.File, name string, changed changes) ([]byte, error) {
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
