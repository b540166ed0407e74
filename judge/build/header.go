package build

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// Many submissions include bits/stdc++.h or start with iostream, which GCC reads several
// times as fast if it is precompiled (GCC manual, "Using Precompiled Headers"). The judge
// precompiles these headers as prepared files:
//
//	headers/stdc++.h/KEY/bits/stdc++.h.gch   found by GCC's option -I headers/stdc++.h/KEY
//
// The compiled programs are the same as without the header, because nothing may stand
// before its include in the source, which could change its meaning.

// header returns the folder of a precompiled header for these files, or "" if there is
// none that they can use.
func (b *Builder) header(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte) string {
	sources := l.Sources(slices.Collect(maps.Keys(files)))
	if len(sources) == 0 || l.Headers == nil {
		return ""
	}
	name := firstInclude(files[sources[0]])
	if !slices.Contains(l.Headers, name) || slices.ContainsFunc(sources,
		func(s string) bool { return firstInclude(files[s]) != name }) {
		return ""
	}
	key := HashOf(slices.Concat([]string{runtime.GOOS, runtime.GOARCH, tc.Compiler, tc.Version, name}, l.Flags)...)
	return b.prepared(filepath.Join("headers", path.Base(name), key), func(tmp string) (*preparedFiles, error) {
		return b.makeHeader(ctx, l, tc, name, tmp)
	})
}

// includeForm matches white space, comments and then the include of a header.
var includeForm = lazy.Regexp(`^(?:\s|//[^\n\\]*\n|/\*(?:[^*]|\*+[^*/])*\*+/)*#[ \t]*include[ \t]*<([^>\n]+)>`)

// firstInclude returns the header with whose include a source starts, after white space
// and comments; "" if it starts with anything else.
func firstInclude(source []byte) string {
	if found := includeForm().FindSubmatch(source); found != nil {
		return string(found[1])
	}
	return ""
}

// makeHeader precompiles a header into bin/ of a temporary folder, and checks that the
// compiler uses it.
func (b *Builder) makeHeader(ctx context.Context, l *language.Language, tc Toolchain, header,
	tmp string) (*preparedFiles, error) {
	src, bin, work := filepath.Join(tmp, "src"), filepath.Join(tmp, "bin"), filepath.Join(tmp, "tmp")
	gch := filepath.Join(bin, filepath.FromSlash(header)) + ".gch"
	include := []byte("#include <" + header + ">\n")
	if err := errors.Join(
		osfile.WriteFiles(src, map[string][]byte{"header.h": include, "user" + l.Ext(): include}),
		osfile.Mkdirs(bin, filepath.Dir(gch)),
	); err != nil {
		return nil, err
	}
	run := func(reads, writes []string, args ...string) (Compile, error) {
		c, _, err := b.runCompiler(ctx, tmp, sandbox.Cmd{
			Args: slices.Concat([]string{tc.Compiler}, l.Flags, args), Dir: src,
			Reads: slices.Concat(tc.Folders, reads), Writes: writes,
			Env: environment(b.path(tc), l, b.Cache, tmp), Limits: buildLimits(Usual),
		})
		return c, err
	}
	list := filepath.Join(work, "made-from")
	c, err := run(nil, []string{bin, work}, "-x", "c++-header", "-MD", "-MF", list, "-o", gch, "./header.h")
	if err != nil || c.Exit != 0 {
		return &preparedFiles{Unusable: c.Message}, err
	}
	if err := osfile.Adopt(bin); err != nil {
		return nil, err
	}
	// With -H, GCC prints an exclamation mark before a precompiled header that it uses.
	c, err = run([]string{bin}, []string{work}, "-I", bin, "-H", "-fsyntax-only", "./user"+l.Ext())
	if err != nil || !strings.Contains("\n"+c.Message, "\n! "+strings.TrimPrefix(gch, tmp+string(filepath.Separator))) {
		return &preparedFiles{Unusable: "the compiler does not use it: " + c.Message}, err
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	h := new(preparedFiles)
	for _, name := range madeFrom(string(text)) {
		if !filepath.IsAbs(name) {
			continue // header.h
		}
		f, err := stateOf(name)
		if err != nil {
			return nil, err
		}
		h.Files = append(h.Files, f)
	}
	f, err := stateOf(gch)
	f.Name = header + ".gch"
	h.Files = append(h.Files, f)
	return h, err
}

// madeFrom returns the files that a rule of make depends on. A backslash precedes a
// space of a name and the end of a line that continues.
func madeFrom(rule string) []string {
	_, rule, _ = strings.Cut(rule, ": ")
	const space = "\x00"
	rule = strings.NewReplacer("\\\n", " ", `\ `, space).Replace(rule)
	names := strings.Fields(rule)
	for i, name := range names {
		names[i] = strings.ReplaceAll(name, space, " ")
	}
	return names
}
