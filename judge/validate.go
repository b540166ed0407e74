package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"crucible/judge/build"
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// crashed returns an error unless the validator ended by itself with one of
// the statuses.
func crashed(o sandbox.Outcome, statuses ...int) error {
	switch {
	case o.Exceeded != "":
		return beyondLimit(o)
	case o.Signal != 0:
		return fmt.Errorf("was killed by %s", text.SignalName(o.Signal))
	case !slices.Contains(statuses, o.Exit):
		return fmt.Errorf("exit status %d, want %d to accept or %d to reject", o.Exit, validatorAccepts, validatorRejects)
	}
	return nil
}

// beyondLimit says which limit a program of the judge's side has passed. To the
// format all that it writes is output.
func beyondLimit(o sandbox.Outcome) error {
	what := o.Exceeded
	if what == sandbox.Written || what == sandbox.FileSize || what == sandbox.Files {
		what = sandbox.Output
	}
	return fmt.Errorf("went beyond its %s limit", what)
}

// BuildValidator builds a validator of the package, which is needed for every case.
// Where no program can have changed it since, it is built once.
func (j *Judge) BuildValidator(ctx context.Context, p *problem.Program, g problem.Guarantee) (*build.Program, error) {
	if !j.Confined() {
		return j.BuildTool(ctx, p, g)
	}
	j.building.Lock()
	defer j.building.Unlock()
	if b := j.validators[p]; b != nil {
		return b, nil
	}
	b, err := j.BuildTool(ctx, p, g)
	if err != nil {
		return nil, err
	}
	if j.validators == nil {
		j.validators = make(map[*problem.Program]*build.Program)
	}
	j.validators[p] = b
	return b, nil
}

// BuildTool builds a validator or generator (2025-09, "Other programs"). Go
// comes as a folder with a build script, which other judges run; here the
// compiler is called directly, so that its result is cached like any other.
func (j *Judge) BuildTool(ctx context.Context, p *problem.Program, g problem.Guarantee) (*build.Program, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	if isGrammar(p) {
		return readGrammar(p)
	}
	files, err := p.Read()
	if err != nil {
		return nil, err
	}
	at := problem.Where(p.FS, p.Path)
	for name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "testdata/") {
			delete(files, name)
		}
	}
	_, hasBuild := files["build"]
	_, hasRun := files["run"]
	language, why := language.Of(slices.Sorted(maps.Keys(files)))
	if (hasBuild || hasRun) && (language == nil || language.Code != "go" || hasRun) {
		return j.shop.Script(ctx, p, files)
	}
	if language == nil {
		return nil, &problem.Defect{File: at, Msg: why}
	}
	delete(files, "build")
	entry := ""
	if language.Class != nil {
		entry = p.LikelyEntry(language)
	}
	b, c, err := j.shop.Build(ctx, build.Source{What: at, Files: files, Language: language, Entry: entry, Memory: g.Memory}, build.Usual)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, &problem.Defect{File: at, Msg: "does not compile:\n" + strings.TrimSpace(c.Message)}
	}
	return b, nil
}
