package judge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"crucible/judge/build"
	"crucible/judge/check/ctd"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Validates maps the extension of a file that validators check to its name in
// messages.
var Validates = map[string]string{".in": "input", ".ans": "answer"}

// exitsWithZero is the reason of a validator that exits with 0, as programs do that do not
// know of 42. What it prints follows.
const exitsWithZero = "exits with 0, expected 42 to accept"

// IsZero reports whether a reason of [Judge.Rejections] is that a validator exits with 0.
func IsZero(v *problem.Program, why string) bool {
	return strings.HasPrefix(why, v.Name+" "+exitsWithZero)
}

// ZeroDefect returns the defect of a validator that exits with 0 on inputs that it must
// accept.
func ZeroDefect(p *problem.Problem, v *problem.Program) *problem.Defect {
	return &problem.Defect{File: p.Where(v.Path), Msg: exitsWithZero + ": judge help validators shows how"}
}

// Rejections runs input or answer validators on a case. For each one that
// rejects, it returns the name and the reason. The error is a failure of the
// judge or of the package.
func (j *Judge) Rejections(ctx context.Context, p *problem.Problem, validators []*problem.Program,
	c *problem.Case) (rejected []string, err error) {
	for _, v := range validators {
		why, err := j.rejection(ctx, p, v, c)
		if err != nil {
			return nil, err
		}
		if why != "" {
			rejected = append(rejected, v.Name+" "+why)
		}
	}
	return rejected, nil
}

// rejection runs a validator with the file that it checks on standard input. An
// input validator gets the case's arguments and .files, an answer validator the path
// of the input. Why is the reason of a rejection, or "".
func (j *Judge) rejection(ctx context.Context, p *problem.Problem, v *problem.Program,
	c *problem.Case) (why string, err error) {
	program, err := j.BuildValidator(ctx, v, Preparing)
	if err != nil {
		return "", err
	}
	if program.Grammar != nil {
		return acceptsBy(ctx, p, v, program.Grammar, c)
	}
	testlib, err := j.followsTestlib(v)
	if err != nil {
		return "", err
	}
	in, err := problem.OpenRegular(c.FS, c.Path(v.Checks))
	if err != nil {
		return "", err
	}
	defer in.Close()
	stderr := &Stderr{Most: KeptSaid}
	cmd := sandbox.Cmd{Stdin: in, Stdout: stderr, Stderr: stderr, Limits: build.LimitsOf(Preparing)}
	files := c
	switch {
	case v.Checks == ".ans":
		copies, err := j.TempDir("check-")
		if err != nil {
			return "", err
		}
		defer osfile.RemoveAll(copies)
		input, err := c.Real(copies, ".in")
		if err != nil {
			return "", err
		}
		cmd.Args, cmd.Reads, files = []string{input}, []string{input}, nil
	case c.InputValidatorArgsBy != nil:
		cmd.Args = slices.Concat(c.InputValidatorArgsBy[v.Name], c.Args)
	default:
		cmd.Args = slices.Concat(c.InputValidatorArgs, c.Args)
	}
	out, err := j.runTool(ctx, program, cmd, files)
	// Every exit status but 42, or also 0 with testlib, is a rejection, including that of a
	// crash (2025-09, "Input validators"). But a program that was killed has not
	// decided.
	if err == nil && (out.Exceeded != "" || out.Signal != 0) {
		err = fmt.Errorf("%w%s", crashed(out), j.Reason(p.Where(v.Path), c.Name, stderr))
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s validator %s on %s: %w", Validates[v.Checks], p.Where(v.Path), c.Name, err)
	case out.Exit == validatorAccepts, out.Exit == 0 && testlib:
		return "", nil
	case out.Exit == 0:
		return exitsWithZero + j.Reason(p.Where(v.Path), c.Name, stderr), nil
	}
	return fmt.Sprintf("exits with %d%s", out.Exit, j.Reason(p.Where(v.Path), c.Name, stderr)), nil
}

// An input or answer validator may be a grammar instead of a program (2025-09,
// "Input validators"). The judge reads the grammar and checks the file in its own
// process, in bounded time and memory.

// maxGrammarInput is the maximum size of a file that a grammar checks, in bytes.
// The file is read into memory.
const maxGrammarInput = 512 << 20

