package foreign

import (
	"context"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// A Conversion describes a problem made of a package of another format.
type Conversion struct {
	Format string // such as "Polygon"
	Made   int    // number of cases that judge gen must make
	Parts  Parts  // of the other package

	archive.NewProblem // Changed has submissions, too
}

// Convert makes a problem of a package of another format. It writes all of it or
// nothing; root and whole are as for [problem.Places]. Of the settings, those for a
// new problem apply. testlib is the path of testlib.h or of its folder, or "". If losses can
// change verdicts and are not accepted, it returns the parts and [ErrLosses].
func Convert(ctx context.Context, im archive.Import, from *problem.Source, root, id string, whole bool,
	testlib string) (*Conversion, error) {
	if err := im.Validate(id, nil); err != nil {
		return nil, err
	}
	p, err := Read(ctx, from, Options{ID: id, UUID: archive.NewUUID(), Name: im.Name, Time: im.TimeLimit,
		Memory: im.Memory, Testlib: testlib})
	if err != nil {
		return nil, err
	}
	c := &Conversion{Format: p.Format.Name, Made: len(p.Made), Parts: p.Parts}
	if err := p.Parts.Check(from.Path, im.AcceptLosses); err != nil {
		return c, err
	}
	made, err := archive.Create(ctx, from, p.Files, p.Made, problem.Places(root, id, whole))
	if err != nil {
		return nil, err
	}
	c.NewProblem = *made
	c.Changed = append(p.Changed, made.Changed...)
	return c, nil
}
