package build

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/terminal"
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
func (b *Builder) prepareGo(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte,
	src string) (cache string, err error) {
	cache = filepath.Join(b.Cache, "go-build")
	err = b.compileGoLibrary(ctx, l, tc, files, cache)
	if err == nil && files["go.mod"] == nil {
		// Without go.mod, go would use one in a folder above the cache.
		err = osfile.WriteBelow(src, "go.mod", fmt.Appendf(nil, "module submission\n\ngo %s\n", goVersion(tc.Version)))
	}
	return cache, err
}

// goLibraryFor compiles the packages of the library that Go files of a build script
// import, and returns the folder of the shared build cache. It returns "" if there are no
// Go files, or Go cannot be used.
func (b *Builder) goLibraryFor(ctx context.Context, files map[string][]byte) (cache string, err error) {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool { return path.Ext(name) == ".go" }) {
		return "", nil
	}
	l := b.Languages.ByCode("go")
	tc, err := b.Tools.Find(ctx, l)
	if err != nil {
		return "", nil
	}
	cache = filepath.Join(b.Cache, "go-build")
	return cache, b.compileGoLibrary(ctx, l, tc, files, cache)
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
func (b *Builder) compileGoLibrary(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte,
	dir string) error {
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
		return filepath.Join(dir, "library-"+HashOf(tc.Compiler, tc.Version, name))
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

// buildGoPackages compiles packages of the library, and what they import, into the
// build cache dir. It adds the files of the compiled packages to the list for
// [Builder.compileGoFile].
func (b *Builder) buildGoPackages(ctx context.Context, l *language.Language, tc Toolchain, packages []string,
	dir string) error {
	out, err := b.copyGoPackages(ctx, l, tc, packages, dir)
	if err != nil {
		out, err = b.listGoPackages(ctx, l, tc, packages, dir,
			"{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}")
	}
	if err != nil {
		return err
	}
	list := goListFile(tc, dir)
	known, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := slices.DeleteFunc(strings.Split(string(known)+out, "\n"), func(line string) bool { return line == "" })
	slices.Sort(lines)
	return osfile.WriteAtomic(list, []byte(strings.Join(slices.Compact(lines), "\n")+"\n"))
}

// copyGoPackages copies packages of the library, and what they import, from the user's build
// cache into the judge's, so that Go does not compile them again: the user has built other
// programs with the same toolchain, such as this judge. It returns a line for each of them, as
// in the list of [goListFile]. The user's cache is never shown to a compiler of submissions,
// because it contains other programs too.
//
// An entry of a build cache is two files: xx/ID-a, which names the file with the result,
// xx/OUTPUT-d. The first part of a package's build ID is the start of ID. If a version of
// Go does this differently, there is an error, and Go compiles the packages. Go compares the
// copies with the IDs that it expects, as it does with entries of its own.
func (b *Builder) copyGoPackages(ctx context.Context, l *language.Language, tc Toolchain, packages []string,
	dir string) (string, error) {
	from := os.Getenv("GOCACHE")
	if from == "" {
		own, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		from = filepath.Join(own, "go-build")
	}
	if info, err := os.Stat(from); err != nil || !osfile.IsOwn(info) {
		// Go would create files there that the owner cannot replace.
		return "", errors.Join(err, fmt.Errorf("%s: expected a folder of this user", from))
	}
	out, err := b.listGoPackages(ctx, l, tc, packages, dir,
		"{{if .Export}}{{.ImportPath}} {{.BuildID}} {{.Export}}{{end}}", "GOCACHE="+from)
	if err != nil {
		return "", err
	}
	for i := range 256 { // without all of them, a compiler that may only read does not start
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o755); err != nil {
			return "", err
		}
	}
	var lines strings.Builder
	for line := range strings.Lines(out) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		id, result, ok := strings.Cut(rest, " ")
		action, _, _ := strings.Cut(id, "/")
		start, err := base64.RawURLEncoding.DecodeString(action)
		if !ok || err != nil || len(start) < 8 {
			return "", fmt.Errorf("build ID %q of %s: expected a hash in Base64", id, name)
		}
		text := hex.EncodeToString(start)
		found, _ := filepath.Glob(filepath.Join(from, text[:2], text+"*-a"))
		if len(found) != 1 {
			return "", fmt.Errorf("%s has %d entries for %s", from, len(found), name)
		}
		for _, file := range []string{result, found[0]} {
			within, err := filepath.Rel(from, file)
			if err != nil || !filepath.IsLocal(within) {
				return "", fmt.Errorf("%s is not in %s", file, from)
			}
			to := filepath.Join(dir, within)
			if osfile.IsFile(to) {
				continue
			}
			data, err := os.ReadFile(file)
			if err == nil {
				err = osfile.WriteAtomic(to, data)
			}
			if err != nil {
				return "", err
			}
		}
		within, _ := filepath.Rel(from, result)
		fmt.Fprintf(&lines, "packagefile %s=%s\n", name, filepath.Join(dir, within))
	}
	return lines.String(), nil
}

