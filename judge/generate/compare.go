package generate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
)

// checkGenerated makes the data again, without what the cache has of it, and
// compares. What differs is made once more, to tell a change from a generator
// that makes something else each time: what does not differ has been made
// twice already, once for the package and once now.
func compareData(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Comparison, working func(done, of int, name string)) error {
	plan, err := ReadPlan(p.FS)
	if err == nil && plan == nil {
		promise.Skipped = "there is no " + generatorsFile
		return nil
	}
	var pins Pins
	if err == nil {
		pins, err = ReadPins(p.FS)
	}
	if err != nil {
		promise.Broken = append(promise.Broken, err)
		return nil
	}
	promise.Broken = append(promise.Broken, plan.Warnings...)
	g, err := newGeneration(j, p.FS, plan, Generating{NoCache: true, Blindly: true, Working: working})
	if err != nil {
		return err
	}
	v := regenerated{g: g, p: p, promise: promise, pinned: maps.Clone(pins), pinsAll: pins != nil}
	err = errors.Join(g.all(ctx, func(one Generated) error { return v.compare(ctx, one) }), g.end())
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	v.unplanned()
	if v.unusable != nil && promise.Broken == nil {
		promise.Skipped = v.unusable.Error()
		return nil
	}
	return errors.Join(append(v.errs, err)...)
}

// A regenerated gathers what comes out when data is made again.
type regenerated struct {
	g        *generation
	p        *problem.Problem
	promise  *Comparison
	pinned   Pins // those that were not met yet
	pinsAll  bool
	unusable error // the first language that this machine does not have
	errs     []error
}

// compare holds one case against what the package has.
func (v *regenerated) compare(ctx context.Context, one Generated) error {
	i, isCase := v.g.index[one.Name]
	if isCase {
		v.promise.Checked++
	}
	var defect *problem.Defect
	var unusable *build.UnusableError
	switch {
	case errors.As(one.Err, &unusable):
		v.unusable = one.Err
		return nil
	case errors.As(one.Err, &defect):
		v.promise.Broken = append(v.promise.Broken, one.Err)
		return nil
	case one.Err != nil:
		v.errs = append(v.errs, one.Err)
		return nil
	}
	v.promise.Broken = append(v.promise.Broken, one.Warnings...)
	var second map[string]*Made
	for _, ext := range slices.Sorted(maps.Keys(one.Files)) {
		name := "data/" + one.Path(ext)
		if !v.pin(one.Path(ext)) {
			continue
		}
		made := one.Files[ext]
		if made.is(v.p.FS, name) {
			continue
		}
		if second == nil && isCase && one.Ran > 0 {
			var err error
			if second, _, err = v.g.makeNow(ctx, v.g.origin(i)); err != nil {
				v.promise.Broken = append(v.promise.Broken, err)
				return nil
			}
		}
		if err := v.tell(one, ext, second[ext]); err != nil {
			return err
		}
	}
	return nil
}

// tell says how a file differs from what was made.
func (v *regenerated) tell(one Generated, ext string, second *Made) error {
	name, made := "data/"+one.Path(ext), one.Files[ext]
	if second != nil && second.Sum != made.Sum {
		how, err := made.differsFrom(second)
		if err == nil {
			c := v.g.origin(v.g.index[one.Name])
			v.promise.Broken = append(v.promise.Broken, v.g.defect(c, "two runs of %s made different %s: %s", v.g.maker(c, ext), caseFile(ext), how))
		}
		return err
	}
	have, err := madeBy(v.p.FS, name)
	var defect *problem.Defect
	if errors.As(err, &defect) {
		v.promise.Broken = append(v.promise.Broken, err)
		return nil
	}
	if err != nil {
		return err
	}
	how, err := have.differsFrom(made)
	if err == nil {
		v.promise.breaks(v.p.Where(name), "is not what %s makes (%s); judge gen %s makes it anew", generatorsFile, how, v.p.ID)
	}
	return err
}

// origin returns a case of the plan, or the one that it includes.
func (g *generation) origin(i int) *Case {
	if of := g.plan.Cases[i].IncludeOf; of != "" {
		i = g.index[of]
	}
	return &g.plan.Cases[i]
}

// maker names what makes a file of a case.
func (g *generation) maker(c *Case, ext string) string {
	if ext == ".ans" && g.bySolution[g.index[c.Name]].Load() {
		return "solution " + c.Solution
	}
	return "generator " + c.Program
}

// differsFrom says where two files first differ.
func (m *Made) differsFrom(other *Made) (string, error) {
	a, err := m.open()
	if err != nil {
		return "", err
	}
	defer a.Close()
	b, err := other.open()
	if err != nil {
		return "", err
	}
	defer b.Close()
	return firstDifference(a, b)
}

// pin holds a file of the package against its pin. It reports whether the file
// is there to be looked at further.
func (v *regenerated) pin(name string) bool {
	have, err := madeBy(v.p.FS, "data/"+name)
	if err != nil {
		v.promise.Broken = append(v.promise.Broken, err)
		delete(v.pinned, name)
		return false
	}
	if !v.pinsAll {
		return true
	}
	pin, ok := v.pinned[name]
	delete(v.pinned, name)
	switch {
	case !ok:
		v.promise.breaks(v.p.Where(PinsFile), "%s is not pinned", name)
	case pin != have.Sum:
		v.promise.breaks(v.p.Where("data/"+name), "has another SHA-256 than %s pins", PinsFile)
	}
	return true
}

// unplanned tells of pins and cases that nothing makes.
func (v *regenerated) unplanned() {
	for _, name := range slices.Sorted(maps.Keys(v.pinned)) {
		owner, _ := ownerOf(name)
		if _, ok := v.g.index[owner]; ok {
			continue // it could not be made, or has lost this file, as is told
		}
		v.promise.breaks(v.p.Where(PinsFile), "%s is pinned, and nothing makes it; judge gen --prune %s removes it", name, v.p.ID)
	}
	roots := rootsOf(v.g.plan)
	for _, list := range [][]*problem.Case{v.p.Cases, v.p.InvalidInput, v.p.InvalidOutput, v.p.ValidOutput} {
		for _, c := range list {
			root, _, _ := strings.Cut(c.Name, "/")
			if _, ok := v.g.index[c.Name]; !ok && roots[root] && c.Static == nil {
				v.promise.breaks(v.p.Where(c.Path(".in")), "is not in %s", generatorsFile)
			}
		}
	}
}

// A Comparison is what came out when a package's data was made again.
type Comparison struct {
	Checked int     // cases that were made
	Skipped string  // why nothing could be compared; "" otherwise
	Broken  []error // each names the file that is not as it is made
}

func (c *Comparison) breaks(at, format string, args ...any) {
	c.Broken = append(c.Broken, &problem.Defect{File: at, Msg: fmt.Sprintf(format, args...)})
}

// Compare makes the package's data again and compares it with the package's
// own. The error is the judge's failure.
func Compare(ctx context.Context, j *judge.Judge, p *problem.Problem, working func(done, of int, name string)) (Comparison, error) {
	var c Comparison
	err := compareData(ctx, j, p, &c, working)
	return c, err
}
