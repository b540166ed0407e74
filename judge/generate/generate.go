package generate

import (
	"context"
	"crucible/judge/glob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

const (
	generatorsFile = "generators/generators.yaml"
	// PinsFile is the file in a package that holds the hashes of its generated
	// data, in the format of sha256sum.
	PinsFile = "generators/data.sha256"
)

// A Generated is one case as generators.yaml makes it, or the settings of a
// folder of cases.
type Generated struct {
	Name     string           // below data/, without extension
	Files    map[string]*Made // by extension: ".in", ".ans"; "/test_group.yaml" of a folder; nil if it could not be made
	Err      error            // why it could not be made: a *[problem.Defect] when the package is at fault, else the judge's failure
	Warnings []error          // doubts about it
	Ran      int              // programs that ran for it; 0 if all was there from before
}

// Path returns the path below data/ of its file with that extension.
func (g *Generated) Path(ext string) string { return strings.TrimPrefix(g.Name+ext, "/") }

// ErrUnsteady is what a case's error is that came out differently when it was
// made a second time.
var ErrUnsteady = errors.New("two runs differ")

// Generating says how to generate. The zero value makes every case, and takes
// what was made before and is unchanged from the cache.
type Generating struct {
	Cases   []string                        // globs of names of cases below data/; nil is all
	NoCache bool                            // run everything, whatever was made before
	Twice   bool                            // run everything twice, and compare
	Blindly bool                            // ask no validator
	Time    time.Duration                   // CPU time of one run; 0 means a minute
	Output  int64                           // bytes of one file; 0 means 1 GiB
	Working func(done, of int, name string) // called when work on a case begins or ends, one at a time, if not nil
}

// ReadPlan reads the package's generators.yaml. It is nil if there is none.
func ReadPlan(fsys fs.FS) (*Plan, error) {
	if problem.Absent(fsys, generatorsFile) {
		return nil, nil
	}
	data, err := problem.ReadBounded(fsys, generatorsFile, problem.MaxYAML)
	if err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		return nil, err
	}
	return Parse(problem.Where(fsys, generatorsFile), data, p.Constants)
}

// ReadPins reads the package's data.sha256. It is nil if there is none.
func ReadPins(fsys fs.FS) (Pins, error) {
	if problem.Absent(fsys, PinsFile) {
		return nil, nil
	}
	data, err := problem.ReadBounded(fsys, PinsFile, problem.MaxProgramBytes)
	if err != nil {
		return nil, err
	}
	return ParsePins(problem.Where(fsys, PinsFile), data)
}

// Generate makes the cases of the plan, several at once, and passes each on in
// the order of the plan, settings of folders first. One that cannot be made
// has an error of its own, and the others are made all the same. The error is
// for what keeps all of them from being made, or what told returned. What was
// made can be read until told returns.
func Generate(ctx context.Context, j *judge.Judge, fsys fs.FS, plan *Plan, how Generating, told func(Generated) error) error {
	g, err := newGeneration(j, fsys, plan, how)
	if err != nil {
		return err
	}
	err = g.all(ctx, told)
	return errors.Join(err, g.end())
}

// A generation is one call of Generate.
type generation struct {
	j       *judge.Judge
	how     Generating
	plan    *Plan
	problem *problem.Problem // as far as it is known without its data
	fsys    fs.FS
	at      string // generators.yaml
	store   store
	limits  problem.Guarantee

	settings map[string]*Made // by path below data/
	index    map[string]int   // of cases in the plan, by name
	included map[string]bool  // by name: whether another case is the same

	bySolution []atomic.Bool // by index in the plan: whether a solution made the answer

	mu    sync.Mutex
	tools map[string]*tool       // by path in the package, or name of the plan's
	begun map[string]*making     // by name of case, for those that are included
	keys  map[string]*sync.Mutex // by key, so that the same is not made twice at once
}

// A making is one case that is made once, though others include it.
type making struct {
	once  sync.Once
	files map[string]*Made
	ran   int
	err   error
}

