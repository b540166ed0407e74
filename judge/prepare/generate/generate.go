package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

const planFile = "generators/generators.yaml"

// A Result is one case that generators.yaml declares, or the settings of a folder
// of cases.
type Result struct {
	Name     string           // below data/, without extension
	Files    map[string]*File // by extension: ".in", ".ans"; "/test_group.yaml" of a folder; nil after an error
	Err      error            // a *[problem.Defect] if the package is at fault, otherwise a failure of the judge
	Warnings []error          // doubts about the case
	Ran      int              // how many programs ran; 0 if all files are from the cache
}

// Path returns the path below data/ of the file with an extension.
func (g *Result) Path(ext string) string { return strings.TrimPrefix(g.Name+ext, "/") }

// ErrUnsteady is the error of a case whose program made different files when it ran a
// second time.
var ErrUnsteady = errors.New("two runs differ")

// ErrEmptyAnswer is the error of a case whose answer a program left empty, so that a
// submission that prints nothing would be accepted.
var ErrEmptyAnswer = errors.New("empty answer")

// A kindError is a defect that is [ErrUnsteady] or [ErrEmptyAnswer].
type kindError struct {
	*problem.Defect
	kind error
}

func (e kindError) Is(target error) bool { return target == e.kind }
func (e kindError) Unwrap() error        { return e.Defect }

// Options are the settings of [Generate]. The zero value makes every case and uses the
// cache.
type Options struct {
	Cases      []string      // globs of names of cases below data/; nil means all
	NoCache    bool          // run every program, even if the cache has its files
	Twice      bool          // run every program twice, and compare the files
	Unverified bool          // run no validators
	AllowEmpty bool          // accept empty answers of programs
	Time       time.Duration // limit on the CPU time of one run; 0 means a minute
	Output     int64         // limit on the bytes of one file; 0 means 1 GiB
	// If not nil, called when work on a case begins and ends; calls do not overlap.
	Working func(done, of int, name string)
}

// ReadPlan reads the generators.yaml of a package. It returns nil if there is none.
func ReadPlan(fsys fs.FS) (*Plan, error) {
	data, err := readOptional(fsys, planFile, problem.MaxYAML)
	if data == nil || err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		return nil, err
	}
	return parse(problem.Where(fsys, planFile), data, p.Constants)
}

// Generate makes the cases of the plan, several at once. It passes the settings of
// folders to each and then the cases, in the order of the plan. A case that fails has
// an error and does not stop the others. The error of Generate is one that concerns
// all cases, or one that each returned. The files can be read until each returns.
func Generate(ctx context.Context, j *judge.Judge, fsys fs.FS, plan *Plan, o Options,
	each func(Result) error) error {
	g, err := newGeneration(j, fsys, plan, o)
	if err != nil {
		return err
	}
	err = g.all(ctx, each)
	return errors.Join(err, g.end())
}

// A generation is one call of Generate.
type generation struct {
	Options
	j       *judge.Judge
	plan    *Plan
	problem *problem.Problem // without its data
	fsys    fs.FS
	at      string // path of generators.yaml
	store   store
	limits  problem.Guarantee

	settings map[string]*File     // by path below data/
	shared   map[string]*caseWork // cases that other cases include, by name

	mu    sync.Mutex
	tools map[string]*tool // by kind and name
	keys  sync.Map         // a *sync.Mutex by key, so that two cases do not make the same run at once
}

func newGeneration(j *judge.Judge, fsys fs.FS, plan *Plan, o Options) (*generation, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(fsys, problem.WithLanguages(j.Languages))
	if err != nil {
		return nil, err
	}
	g := &generation{
		Options: o, j: j, plan: plan, problem: p, fsys: fsys, at: problem.Where(fsys, planFile), limits: judge.Preparing,
		settings: make(map[string]*File), shared: make(map[string]*caseWork), tools: make(map[string]*tool),
	}
	for _, c := range plan.cases {
		if c.includeOf != "" {
			g.shared[c.includeOf] = &caseWork{generation: g, casePlan: g.origin(&c)}
		}
	}
	if o.Time > 0 {
		g.limits.Time = o.Time
	}
	if o.Output > 0 {
		g.limits.Output = o.Output
	}
	if o.NoCache {
		dir, err := j.TempDir("made-")
		g.store = store{dir: dir, temporary: true}
		return g, err
	}
	cache, err := j.CacheDir()
	if err != nil {
		return nil, err
	}
	g.store = store{dir: filepath.Join(cache, "made")}
	return g, os.MkdirAll(g.store.dir, 0o755)
}

