package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"crypto/sha256"

	"crucible/judge/gen"
	"crucible/judge/sandbox"
)

const (
	generatorsFile = "generators/generators.yaml"
	// PinsFile is the file in a package that holds the hashes of its generated
	// data, in the format of sha256sum.
	PinsFile = "generators/data.sha256"
)

const generatingOutput = 1 << 30

// preparing bounds what runs while a package is prepared: generators, the
// solutions that answer, input validators. The format sets them no limits
// (2025-09, "Resource guarantees"); these keep a slip from filling the machine.
var preparing = Guarantee{Time: 60 * time.Second, Memory: defaultGuaranteed, Output: generatingOutput}

// A Generated is one case as generators.yaml makes it.
type Generated struct {
	Name  string
	Files map[string][]byte // by extension: ".in", ".ans"
}

// Plan reads the package's generators.yaml. It is nil if there is none.
func Plan(fsys fs.FS) (*gen.Plan, error) {
	if _, err := fs.Stat(fsys, generatorsFile); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, err := readBounded(fsys, generatorsFile, maxYAML)
	if err != nil {
		return nil, err
	}
	return gen.Parse(where(fsys, generatorsFile), data, nil)
}

// Pins reads the package's data.sha256. It is nil if there is none.
func Pins(fsys fs.FS) (gen.Pins, error) {
	if _, err := fs.Stat(fsys, PinsFile); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, err := readBounded(fsys, PinsFile, maxProgramBytes)
	if err != nil {
		return nil, err
	}
	return gen.ParsePins(where(fsys, PinsFile), data)
}

// Generate makes every case of the plan, in order, and passes it on. It stops
// at the first error: a *[Defect] when the package is at fault, such as a
// generator that fails.
func (j *Judge) Generate(ctx context.Context, fsys fs.FS, plan *gen.Plan, made func(Generated) error) error {
	if err := j.start(); err != nil {
		return err
	}
	g := generation{j: j, fsys: fsys, plan: plan, at: where(fsys, generatorsFile), inputs: make(map[string]map[string][]byte)}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		files, err := g.make(ctx, c)
		if err != nil {
			return err
		}
		for _, later := range plan.Cases[i+1:] {
			if later.IncludeOf == c.Name {
				g.inputs[c.Name] = files
			}
		}
		if err := made(Generated{c.Name, files}); err != nil {
			return err
		}
	}
	return nil
}

type generation struct {
	j      *Judge
	fsys   fs.FS
	plan   *gen.Plan
	at     string
	inputs map[string]map[string][]byte // cases that later ones include
}

func (g *generation) defect(c *gen.Case, format string, args ...any) error {
	return &Defect{File: g.at, Line: c.Line, Column: c.Column, Msg: c.Name + ": " + fmt.Sprintf(format, args...)}
}

