package build

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// compileGoFile compiles a program of one Go file as go build does, by Go's compiler and
// linker. go build needs twice the CPU time of both to find that nothing else must be
// built. It returns false if the program must be built by go build: it is not that
// simple, it was rejected, or there is a message. Then only the messages of go build are
// shown.
func (b *Builder) compileGoFile(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, entry,
	dir, cache string, cmd sandbox.Cmd) (done bool, err error) {
	source, ok := files[entry]
	if !ok || len(files) != 1 || strings.HasSuffix(entry, "_test.go") {
		return false, nil
	}
	listed, err := b.Tools.ask(ctx, l, tc.Compiler, []string{"list", "std"})
	if err != nil {
		return false, err
	}
	if !plainGoFile(source, strings.Fields(listed)) {
		return false, nil
	}
	tools, err := b.Tools.ask(ctx, l, tc.Compiler, []string{"env", "GOTOOLDIR"})
	if err != nil {
		return false, nil // go build reports it
	}
	// The compiler reads the packages of the list that the file imports, and the linker
	// also those that they import.
	list, object := goListFile(tc, cache), filepath.Join(dir, "tmp", "main.a")
	tool := func(name string) string {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		return filepath.Join(strings.TrimSpace(tools), name)
	}
	trim := cmd.Dir + "=>."
	for _, args := range [][]string{
		{tool("compile"), "-o", object, "-trimpath", trim, "-p", "main", "-lang=go" + goVersion(tc.Version), "-complete",
			"-dwarf=false", "-nolocalimports", "-importcfg", list, "-pack", "./" + entry},
		{tool("link"), "-o", filepath.Join(dir, "bin", programName()), "-importcfg", list, "-buildmode=exe", "-s", object},
	} {
		cmd.Args = args
		c, _, err := b.runCompiler(ctx, dir, cmd)
		if err != nil || c.Exit != 0 || c.Message != "" {
			return false, err
		}
	}
	return true, nil
}

// plainGoFile reports whether go build does no more for a Go file than compile it with
// packages of the library.
func plainGoFile(source []byte, library []string) bool {
	// go build sets the default of $GODEBUG by these directives.
	if bytes.Contains(source, []byte("//go:debug")) {
		return false
	}
	name, imports, ok := goHeader(source)
	if !ok || name != "main" {
		return false
	}
	for _, name := range imports {
		switch {
		case !slices.Contains(library, name):
			return false
		case name == "embed": // needs the list of embedded files
			return false
		case slices.Contains(strings.Split(name, "/"), "internal") || strings.HasPrefix(name, "vendor/"):
			return false // the compiler alone does not reject them
		}
	}
	return true
}