func (g *generation) end() error {
	if g.store.temporary {
		return osfile.RemoveAll(g.store.dir)
	}
	osfile.Prune(g.store.dir, makingPrefix, maxStoreBytes)
	return nil
}

// origin returns the case that a case includes, or the case itself.
func (g *generation) origin(c *casePlan) *casePlan {
	if c.includeOf != "" {
		return &g.plan.cases[g.plan.index[c.includeOf]]
	}
	return c
}

// defect returns a defect of a case.
func (g *generation) defect(c *casePlan, format string, args ...any) *problem.Defect {
	return defectAt(g.at, c.at, "%s: %s", c.name, fmt.Sprintf(format, args...))
}

// defectAt returns a defect at a value of a file, or of the file if at is nil.
func defectAt(file string, at *yaml.Node, format string, args ...any) *problem.Defect {
	d := problem.Defectf(file, format, args...)
	if at != nil {
		d.Line, d.Column = at.Line(), at.Column()
	}
	return d
}

// unsteady returns the error that two runs of a program made different files.
func (g *generation) unsteady(c *casePlan, program, ext, difference string) error {
	return kindError{g.defect(c, "two runs of %s made different %s: %s", program, caseFile(ext), difference), ErrUnsteady}
}

// selects reports whether Options.Cases select a case.
func (g *generation) selects(name string) bool {
	return g.Cases == nil || slices.ContainsFunc(g.Cases,
		func(globs string) bool { return problem.GlobCovers(globs, name) })
}

// all makes the selected cases and passes them to each in order.
func (g *generation) all(ctx context.Context, each func(Result) error) error {
	var cases []*casePlan
	var results []chan Result
	for i := range g.plan.cases {
		if c := &g.plan.cases[i]; g.selects(c.name) {
			cases, results = append(cases, c), append(results, make(chan Result, 1))
		}
	}
	if err := g.passSettings(cases, each); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	var mu sync.Mutex
	done := 0
	progress := func(name string, more int) {
		if g.Working != nil {
			mu.Lock()
			defer mu.Unlock()
			done += more
			g.Working(done, len(cases), name)
		}
	}
	var next atomic.Int64
	for range min(g.j.Workers(), len(cases)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(cases) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				progress(cases[i].name, 0)
				one := g.one(ctx, cases[i])
				progress(cases[i].name, 1)
				results[i] <- one
			}
		})
	}
	for i, c := range cases {
		select {
		case one := <-results[i]:
			if err := context.Cause(ctx); err != nil {
				return err
			}
			one.Err = g.explain(c, one.Err)
			if err := each(one); err != nil {
				return err
			}
			if g.store.temporary && g.shared[g.origin(c).name] == nil {
				for _, f := range one.Files {
					if f.path != "" {
						os.Remove(f.path)
					}
				}
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// one makes and checks one case.
func (g *generation) one(ctx context.Context, c *casePlan) Result {
	one := Result{Name: c.name}
	m := g.shared[g.origin(c).name]
	if m == nil {
		m = &caseWork{generation: g, casePlan: c}
	}
	m.once.Do(func() { m.err = m.make(ctx); one.Ran = m.ran })
	if one.Err = m.err; m.err != nil {
		if of := m.casePlan; of != c && of.name != c.name && g.selects(of.name) {
			one.Err = g.defect(c, "includes %s, which failed", of.name) // that case has the error
		}
		return one
	}
	checked := &caseWork{generation: g, casePlan: c, files: m.files, answered: m.answered}
	if one.Warnings, one.Err = checked.match(); one.Err == nil && !g.Unverified {
		one.Err = checked.validate(ctx)
		one.Ran += checked.ran
	}
	if one.Err == nil {
		one.Files = m.files
	}
	return one
}