func newGeneration(j *judge.Judge, fsys fs.FS, plan *Plan, how Generating) (*generation, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		return nil, err
	}
	g := &generation{
		j: j, how: how, plan: plan, problem: p, fsys: fsys, at: problem.Where(fsys, generatorsFile), limits: judge.Preparing,
		settings: make(map[string]*Made), index: make(map[string]int), included: make(map[string]bool), tools: make(map[string]*tool), begun: make(map[string]*making), keys: make(map[string]*sync.Mutex),
	}
	g.bySolution = make([]atomic.Bool, len(plan.Cases))
	for i, c := range plan.Cases {
		g.index[c.Name] = i
		if c.IncludeOf != "" {
			g.included[c.IncludeOf] = true
		}
	}
	if how.Time > 0 {
		g.limits.Time = how.Time
	}
	if how.Output > 0 {
		g.limits.Output = how.Output
	}
	cache, err := j.CacheDir()
	if err != nil {
		return nil, err
	}
	g.store = store{dir: filepath.Join(cache, "made"), recalls: !how.NoCache}
	if how.NoCache {
		dir, err := j.TempDir("made-")
		if err != nil {
			return nil, err
		}
		g.store = store{dir: dir, passing: true}
	}
	return g, os.MkdirAll(g.store.dir, 0o755)
}

func (g *generation) end() error {
	if g.store.passing {
		return osfile.RemoveAll(g.store.dir)
	}
	g.store.prune()
	return nil
}

// defect is what the package did wrong about a case.
func (g *generation) defect(c *Case, format string, args ...any) error {
	return &problem.Defect{File: g.at, Line: c.Line, Column: c.Column, Msg: c.Name + ": " + fmt.Sprintf(format, args...)}
}

// chosen lists the cases to be made, by their index in the plan.
func (g *generation) chosen() []int {
	var all []int
	for i := range g.plan.Cases {
		if g.chooses(g.plan.Cases[i].Name) {
			all = append(all, i)
		}
	}
	return all
}

func (g *generation) chooses(name string) bool {
	return g.how.Cases == nil || slices.ContainsFunc(g.how.Cases, func(globs string) bool { return glob.Covers(globs, name) })
}

