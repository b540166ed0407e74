package generate

import (
	"context"
	"errors"
	"maps"
	"slices"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
)

// A Comparison is the result of [Compare].
type Comparison struct {
	Checked int     // how many cases were made
	Skipped string  // why nothing could be compared; "" otherwise
	Doubts  []error // probable mistakes in generators.yaml
	Broken  []error // differences between the package and its generators.yaml, each with its file
}

// Compare makes the data of a package again, without the cache, and compares it with
// the data in the package. It calls working as [Generate] does. The error is a failure
// of the judge.
func Compare(ctx context.Context, j *judge.Judge, p *problem.Problem,
	working func(done, of int, name string)) (Comparison, error) {
	plan, err := ReadPlan(p.FS)
	if err == nil && plan == nil {
		return Comparison{Skipped: "there is no " + planFile}, nil
	}
	var pins, given Pins
	if err == nil {
		pins, err = ReadPins(p.FS)
	}
	if err == nil {
		given, err = ReadGiven(p.FS)
	}
	if err != nil {
		return Comparison{Broken: []error{err}}, nil
	}
	g, err := newGeneration(j, p.FS, plan, Options{NoCache: true, Unverified: true, AllowEmpty: true, Working: working})
	if err != nil {
		return Comparison{Broken: plan.Warnings}, err
	}
	c := dataComparison{generation: g, p: p, Comparison: Comparison{Doubts: plan.Doubts, Broken: plan.Warnings},
		pins: maps.Clone(pins), given: given}
	err = errors.Join(g.all(ctx, func(one Result) error { return c.compare(ctx, one) }), g.end())
	if ctx.Err() != nil {
		return c.Comparison, context.Cause(ctx)
	}
	c.unplanned()
	if c.unusable != nil && c.Broken == nil {
		c.Skipped = c.unusable.Error()
		return c.Comparison, nil
	}
	return c.Comparison, errors.Join(append(c.errs, err)...)
}

// A dataComparison is one call of Compare.
type dataComparison struct {
	*generation
	Comparison
	p        *problem.Problem
	pins     Pins  // of files that are not compared yet; nil if the package has none
	given    Pins  // nil if the package has none
	unusable error // the error of a case in a language that this machine does not have
	errs     []error
}

func (c *dataComparison) breaks(at, format string, args ...any) {
	c.Broken = append(c.Broken, problem.Defectf(c.p.Where(at), format, args...))
}

// compare compares one case, or the settings of a folder, with the package.
func (c *dataComparison) compare(ctx context.Context, one Result) error {
	var of *casePlan
	if i, ok := c.plan.index[one.Name]; ok {
		of = c.origin(&c.plan.cases[i])
		c.Checked++
	}
	var defect *problem.Defect
	var unusable *build.UnusableError
	switch {
	case errors.As(one.Err, &unusable):
		c.unusable = one.Err
		return nil
	case errors.As(one.Err, &defect):
		c.Broken = append(c.Broken, one.Err)
		return nil
	case one.Err != nil:
		c.errs = append(c.errs, one.Err)
		return nil
	}
	c.Broken = append(c.Broken, one.Warnings...)
	var second *caseWork
	for _, ext := range slices.Sorted(maps.Keys(one.Files)) {
		made, name := one.Files[ext], one.Path(ext)
		have, err := packageFile(c.p.FS, "data/"+name)
		if err != nil {
			c.Broken = append(c.Broken, err)
			delete(c.pins, name)
			continue
		}
		c.pin(name, have)
		if have.Sum == made.Sum {
			continue // two runs made the same file: an earlier one and this one
		}
		// A second run shows whether the program makes different files in each run.
		if second == nil && of != nil && one.Ran > 0 {
			second = &caseWork{generation: c.generation, casePlan: of}
			if err := second.make(ctx); err != nil {
				c.Broken = append(c.Broken, err)
				return nil
			}
		}
		if err := c.differs(name, ext, have, made, second); err != nil {
			return err
		}
	}
	return nil
}

// differs adds the difference between a file of the package and the generated file to
// Broken or, if second is not nil and made another file, the difference between the two
// generated files.
func (c *dataComparison) differs(name, ext string, have, made *File, second *caseWork) error {
	if second != nil && second.files[ext] != nil {
		differ, err := difference(made, second.files[ext])
		if err != nil {
			return err
		}
		if differ != "" {
			program := "generator " + second.program
			if ext == ".ans" && second.answered {
				program = "solution " + second.solution
			}
			c.Broken = append(c.Broken, c.unsteady(second.casePlan, program, ext, differ))
			return nil
		}
	}
	differ, err := difference(have, made)
	if err == nil {
		c.breaks("data/"+name, "differs from what %s makes (%s); judge gen %s makes it again", planFile, differ, c.p.ID)
	}
	return err
}

// pin compares a file of the package with its pin and its given sum.
func (c *dataComparison) pin(name string, have *File) {
	if sum, ok := c.given[name]; ok && sum != have.Sum {
		c.breaks("data/"+name, "its SHA-256 differs from the one in %s", GivenFile)
	}
	if c.pins == nil {
		return
	}
	sum, ok := c.pins[name]
	delete(c.pins, name)
	switch {
	case !ok:
		c.breaks(PinsFile, "has no pin of %s", name)
	case sum != have.Sum:
		c.breaks("data/"+name, "its SHA-256 differs from the one in %s", PinsFile)
	}
}

// unplanned reports pins and cases that generators.yaml does not make.
func (c *dataComparison) unplanned() {
	for _, name := range slices.Sorted(maps.Keys(c.pins)) {
		owner, _ := ownerOf(name)
		if _, ok := c.plan.index[owner]; !ok { // otherwise the case has an error
			c.breaks(PinsFile, "%s is pinned, but generators.yaml does not make it; judge gen --prune %s removes it", name,
				c.p.ID)
		}
	}
	roots := c.plan.roots()
	for _, k := range slices.Concat(c.p.Cases, c.p.InvalidInput, c.p.InvalidOutput, c.p.ValidOutput) {
		if _, ok := c.plan.index[k.Name]; !ok && roots[rootOf(k.Name)] && k.Static == nil {
			c.breaks(k.Path(".in"), "is not in %s", planFile)
		}
	}
}