// make makes one case: the program's files, over them what is copied, over
// them what is written out, and last the answer.
func (g *generation) make(ctx context.Context, c *gen.Case) (map[string][]byte, error) {
	if c.IncludeOf != "" {
		return g.inputs[c.IncludeOf], nil
	}
	files := make(map[string][]byte)
	if c.Program != "" {
		if err := g.run(ctx, c, files); err != nil {
			return nil, err
		}
	}
	if c.Copy != "" {
		if err := g.copy(c, files); err != nil {
			return nil, err
		}
	}
	for ext, text := range c.Files {
		files[ext] = []byte(text)
	}
	for ext, from := range c.Links {
		files[ext] = files[from]
	}
	if files[".in"] == nil {
		return nil, g.defect(c, "has no input: neither program, copy nor text makes one")
	}
	if files[".ans"] == nil && !c.NoSolution {
		if err := g.answer(ctx, c, files); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// run runs the case's program. It prints the input, or writes testcase.in and
// perhaps testcase.ans to its working folder.
func (g *generation) run(ctx context.Context, c *gen.Case, files map[string][]byte) error {
	program, err := g.program(c)
	if err != nil {
		return err
	}
	b, err := g.j.program(ctx, program, preparing)
	if err != nil {
		return err
	}
	out, err := g.j.generating(ctx, b, c.Args, nil, files, func(why string) error {
		return g.defect(c, "%s %s: %s", c.Program, strings.Join(c.Args, " "), why)
	})
	if err != nil {
		return err
	}
	if files[".in"] == nil {
		files[".in"] = out
	}
	return nil
}

// generating runs a program of the package's own and returns what it printed.
// What it wrote as testcase.in and testcase.ans is added to files, if not nil.
func (j *Judge) generating(ctx context.Context, b *built, args []string, input []byte, files map[string][]byte, fault func(why string) error) ([]byte, error) {
	release, err := j.acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	dir, err := b.workplace(j.tmp)
	if err != nil {
		return nil, err
	}
	defer removeAll(dir)
	var out bytes.Buffer
	said := &head{most: keptStderr}
	c := sandbox.Cmd{
		Args: slices.Concat(b.args, args), Dir: dir, Reads: b.reads, Stdin: bytes.NewReader(input), Stdout: &out, Stderr: said,
		Limits: preparing.enforced(),
	}
	// Generators leave their files in the working folder. A solution may have use
	// for files of its own, which nobody reads.
	if files != nil {
		c.Writes = []string{dir}
	} else {
		c.Scratch = true
	}
	o, err := j.runner.Run(ctx, c)
	switch {
	case err != nil:
		return nil, err
	case o.Exceeded != "":
		return nil, fault(fmt.Sprintf("went beyond its %s limit", o.Exceeded))
	case o.Signal != 0:
		return nil, fault("was killed by " + signalName(o.Signal) + onStderr(said))
	case o.Exit != 0:
		return nil, fault(fmt.Sprintf("exit status %d%s", o.Exit, onStderr(said)))
	}
	for _, ext := range []string{".in", ".ans"} {
		if files == nil {
			break
		}
		data, ok, err := readBack(dir, "testcase"+ext, generatingOutput+1)
		switch {
		case err != nil:
			return nil, err
		case len(data) > generatingOutput:
			return nil, fault(fmt.Sprintf("testcase%s has more than %s", ext, Bytes(generatingOutput)))
		case ok:
			files[ext] = data
		}
	}
	return out.Bytes(), nil
}

// program finds the program of a case: one of the plan's, which are made of
// several files, or a file or folder below generators/.
func (g *generation) program(c *gen.Case) (*Program, error) {
	if list, ok := g.plan.Generators[c.Program]; ok {
		return &Program{Name: c.Program, Path: "generators", Files: list, folder: true, fsys: g.fsys}, nil
	}
	var found defects
	program := readProgram(g.fsys, path.Join("generators", c.Program), &found)
	if program == nil {
		return nil, g.defect(c, "no generator %s: %v", c.Program, errors.Join(found.errs...))
	}
	return program, nil
}

func (g *generation) copy(c *gen.Case, files map[string][]byte) error {
	for _, ext := range []string{".in", ".ans"} {
		name := path.Join("generators", c.Copy+ext)
		data, err := readBounded(g.fsys, name, generatingOutput)
		switch {
		case err == nil:
			files[ext] = data
		case ext == ".in":
			return g.defect(c, "copy: %v", err)
		}
	}
	return nil
}

// answer lets the solution answer the input.
func (g *generation) answer(ctx context.Context, c *gen.Case, files map[string][]byte) error {
	solution := c.Solution
	if solution == "" {
		solution = g.plan.Solution
	}
	if solution == "" {
		return g.defect(c, "has no answer: want a solution, or the answer itself")
	}
	var found defects
	program := readProgram(g.fsys, strings.TrimPrefix(solution, "/"), &found)
	if program == nil {
		return g.defect(c, "solution %s: %v", solution, errors.Join(found.errs...))
	}
	b, err := g.j.program(ctx, program, preparing)
	if err != nil {
		return err
	}
	files[".ans"], err = g.j.generating(ctx, b, nil, files[".in"], nil, func(why string) error {
		return g.defect(c, "solution %s: %s", solution, why)
	})
	return err
}

// checkGenerated makes the data again and compares.
func checkGenerated(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	plan, err := Plan(p.fsys)
	if err == nil && plan == nil {
		promise.Skipped = "there is no " + generatorsFile
		return nil
	}
	if err != nil {
		promise.Broken = append(promise.Broken, err)
		return nil
	}
	pins, err := Pins(p.fsys)
	if err != nil {
		promise.Broken = append(promise.Broken, err)
		return nil
	}
	promise.Broken = append(promise.Broken, plan.Warnings...)
	unplanned := make(map[string]*Case)
	for _, c := range p.Cases {
		unplanned[c.Name] = c
	}
	pinned := maps.Clone(pins)
	err = j.Generate(ctx, p.fsys, plan, func(g Generated) error {
		promise.Checked++
		delete(unplanned, g.Name)
		for _, ext := range sortedKeys(g.Files) {
			name := "data/" + g.Name + ext
			have, err := readBounded(p.fsys, name, generatingOutput)
			if err != nil {
				promise.Broken = append(promise.Broken, err)
				continue
			}
			if !bytes.Equal(have, g.Files[ext]) {
				promise.breaks(p.Where(name), "is not what %s makes; judge gen %s makes it anew", generatorsFile, p.ID)
			}
			if pins == nil {
				continue
			}
			pin, ok := pinned[g.Name+ext]
			delete(pinned, g.Name+ext)
			switch {
			case !ok:
				promise.breaks(p.Where(PinsFile), "%s%s is not pinned", g.Name, ext)
			case pin != sha256.Sum256(have):
				promise.breaks(p.Where(name), "has another SHA-256 than %s pins", PinsFile)
			}
		}
		return nil
	})
	if err == nil {
		checkUnplanned(p, promise, pinned, unplanned)
	}
	var defect *Defect
	var unusable *unusableError
	switch {
	case errors.As(err, &unusable):
		promise.Skipped, promise.Broken = err.Error(), nil
		return nil
	case errors.As(err, &defect):
		promise.Broken = append(promise.Broken, err)
		return nil
	}
	return err
}

// checkUnplanned tells of pins and cases that nothing makes.
func checkUnplanned(p *Problem, promise *Promise, pinned gen.Pins, unplanned map[string]*Case) {
	for _, name := range sortedKeys(pinned) {
		promise.breaks(p.Where(PinsFile), "%s is pinned, and nothing makes it", name)
	}
	for _, name := range sortedKeys(unplanned) {
		promise.breaks(p.Where(unplanned[name].path(".in")), "is not in %s", generatorsFile)
	}
}
