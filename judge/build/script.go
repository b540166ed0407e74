package build

import (
	"bytes"
	"context"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
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
)

// BuildScriptTime is the CPU time that a build script gets, and about the real
// time: it compiles one small program, and a user waits for it. Tests shorten it.
var BuildScriptTime = 30 * time.Second

// Script builds a program by its own build script, if it has one, and returns
// its run file.
func (w *Builder) Script(ctx context.Context, p *problem.Program, files map[string][]byte) (*Program, error) {
	limits := buildLimits(Usual)
	limits.CPU, limits.Wall = BuildScriptTime, BuildScriptTime+time.Second
	at := problem.Where(p.FS, p.Path)
	if runtime.GOOS == "windows" {
		return nil, fmt.Errorf("%s: build and run scripts need a POSIX shell", at)
	}
	l := &language.Language{Code: "script"}
	var executable []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if p.Executable(name) {
			executable = append(executable, name)
		}
	}
	l.Env = executable
	key := w.Key(l, Toolchain{}, files, "run")
	unlock := w.lock(key)
	defer unlock()
	final := filepath.Join(w.Cache, "programs", key)
	// It runs in a copy of the folder that it was built in, where its own files
	// and whatever the build made are.
	b := &Program{Dir: final, Tree: filepath.Join(final, "src"), Args: []string{"./run"}}
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
	defer osfile.RemoveAll(dir)
	src, tmp := filepath.Join(dir, "src"), filepath.Join(dir, "tmp")
	if err := osfile.WriteFiles(src, files); err != nil {
		return nil, err
	}
	if err := osfile.Mkdir(tmp); err != nil {
		return nil, err
	}
	for _, name := range executable {
		if err := os.Chmod(filepath.Join(src, filepath.FromSlash(name)), 0o755); err != nil {
			return nil, err
		}
	}
	if _, ok := files["build"]; ok {
		if !p.Executable("build") {
			return nil, &problem.Defect{File: at + "/build", Msg: "is not executable"}
		}
		// It writes where it likes in its folder, also below the top. Nobody else
		// gets there: the folder above is the judge's alone until it is finished.
		if err := osfile.OpenUp(src); err != nil {
			return nil, err
		}
		var said bytes.Buffer
		out, err := w.Runner.Run(ctx, sandbox.Cmd{
			Args: []string{filepath.Join(src, "build")}, Dir: src, Writes: []string{src, tmp}, Locks: true,
			// Should it call go, that has a cache of its own, which it may write to.
			Env:    environment(language.ByCode("go"), tmp, dir),
			Stdout: &said, Stderr: &said,
			Limits: limits,
		})
		if err != nil {
			return nil, err
		}
		if out.Exceeded == sandbox.CPU || out.Exceeded == sandbox.Wall {
			return nil, &problem.Defect{File: at + "/build", Msg: fmt.Sprintf("did not end within %s", units.Duration(BuildScriptTime))}
		}
		c, err := refusal(out, said.String(), dir)
		if err != nil {
			return nil, err
		}
		if c.Exit != 0 {
			return nil, &problem.Defect{File: at + "/build", Msg: fmt.Sprintf("exit status %d:\n%s", c.Exit, strings.TrimSpace(c.Message))}
		}
	}
	err = osfile.Adopt(src)
	var found *osfile.FoundError
	if errors.As(err, &found) {
		return nil, &problem.Defect{File: at + "/build", Msg: "leaves " + found.Error()}
	}
	if err != nil {
		return nil, err
	}
	// Links are followed: adopt has seen to it that they lead nowhere else.
	info, err := os.Stat(filepath.Join(src, "run"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Mode()&0o111 == 0 || !info.Mode().IsRegular()) {
		return nil, &problem.Defect{File: at, Msg: "has no executable file run after build"}
	}
	if err != nil {
		return nil, err
	}
	return b, finish(dir, final, Compile{})
}