// goListFile returns the file with the paths of the compiled packages in the build cache
// dir, in the format of the importcfg of Go's compiler and linker.
func goListFile(tc Toolchain, dir string) string {
	return filepath.Join(dir, "importcfg-"+HashOf(tc.Compiler, tc.Version))
}

// listGoPackages compiles packages of the library, and what they import, with the build
// cache that env or dir names, and returns a line for each of them. It runs in dir,
// outside of any other module.
func (b *Builder) listGoPackages(ctx context.Context, l *language.Language, tc Toolchain, packages []string, dir,
	format string, env ...string) (string, error) {
	tmp, err := b.temporaryFolder()
	if err != nil {
		return "", err
	}
	defer osfile.RemoveAll(tmp)
	if err := os.Mkdir(filepath.Join(tmp, "tmp"), 0o755); err != nil {
		return "", err
	}
	run, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	// The library and its compiler are trusted, so no sandbox is needed. The flags
	// must be those of submissions: others make other entries of the cache.
	cmd := exec.CommandContext(run, tc.Compiler, append([]string{"list", "-export", "-deps", "-f", format},
		packages...)...)
	cmd.Dir, cmd.Env = dir, append(environment(os.Getenv("PATH"), l, b.Cache, tmp), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	// On an interrupt, go stops its compilers and removes its temporary files.
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, 5*time.Second
	out, err := cmd.Output()
	switch {
	case err == nil:
		return string(out), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	return "", fmt.Errorf("%s does not compile its own library: %w: %s", tc.Compiler, err,
		terminal.FirstLine(said.String()))
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
		_, imports, _ := goHeader(files[name])
		for _, name := range imports {
			if slices.Contains(library, name) {
				needed = append(needed, name)
			}
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// goHeader returns the name of the package and the imports with which a Go file starts. If
// these have a syntax error, ok is false, and imports has those before it. Package go/parser
// would also parse the rest, and takes a fortieth of the time in which this judge is built.
func goHeader(source []byte) (name string, imports []string, ok bool) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(source)), source, nil, 0)
	var tok token.Token
	var text string
	next := func() { _, tok, text = s.Scan() }
	skip := func(t token.Token) bool {
		found := tok == t
		if found {
			next()
		}
		return found
	}
	spec := func() bool {
		if tok == token.IDENT || tok == token.PERIOD {
			next()
		}
		if path, err := strconv.Unquote(text); tok == token.STRING && err == nil {
			imports = append(imports, path)
		}
		return skip(token.STRING)
	}
	next()
	ok = skip(token.PACKAGE)
	name = text
	ok = ok && skip(token.IDENT) && skip(token.SEMICOLON)
	for ok && skip(token.IMPORT) {
		if skip(token.LPAREN) {
			for ok && tok != token.RPAREN {
				ok = spec() && (skip(token.SEMICOLON) || tok == token.RPAREN)
			}
			ok = skip(token.RPAREN) && ok
		} else {
			ok = spec()
		}
		ok = ok && skip(token.SEMICOLON)
	}
	return name, imports, ok && s.ErrorCount == 0
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
