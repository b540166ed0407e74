package judge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"crucible/judge/build"
	"crucible/judge/check/ctd"
	"crucible/judge/problem"
)

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
