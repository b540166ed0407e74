package generate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// An Inputs makes single inputs with the generators of a package, and caches none. It must
// be closed. Concurrent calls are allowed.
type Inputs struct {
	g      *generation
	prints sync.Map // by program: whether its input is what it prints, without write access
}

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
	return &Inputs{g: g}, nil
}

// Close removes temporary files.
func (i *Inputs) Close() error { return i.g.end() }

// Commands returns the different commands in generators.yaml that make inputs of samples
// and secret cases. Constants are replaced; {seed} is not.
func (i *Inputs) Commands() (commands []string) {
	for _, c := range i.g.plan.cases {
		if root := c.root(); c.command != "" && (root == "sample" || root == "secret") &&
			!slices.Contains(commands, c.command) {
			commands = append(commands, c.command)
		}
	}
	return commands
}

// Make runs a command as in generators.yaml, with a seed in place of {seed}, and returns
// the input that it makes. The error is a *[problem.Defect] if the generator is at fault,
// for example because it rejects its arguments.
func (i *Inputs) Make(ctx context.Context, command string, seed uint32) (input []byte, err error) {
	c := casePlan{name: "secret/input", command: strings.TrimSpace(command), retries: 1}
	if err := c.splitCommand("", 1); err != nil {
		return nil, problem.Defectf(i.g.at, "%v", err)
	}
	m := &caseWork{generation: i.g, casePlan: &c}
	b, err := i.g.ready(ctx, i.g.generator(&c))
	if err != nil {
		return nil, err
	}
	args := c.argsWith(seed & (1<<31 - 1))
	prints, known := i.prints.Load(c.program)
	if known && prints.(bool) {
		return i.printed(ctx, m, b, args)
	}
	if !known {
		defer func() {
			if err == nil {
				again, e := i.printed(ctx, m, b, args)
				i.prints.Store(c.program, e == nil && bytes.Equal(again, input))
			}
		}()
	}
	dir, err := i.g.store.begin()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(dir)) }()
	if _, err := m.generate(ctx, b, args, dir, false); err != nil {
		return nil, err
	}
	files, err := filesIn(dir)
	if err != nil {
		return nil, err
	}
	return files[".in"].read(i.g.limits.Output)
}

// printed returns what a generator prints. It may not write files, which takes less time.
func (i *Inputs) printed(ctx context.Context, m *caseWork, b *build.Program, args []string) ([]byte, error) {
	release, err := i.g.j.Acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer release()
	var out bytes.Buffer
	err = i.g.j.InFolder(b, true, func(work string) error {
		stderr := &judge.Stderr{Most: judge.KeptSaid}
		cmd := sandbox.Cmd{
			Args: slices.Concat(b.Args, args), Dir: work, Reads: b.Reads, OpenFiles: b.Files, AddEnv: b.Env,
			Stdout: &out, Stderr: stderr, Limits: build.LimitsOf(i.g.limits),
		}
		o, err := i.g.j.RunProgram(ctx, cmd)
		if err != nil {
			return err
		}
		if why := failureOf(o, cmd.Limits); why.text != "" {
			return m.fail("%s: %s%s", m.commandLine(args), why.text, m.j.Reason(m.program, m.name, stderr))
		}
		return nil
	})
	return out.Bytes(), err
}
