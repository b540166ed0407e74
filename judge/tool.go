package judge

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// TempDir creates a temporary folder, whose name has the pattern of
// [os.MkdirTemp]. Close removes it.
func (j *Judge) TempDir(pattern string) (string, error) { return os.MkdirTemp(j.tmp, pattern) }

// RunProgram runs a program in the judge's sandbox. The error is a failure of the
// sandbox.
func (j *Judge) RunProgram(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	return j.runner.Run(ctx, cmd)
}

// Confined reports whether programs run in full boxes, where they can change
// nothing outside the folders that they may write to.
func (j *Judge) Confined() bool { return j.confined() }

// InFolder calls do with a working folder of the program. Intact reports that do does
// not change the folder; if programs are also confined, the folder is used again.
func (j *Judge) InFolder(b *build.Program, intact bool, do func(dir string) error) error {
	dir, err := b.Folder(j.tmp)
	if err != nil {
		return err
	}
	// If the folder cannot be removed now, Close tries again and reports the
	// error.
	defer func() { b.Leave(dir, intact && j.confined()) }()
	return do(dir)
}

// runTool runs a program of the package in a working folder, which has the .files of
// the case c, if c is not nil. It adds the program's own arguments and files to cmd.
func (j *Judge) runTool(ctx context.Context, b *build.Program, cmd sandbox.Cmd,
	c *problem.Case) (o sandbox.Outcome, err error) {
	cmd.Args, cmd.Reads, cmd.OpenFiles = slices.Concat(b.Args, cmd.Args), slices.Concat(b.Reads, cmd.Reads), b.Files
	cmd.AddEnv = b.Env
	err = j.InFolder(b, c == nil || c.Files == nil, func(dir string) error {
		if c != nil {
			if err := c.CopyFiles(dir); err != nil {
				return err
			}
		}
		cmd.Dir = dir
		o, err = j.runner.Run(ctx, cmd)
		return err
	})
	return o, err
}

// CompileTool compiles a source of the package under the given limits. If the
// compiler rejects it, the error is a [problem.Defect].
func (j *Judge) CompileTool(ctx context.Context, s build.Source, under problem.Guarantee) (*build.Program, error) {
	b, c, err := j.builder.Build(ctx, s, under)
	if err == nil && b == nil {
		err = &problem.Defect{File: s.What, Msg: "does not compile:\n" + strings.TrimSpace(c.Message)}
	}
	return b, err
}

// BuildValidator builds an input, answer or output validator or a grader, to run under
// the limits g. If programs are confined, it builds each one once.
func (j *Judge) BuildValidator(ctx context.Context, p *problem.Program, g problem.Guarantee) (*build.Program, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	if !j.confined() {
		return j.BuildTool(ctx, p, g)
	}
	j.building.Lock()
	defer j.building.Unlock()
	if b := j.validators[p]; b != nil {
		return b, nil
	}
	b, err := j.BuildTool(ctx, p, g)
	if err == nil {
		j.validators[p] = b
	}
	return b, err
}

// BuildTool builds a validator or generator to run under the limits g (2025-09, "Other
// programs"). A Go program is a folder with a build script, for other judges;
// BuildTool calls the compiler directly instead, so that the result is cached
// like any other.
func (j *Judge) BuildTool(ctx context.Context, p *problem.Program, g problem.Guarantee) (*build.Program, error) {
	return j.buildTool(ctx, p, g, false)
}

// BuildSolution builds a program as BuildTool does, but as submissions are compiled. It
// answers cases and is no submission.
func (j *Judge) BuildSolution(ctx context.Context, p *problem.Program, g problem.Guarantee) (*build.Program, error) {
	return j.buildTool(ctx, p, g, true)
}

func (j *Judge) buildTool(ctx context.Context, p *problem.Program, g problem.Guarantee,
	submission bool) (*build.Program, error) {
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
	maps.DeleteFunc(files, func(name string, _ []byte) bool {
		return strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "testdata/")
	})
	at := problem.Where(p.FS, p.Path)
	_, hasBuild := files["build"]
	_, hasRun := files["run"]
	language, why := j.Languages.Of(slices.Sorted(maps.Keys(files)))
	if (hasBuild || hasRun) && (language == nil || !language.Module || hasRun) {
		return j.builder.Script(ctx, p, files)
	}
	if language == nil {
		return nil, &problem.Defect{File: at, Msg: why}
	}
	delete(files, "build")
	entry := ""
	if language.StartsAtClass() {
		entry = p.LikelyEntry(language)
	}
	source := build.Source{What: at, Files: files, Language: language, Entry: entry, Memory: g.Memory,
		Submission: submission}
	return j.CompileTool(ctx, source, build.Usual)
}
