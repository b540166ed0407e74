package generate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
)

// An Inputs makes single inputs with the generators of a package, and caches none. It must
// be closed. Concurrent calls are allowed.
type Inputs struct{ g *generation }

// OpenInputs prepares to run the generators of a package, each for at most the CPU time of
// the options and with their limit on an input. It compiles nothing.
func OpenInputs(j *judge.Judge, p *problem.Problem, o Options) (*Inputs, error) {
	plan, err := ReadPlan(p.FS)
	if err != nil {
		return nil, err
	}
	if plan == nil {
		plan = &Plan{}
	}
	o.NoCache = true
	g, err := newGeneration(j, p.FS, plan, o)
	if err != nil {
		return nil, err
	}
	return &Inputs{g}, nil
}

// Close removes temporary files.
func (i *Inputs) Close() error { return i.g.end() }

// Commands returns the different commands in generators.yaml that make inputs of samples
// and secret cases. Constants are replaced; {seed} is not.
func (i *Inputs) Commands() (commands []string) {
	for _, c := range i.g.plan.cases {
		if root := c.root(); c.command != "" && (root == "sample" || root == "secret") && !slices.Contains(commands, c.command) {
			commands = append(commands, c.command)
		}
	}
	return commands
}

// Make runs a command as in generators.yaml, with a seed in place of {seed}, and returns
// the input that it makes. The error is a *[problem.Defect] if the generator is at fault,
// for example because it rejects its arguments.
func (i *Inputs) Make(ctx context.Context, command string, seed uint32) (input []byte, err error) {
	c := planned{name: "secret/input", command: strings.TrimSpace(command), retries: 1}
	if err := c.splitCommand("", 1); err != nil {
		return nil, &problem.Defect{File: i.g.at, Msg: err.Error()}
	}
	m := &making{generation: i.g, planned: &c}
	b, err := i.g.ready(ctx, i.g.generator(&c))
	if err != nil {
		return nil, err
	}
	dir, err := i.g.store.begin()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(dir)) }()
	if _, err := m.generate(ctx, b, c.argsWith(seed&(1<<31-1)), dir, false); err != nil {
		return nil, err
	}
	files, err := filesIn(dir)
	if err != nil {
		return nil, err
	}
	return files[".in"].read(i.g.limits.Output)
}
