package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"crucible/judge/sandbox"
)

// crashed returns an error unless the validator ended by itself with one of
// the statuses.
func crashed(o sandbox.Outcome, statuses ...int) error {
	switch {
	case o.Exceeded != "":
		return beyondLimit(o)
	case o.Signal != 0:
		return fmt.Errorf("was killed by %s", signalName(o.Signal))
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

// real returns the path of a file of the case that a program can open: the
// file itself, or a copy in dir when the package is no folder, when the file is
// a link, which may lead anywhere, or when others cannot read it, as whom a
// program in a box counts.
func (c *Case) real(dir, ext string) (string, error) {
	if s, ok := c.fsys.(*Source); ok && s.zip == nil {
		name := s.Where(c.path(ext))
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
			return filepath.Abs(name)
		}
	}
	return filepath.Join(dir, "case"+ext), copyOut(c.fsys, c.path(ext), dir, "case"+ext)
}

// validator builds a validator of the package, which is needed for every case.
// Where no program can have changed it since, it is built once.
func (j *Judge) validator(ctx context.Context, p *Program, g Guarantee) (*built, error) {
	if !j.confined() {
		return j.program(ctx, p, g)
	}
	j.building.Lock()
	defer j.building.Unlock()
	if b := j.validators[p]; b != nil {
		return b, nil
	}
	b, err := j.program(ctx, p, g)
	if err != nil {
		return nil, err
	}
	if j.validators == nil {
		j.validators = make(map[*Program]*built)
	}
	j.validators[p] = b
	return b, nil
}

// program builds a validator or generator (2025-09, "Other programs"). Go
// comes as a folder with a build script, which other judges run; here the
// compiler is called directly, so that its result is cached like any other.
func (j *Judge) program(ctx context.Context, p *Program, g Guarantee) (*built, error) {
	if err := j.start(); err != nil {
		return nil, err
	}
	if p.isGrammar() {
		return readGrammar(p)
	}
	files, err := p.read()
	if err != nil {
		return nil, err
	}
	at := where(p.fsys, p.Path)
	for name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "testdata/") {
			delete(files, name)
		}
	}
	_, hasBuild := files["build"]
	_, hasRun := files["run"]
	language, why := languageOf(sortedKeys(files))
	if (hasBuild || hasRun) && (language == nil || language.Code != "go" || hasRun) {
		return j.shop.script(ctx, p, files)
	}
	if language == nil {
		return nil, &Defect{File: at, Msg: why}
	}
	delete(files, "build")
	entry := ""
	if language.Class != nil {
		entry = p.likelyEntry(language)
	}
	b, c, err := j.shop.build(ctx, source{what: at, files: files, language: language, entry: entry, memory: g.Memory}, usualBuild)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, &Defect{File: at, Msg: "does not compile:\n" + strings.TrimSpace(c.Message)}
	}
	return b, nil
}

// buildScriptTime is the CPU time that a build script gets, and about the real
// time: it compiles one small program, and a user waits for it. Tests shorten it.
var buildScriptTime = 30 * time.Second

// script builds a program by its own build script, if it has one, and returns
// its run file.
func (w *workshop) script(ctx context.Context, p *Program, files map[string][]byte) (*built, error) {
	limits := usualBuild.building()
	limits.CPU, limits.Wall = buildScriptTime, buildScriptTime+time.Second
	at := where(p.fsys, p.Path)
	if runtime.GOOS == "windows" {
		return nil, fmt.Errorf("%s: build and run scripts need a POSIX shell", at)
	}
	l := &Language{Code: "script"}
	var executable []string
	for _, name := range sortedKeys(files) {
		if p.executable(name) {
			executable = append(executable, name)
		}
	}
	l.Env = executable
	key := w.key(l, Toolchain{}, files, "run")
	unlock := w.lock(key)
	defer unlock()
	final := filepath.Join(w.cache, "programs", key)
	// It runs in a copy of the folder that it was built in, where its own files
	// and whatever the build made are.
	b := &built{dir: final, tree: filepath.Join(final, "src"), args: []string{"./run"}}
	if c, ok := recall(final); ok && c.Exit == 0 {
		return b, nil
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), ".building-")
	if err != nil {
		return nil, err
	}
	defer removeAll(dir)
	src, tmp := filepath.Join(dir, "src"), filepath.Join(dir, "tmp")
	if err := writeFiles(src, files); err != nil {
		return nil, err
	}
	if err := mkdir(tmp); err != nil {
		return nil, err
	}
	for _, name := range executable {
		if err := os.Chmod(filepath.Join(src, filepath.FromSlash(name)), 0o755); err != nil {
			return nil, err
		}
	}
	if _, ok := files["build"]; ok {
		if !p.executable("build") {
			return nil, &Defect{File: at + "/build", Msg: "is not executable"}
		}
		// It writes where it likes in its folder, also below the top. Nobody else
		// gets there: the folder above is the judge's alone until it is finished.
		if err := openUp(src); err != nil {
			return nil, err
		}
		var said bytes.Buffer
		out, err := w.runner.Run(ctx, sandbox.Cmd{
			Args: []string{filepath.Join(src, "build")}, Dir: src, Writes: []string{src, tmp}, Locks: true,
			// Should it call go, that has a cache of its own, which it may write to.
			Env:    environment(languageByCode("go"), tmp, dir),
			Stdout: &said, Stderr: &said,
			Limits: limits,
		})
		if err != nil {
			return nil, err
		}
		if out.Exceeded == sandbox.CPU || out.Exceeded == sandbox.Wall {
			return nil, &Defect{File: at + "/build", Msg: fmt.Sprintf("did not end within %s", Duration(buildScriptTime))}
		}
		c, err := refusal(out, said.String(), dir)
		if err != nil {
			return nil, err
		}
		if c.Exit != 0 {
			return nil, &Defect{File: at + "/build", Msg: fmt.Sprintf("exit status %d:\n%s", c.Exit, strings.TrimSpace(c.Message))}
		}
	}
	err = adopt(src)
	var found *foundError
	if errors.As(err, &found) {
		return nil, &Defect{File: at + "/build", Msg: "leaves " + found.Error()}
	}
	if err != nil {
		return nil, err
	}
	// Links are followed: adopt has seen to it that they lead nowhere else.
	info, err := os.Stat(filepath.Join(src, "run"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Mode()&0o111 == 0 || !info.Mode().IsRegular()) {
		return nil, &Defect{File: at, Msg: "has no executable file run after build"}
	}
	if err != nil {
		return nil, err
	}
	return b, finish(dir, final, Compile{})
}