// all makes the chosen cases, and tells of them in order.
func (g *generation) all(ctx context.Context, told func(Generated) error) error {
	chosen := g.chosen()
	if err := g.tellSettings(chosen, told); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	work := make(chan int, len(chosen))
	made := make([]chan Generated, len(chosen))
	for i := range chosen {
		work <- i
		made[i] = make(chan Generated, 1)
	}
	close(work)
	progress := g.progress(len(chosen))
	for range min(g.j.Workers(), len(chosen)) {
		wg.Go(func() {
			for i := range work {
				if ctx.Err() != nil {
					return
				}
				c := &g.plan.Cases[chosen[i]]
				progress(c.Name, 0)
				one := g.one(ctx, c)
				progress(c.Name, 1)
				made[i] <- one
			}
		})
	}
	for i := range chosen {
		select {
		case one := <-made[i]:
			if err := context.Cause(ctx); err != nil {
				return err
			}
			one.Err = g.tellOnce(&g.plan.Cases[chosen[i]], one.Err)
			if err := told(one); err != nil {
				return err
			}
			g.forget(one)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// progress returns what tells how far the work is.
func (g *generation) progress(of int) func(name string, more int) {
	var mu sync.Mutex
	done := 0
	return func(name string, more int) {
		if g.how.Working == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		done += more
		g.how.Working(done, of, name)
	}
}

// forget removes the files of a case that has been passed on, if they are not
// kept for another day or another case.
func (g *generation) forget(one Generated) {
	if !g.store.passing {
		return
	}
	if i, ok := g.index[one.Name]; ok && (g.included[one.Name] || g.plan.Cases[i].IncludeOf != "") {
		return
	}
	for _, m := range one.Files {
		if m.passing {
			os.Remove(m.path)
		}
	}
}

// one makes one case, and looks whether it may be what it is.
func (g *generation) one(ctx context.Context, c *Case) Generated {
	one := Generated{Name: c.Name}
	if one.Files, one.Ran, one.Err = g.make(ctx, c); one.Err != nil {
		one.Files = nil
		return one
	}
	if one.Warnings, one.Err = g.match(c, one.Files); one.Err == nil && !g.how.Blindly {
		var ran int
		ran, one.Err = g.examine(ctx, c, one.Files)
		one.Ran += ran
	}
	if one.Err != nil {
		one.Files = nil
	}
	return one
}

// make makes one case, or takes over the case that it includes.
func (g *generation) make(ctx context.Context, c *Case) (files map[string]*Made, ran int, err error) {
	if c.IncludeOf != "" {
		of := &g.plan.Cases[g.index[c.IncludeOf]]
		files, ran, err = g.makeOnce(ctx, of)
		if err != nil && g.chooses(of.Name) {
			// What is wrong is told of that case.
			return nil, ran, g.defect(c, "includes %s, which could not be made", of.Name)
		}
		return files, 0, err
	}
	if g.included[c.Name] {
		return g.makeOnce(ctx, c)
	}
	return g.makeNow(ctx, c)
}

func (g *generation) makeOnce(ctx context.Context, c *Case) (map[string]*Made, int, error) {
	g.mu.Lock()
	m := g.begun[c.Name]
	if m == nil {
		m = new(making)
		g.begun[c.Name] = m
	}
	g.mu.Unlock()
	ran := 0
	m.once.Do(func() {
		m.files, m.ran, m.err = g.makeNow(ctx, c)
		ran = m.ran
	})
	return m.files, ran, m.err
}

// makeNow makes one case: the program's files, over them what is copied, over
// them what is written out, then the answer, and last what is the same as
// another file.
func (g *generation) makeNow(ctx context.Context, c *Case) (files map[string]*Made, ran int, err error) {
	files = make(map[string]*Made)
	if c.Program != "" {
		if ran, err = g.run(ctx, c, files); err != nil {
			return nil, ran, err
		}
	}
	if c.Copy != "" {
		if err := g.copy(c, files); err != nil {
			return nil, ran, err
		}
	}
	for ext, text := range c.Files {
		files[ext] = MadeOf([]byte(text))
	}
	if c.YAML != nil {
		files[".yaml"] = MadeOf(FormatYAML(c.YAML))
	}
	if err := g.describe(c, files); err != nil {
		return nil, ran, err
	}
	if err := g.link(c, files, ".in"); err != nil {
		return nil, ran, err
	}
	if files[".in"] == nil && !(files[".in.download"] != nil && (files[".in.statement"] != nil || files[".interaction"] != nil)) {
		return nil, ran, g.defect(c, "has no input: neither program, copy nor text makes one")
	}
	if files[".ans"] == nil && !c.NoSolution && files[".in"] != nil {
		more, err := g.answer(ctx, c, files)
		if ran += more; err != nil {
			return nil, ran, err
		}
	}
	if err := g.link(c, files, ".ans"); err != nil {
		return nil, ran, err
	}
	return files, ran, g.complete(c, files)
}

// link makes the files of a kind that are the same as another.
func (g *generation) link(c *Case, files map[string]*Made, kind string) error {
	for _, ext := range slices.Sorted(maps.Keys(c.Links)) {
		from := c.Links[ext]
		if !strings.HasPrefix(ext, kind) {
			continue
		}
		if files[from] == nil {
			return g.defect(c, "%s is to be the same as %s, which nothing makes", ext[1:], from[1:])
		}
		files[ext] = files[from]
	}
	return nil
}

// complete tells of files that a case must have.
func (g *generation) complete(c *Case, files map[string]*Made) error {
	root, _, _ := strings.Cut(c.Name, "/")
	var needs []string
	switch root {
	case "sample", "secret":
		needs = []string{".ans"}
	case "valid_output", "invalid_output":
		needs = []string{".ans", ".out"}
	}
	for _, ext := range needs {
		switch {
		case files[ext] != nil || files[".in"] == nil:
		case ext == ".ans" && (root == "sample" || root == "secret"):
			return g.defect(c, "has no answer: no solution makes one, and nothing else does")
		default:
			return g.defect(c, "has no %s: want the key %s, or a generator or copy that makes it", ext, ext[1:])
		}
	}
	return nil
}

// describe puts what describes a case into its .yaml, where the package's
// format has no files of their own for it.
func (g *generation) describe(c *Case, files map[string]*Made) error {
	const longest = 64 << 10
	var more []Text
	for _, one := range []struct{ ext, key string }{{".desc", "description"}, {".hint", "hint"}} {
		m := files[one.ext]
		if m == nil || g.knowsExtension(one.ext) {
			continue
		}
		text, err := m.text(longest)
		if err != nil {
			return g.defect(c, "%s: %v", one.ext[1:], err)
		}
		more = append(more, Text{Key: one.key, Value: strings.TrimRight(string(text), "\n")})
		delete(files, one.ext)
	}
	if more == nil {
		return nil
	}
	node := c.YAML
	if m := files[".yaml"]; m != nil && node == nil {
		text, err := m.text(problem.MaxYAML)
		if err == nil {
			node, _, err = yaml.ParseLast("data/"+c.Name+".yaml", text)
		}
		if err != nil {
			return g.defect(c, "%v", err)
		}
	}
	for _, m := range more {
		if node != nil && node.Get(m.Key) != nil {
			return g.defect(c, "has its %s twice, the second time in yaml", m.Key)
		}
	}
	files[".yaml"] = MadeOf(FormatYAML(node, more...))
	return nil
}

// knowsExtension reports whether a case's files may end so in the package's
// version of the format.
func (g *generation) knowsExtension(ext string) bool {
	return slices.Contains(g.problem.Spec().CaseExtensions, ext)
}
