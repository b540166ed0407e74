package build

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/language"
)

// All Go submissions share one build cache, so that the library is not compiled for
// each of them. A source is hostile, so its compiler may only read that cache. Before
// a submission is compiled, the judge compiles the packages of the library that the
// submission imports, and no others, into the cache.

// goFresh is the time for which the library's packages count as compiled. Go removes
// entries from its cache that were not used for five days, and a use by a compiler
// that may only read does not count.
const goFresh = 24 * time.Hour

// goTime is the wall-clock limit for compiling packages of the library.
const goTime = 10 * time.Minute

// prepareGo prepares the compilation of Go files in src. It compiles the packages of
// the library that they import, and returns the folder of the shared build cache.
func (b *Builder) prepareGo(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, src string) (cache string, err error) {
	cache = filepath.Join(b.Cache, "go-build")
	err = b.compileGoLibrary(ctx, l, tc, files, cache)
	if err == nil && files["go.mod"] == nil {
		// Without go.mod, go would use one in a folder above the cache.
		err = osfile.WriteBelow(src, "go.mod", fmt.Appendf(nil, "module submission\n\ngo %s\n", goVersion(tc.Version)))
	}
	return cache, err
}

// goVersion returns "1.26" of "go version go1.26.8 linux/amd64".
func goVersion(answer string) string {
	for _, word := range strings.Fields(answer) {
		if v := version.Lang(word); v != "" {
			return strings.TrimPrefix(v, "go")
		}
	}
	return "1.21"
}

// compileGoLibrary compiles the packages of the library that the files import.
func (b *Builder) compileGoLibrary(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, dir string) error {
	listed, err := b.Tools.ask(ctx, l, tc.Compiler, []string{"list", "std"})
	if err != nil {
		return fmt.Errorf("%s does not list its library: %w", tc.Compiler, err)
	}
	b.goLibrary.Lock()
	defer b.goLibrary.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// An empty file for each compiled package, in Go's cache, so that both are removed
	// together.
	mark := func(name string) string {
		return filepath.Join(dir, "compiled-"+HashOf(tc.Compiler, tc.Version, name))
	}
	needed := slices.DeleteFunc(goImports(files, strings.Fields(listed)), func(name string) bool {
		info, err := os.Stat(mark(name))
		return err == nil && time.Since(info.ModTime()) <= goFresh
	})
	if len(needed) == 0 {
		return nil
	}
	// Without go.mod, go would use one in a folder above the cache.
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := osfile.WriteAtomic(mod, []byte("module library\n")); err != nil {
			return err
		}
	}
	if err := b.buildGoPackages(ctx, l, tc, needed, dir); err != nil {
		return err
	}
	if err := readable(dir); err != nil {
		return err
	}
	for _, name := range needed {
		if err := osfile.WriteAtomic(mark(name), nil); err != nil {
			return err
		}
	}
	return nil
}

// buildGoPackages compiles packages of the library into the build cache, from a
// folder outside of any other module.
func (b *Builder) buildGoPackages(ctx context.Context, l *language.Language, tc Toolchain, packages []string, dir string) error {
	tmp, err := b.temporaryFolder()
	if err != nil {
		return err
	}
	defer osfile.RemoveAll(tmp)
	if err := os.Mkdir(filepath.Join(tmp, "tmp"), 0o755); err != nil {
		return err
	}
	run, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	// The library and its compiler are trusted, so no sandbox is needed. The flags
	// must be those of submissions: others make other entries of the cache.
	cmd := exec.CommandContext(run, tc.Compiler, append([]string{"build", "-trimpath"}, packages...)...)
	cmd.Dir, cmd.Env = dir, environment(os.Getenv("PATH"), l, b.Cache, tmp)
	// On an interrupt, go stops its compilers and removes its temporary files.
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, 5*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%s does not compile its own library: %w: %s", tc.Compiler, err, text.FirstLine(string(out)))
	}
	return nil
}

// goImports returns the packages of the library that the files import, and those
// that every program has. Other packages are omitted, so a source cannot make the
// judge compile them.
func goImports(files map[string][]byte, library []string) []string {
	needed := []string{"runtime"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		// The compiler rejects a file that cannot be parsed.
		file, _ := parser.ParseFile(token.NewFileSet(), name, files[name], parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, spec := range file.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && slices.Contains(library, name) {
				needed = append(needed, name)
			}
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// readable lets other users read a folder, independently of the umask.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		needed := fs.FileMode(0o444)
		if e.IsDir() {
			needed = 0o555
		}
		info, err := e.Info()
		if err != nil || !e.IsDir() && !e.Type().IsRegular() || info.Mode().Perm()&needed == needed {
			return err
		}
		return os.Chmod(name, info.Mode().Perm()|needed)
	})
}
