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
	"crucible/judge/ctd"
	"crucible/judge/problem"
)

// An input or answer validator may be a grammar instead of a program (2025-09, "Input
// validators"). A grammar is read here, and checks the input in this process:
// no other program sees it, and its time and memory are bounded.

// maxGrammarInput is how large an input may be that a grammar checks, in bytes:
// it is read at once.
const maxGrammarInput = 512 << 20

// A grammar says why it rejects an input; "" if it does not. The error is a
// *Defect where the grammar is at fault.
type grammar func(ctx context.Context, input []byte, args []string) (why string, err error)

// grammars is the table of languages of grammars, by extension.
var grammars = map[string]func(p *problem.Program, at string, src []byte) (grammar, error){
	".ctd":  checktestdata,
	".viva": viva,
}

// isGrammar reports whether an input validator is one. Two programs that are
// folders, or programs for anything but inputs, may end in .ctd as they like.
func isGrammar(p *problem.Program) bool {
	return p.Checks != "" && !p.IsFolder && grammars[path.Ext(p.Name)] != nil
}

// readGrammar makes of a grammar what stands for a built program. Its name in
// the cache of what was accepted changes with the grammar, and with cacheVersion.
// Columns in messages count what constants put there.
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

// acceptsBy holds a case's input, or answer, against a grammar.
func acceptsBy(ctx context.Context, p *problem.Problem, v *problem.Program, g grammar, c *problem.Case) (why string, err error) {
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
		return "", &problem.Defect{File: defect.File, Line: defect.Line, Column: defect.Column, Msg: defect.Msg + " (on " + p.Where(c.Path(v.Checks)) + ")"}
	}
	return "", fmt.Errorf("validator %s on %s: %w", p.Where(v.Path), c.Name, err)
}

// grammarArgs returns a case's arguments that are for a grammar. Those for every
// validator are a program's, if there is one beside the grammar.
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

// grammarDefect gives a grammar's own error the place that it has in the
// package.
func grammarDefect(at string, err error) error {
	var e *ctd.Error
	if errors.As(err, &e) {
		return &problem.Defect{File: at, Line: e.Line, Column: e.Column, Msg: e.Msg}
	}
	return err
}

// viva refuses grammars in the language of VIVA: there is no description of it
// to go by but the program itself.
func viva(_ *problem.Program, at string, _ []byte) (grammar, error) {
	return nil, &problem.Defect{File: at, Msg: "needs VIVA, which this judge does not have; a program or a .ctd grammar can say the same"}
}