// A grammar checks an input. Why is the reason of a rejection, or "" if the
// grammar accepts. The error is a *problem.Defect if the grammar is at fault.
type grammar func(ctx context.Context, input []byte, args []string) (why string, err error)

// grammars is the table of the languages of grammars, by extension.
var grammars = map[string]func(p *problem.Program, at string, src []byte) (grammar, error){
	".ctd":  checktestdata,
	".viva": viva,
}

// isGrammar reports whether a program is a grammar: a single file with the extension
// of a grammar that validates inputs or answers.
func isGrammar(p *problem.Program) bool {
	return p.Checks != "" && !p.IsFolder && grammars[path.Ext(p.Name)] != nil
}

// readGrammar returns a grammar as a built program. Dir is its name in the cache
// of accepted cases; it changes with the grammar and with build.CacheVersion.
// Columns in messages refer to the text after constants are replaced.
func readGrammar(p *problem.Program) (*build.Program, error) {
	files, err := p.Read()
	if err != nil {
		return nil, err
	}
	src := files[p.Files[0]]
	g, err := grammars[path.Ext(p.Name)](p, problem.Where(p.FS, p.Path), src)
	if err != nil {
		return nil, err
	}
	return &build.Program{Grammar: g, Dir: fmt.Sprintf("grammar-%s-%x", build.CacheVersion, sha256.Sum256(src))}, nil
}

// acceptsBy checks an input or answer of a case with a grammar. Why is the reason
// of a rejection, or "".
func acceptsBy(ctx context.Context, p *problem.Problem, v *problem.Program, g grammar,
	c *problem.Case) (why string, err error) {
	input, err := problem.ReadBounded(c.FS, c.Path(v.Checks), maxGrammarInput)
	if err != nil {
		return "", err
	}
	most := 2 * Preparing.Time
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	why, err = g(within, input, grammarArgs(p, v, c))
	var defect *problem.Defect
	switch {
	case err == nil, ctx.Err() != nil:
		return why, err
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("took more than %s", most.Round(time.Second))
	case errors.As(err, &defect):
		return "", &problem.Defect{File: defect.File, Line: defect.Line, Column: defect.Column, Msg: defect.Msg + " (on " +
			p.Where(c.Path(v.Checks)) + ")"}
	}
	return "", fmt.Errorf("validator %s on %s: %w", p.Where(v.Path), c.Name, err)
}

// grammarArgs returns the arguments of a case that are for a grammar. If a
// program is beside the grammar, the arguments for all validators are the
// program's.
func grammarArgs(p *problem.Problem, v *problem.Program, c *problem.Case) []string {
	if v.Checks != ".in" {
		return nil
	}
	if c.InputValidatorArgsBy != nil {
		return c.InputValidatorArgsBy[v.Name]
	}
	if slices.ContainsFunc(p.InputValidators, func(v *problem.Program) bool { return !isGrammar(v) }) {
		return nil
	}
	return c.InputValidatorArgs
}

func checktestdata(p *problem.Program, at string, src []byte) (grammar, error) {
	g, err := ctd.Parse(p.Name, src)
	if err != nil {
		return nil, grammarDefect(at, err)
	}
	return func(ctx context.Context, input []byte, args []string) (string, error) {
		o, err := ctd.ParseOptions(args)
		if err != nil {
			return "", &problem.Defect{File: at, Msg: err.Error()}
		}
		err = g.Check(ctx, input, o)
		var mismatch *ctd.Mismatch
		if errors.As(err, &mismatch) {
			return "rejects " + mismatch.Error(), nil
		}
		return "", grammarDefect(at, err)
	}, nil
}

// grammarDefect adds the place in the package to an error of a grammar.
func grammarDefect(at string, err error) error {
	var e *ctd.Error
	if errors.As(err, &e) {
		return &problem.Defect{File: at, Line: e.Line, Column: e.Column, Msg: e.Msg}
	}
	return err
}

// viva rejects grammars in the language of VIVA: the only description of the
// language is the VIVA program.
func viva(_ *problem.Program, at string, _ []byte) (grammar, error) {
	return nil, &problem.Defect{File: at,
		Msg: "needs VIVA, which this judge does not have; a program or a .ctd grammar can say the same"}
}
