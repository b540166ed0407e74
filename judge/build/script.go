package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// BuildScriptTime is the CPU time limit of a build script, which compiles one small
// program. The wall-clock limit is a second more. Tests shorten it.
var BuildScriptTime = 30 * time.Second

// Script builds a program with its own build script, if it has one, and returns its
// run file as a program. The error is a *[problem.Defect] if the script fails.
func (b *Builder) Script(ctx context.Context, p *problem.Program, files map[string][]byte) (*Program, error) {
	at := problem.Where(p.FS, p.Path)
	if runtime.GOOS == "windows" {
		return nil, fmt.Errorf("%s: build and run scripts need a POSIX shell", at)
	}
	executable := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return !p.Executable(name) })
	key := b.Key(&language.Language{Code: "script", Env: executable}, Toolchain{}, files, "run")
	defer b.lock(key).Unlock()
	final := filepath.Join(b.Cache, "programs", key)
	// The program runs in a copy of the folder in which it was built, with its own
	// files and those that the build made.
	program := &Program{Dir: final, Tree: filepath.Join(final, "src"), Args: []string{"./run"}}
	if c, ok := cached(final); ok && c.Exit == 0 {
		return program, nil
	}
	dir, err := b.temporaryFolder()
	if err != nil {
		return nil, err
	}
	defer osfile.RemoveAll(dir)
	src := filepath.Join(dir, "src")
	if err := errors.Join(osfile.WriteFiles(src, files), osfile.Mkdir(filepath.Join(dir, "tmp"))); err != nil {
		return nil, err
	}
	for _, name := range executable {
		if err := os.Chmod(filepath.Join(src, filepath.FromSlash(name)), 0o755); err != nil {
			return nil, err
		}
	}
	if _, ok := files["build"]; ok {
		if !p.Executable("build") {
			return nil, problem.Defectf(at+"/build", "is not executable")
		}
		if err := b.runScript(ctx, at+"/build", files, dir); err != nil {
			return nil, err
		}
	}
	if err := acceptScript(at, src); err != nil {
		return nil, err
	}
	return program, finish(dir, final, Compile{})
}

// acceptScript makes the judge the owner of the files that a build script left in src,
// and checks that the run file is among them.
func acceptScript(at, src string) error {
	err := osfile.Adopt(src)
	var found *osfile.FoundError
	if errors.As(err, &found) {
		return problem.Defectf(at+"/build", "leaves %v", found)
	}
	if err != nil {
		return err
	}
	// Adopt has checked that links stay in the folder, so they are followed.
	info, err := os.Stat(filepath.Join(src, "run"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Mode()&0o111 == 0 || !info.Mode().IsRegular()) {
		return problem.Defectf(at, "has no executable file run after build")
	}
	return err
}

// runScript runs the build script in src/ of a temporary folder.
func (b *Builder) runScript(ctx context.Context, name string, files map[string][]byte, dir string) error {
	src, tmp := filepath.Join(dir, "src"), filepath.Join(dir, "tmp")
	// The script may write anywhere in its folder. Other users cannot: until it is
	// finished, the folder above is accessible to the judge alone.
	if err := osfile.OpenUp(src); err != nil {
		return err
	}
	limits := buildLimits(Usual)
	limits.CPU, limits.Wall = BuildScriptTime, BuildScriptTime+time.Second
	cmd := sandbox.Cmd{
		Args: []string{filepath.Join(src, "build")}, Dir: src, Writes: []string{src, tmp},
		// If the script runs go, go may write to this cache, which is not shared.
		Env:    environment(os.Getenv("PATH"), b.Languages.ByCode("go"), tmp, dir),
		Limits: limits,
	}
	library, err := b.goLibraryFor(ctx, files)
	if err != nil {
		return err
	}
	if library != "" {
		// Then go finds the library compiled. It builds programs without writing there.
		cmd.Reads = []string{library}
		for i, v := range cmd.Env {
			if strings.HasPrefix(v, "GOCACHE=") {
				cmd.Env[i] = "GOCACHE=" + library
			}
		}
	}
	c, out, err := b.runCompiler(ctx, dir, cmd)
	switch {
	case err != nil:
		return err
	case out.Exceeded == sandbox.CPU || out.Exceeded == sandbox.Wall:
		return problem.Defectf(name, "did not end within %s", terminal.Duration(BuildScriptTime))
	case c.Exit != 0:
		return problem.Defectf(name, "exit status %d:\n%s", c.Exit, strings.TrimSpace(c.Message))
	}
	return nil
}
