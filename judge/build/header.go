package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// Many submissions include bits/stdc++.h, which GCC reads several times as fast if it
// is precompiled (GCC manual, "Using Precompiled Headers"). The judge precompiles the
// header in a box, once for each compiler and its flags. The cache has:
//
//	headers/KEY/bits/stdc++.h.gch   found by GCC's option -I headers/KEY
//	headers/KEY/header.json         see precompiled
//	headers/KEY.wanted              one byte for each source that was compiled without it
//
// Compilers may only read these files, and only in a box: without one, a submission
// could change them. The compiled programs are the same as without the header, because
// nothing may stand before its include in the source, which could change its meaning.

// A precompiled describes a precompiled header.
type precompiled struct {
	Unusable string      `json:"unusable"` // why this compiler cannot use it; "" if it can
	Files    []fileState `json:"files"`    // the header and all files that it was made from; none may have changed
}

// A fileState identifies a version of a file.
type fileState struct {
	Name string    `json:"name"` // absolute, or below the folder of the header
	Size int64     `json:"size"` // in bytes
	Time time.Time `json:"time"` // of the last change of its content
}

const (
	// Precompiling takes as long as compiling about five sources, and saves most of the
	// time of each. So it waits until this many sources have wanted the header.
	wantedBefore = 2
	// A header has about 120 MB, so only the last ones used are kept.
	headersKept = 2
)

// header returns the folder of a precompiled header for these files, or "" if there is
// none that they can use. It makes the header if that is worth the time. It ignores
// errors, because the files can be compiled without the header.
func (b *Builder) header(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte) string {
	if l.Header == "" || !b.boxed() {
		return ""
	}
	for _, name := range l.Sources(slices.Collect(maps.Keys(files))) {
		if !startsWithInclude(files[name], l.Header) {
			return ""
		}
	}
	key := HashOf(slices.Concat([]string{runtime.GOOS, runtime.GOARCH, tc.Compiler, tc.Version, l.Header}, l.Flags)...)
	dir := filepath.Join(b.Cache, "headers", key)
	h, err := readPrecompiled(dir)
	if err != nil && (b.isWanted(dir+".wanted") || b.Eager) {
		h, err = b.precompile(ctx, l, tc, dir)
	}
	if err != nil || h.Unusable != "" {
		return ""
	}
	return dir
}

// startsWithInclude reports whether the first text of a source, after white space and
// comments, is the include of a header.
func startsWithInclude(source []byte, header string) bool {
	start := regexp.MustCompile(`^(?:\s|//[^\n\\]*\n|/\*(?:[^*]|\*+[^*/])*\*+/)*#[ \t]*include[ \t]*<` + regexp.QuoteMeta(header) + `>`)
	return start.Match(source)
}

// isWanted counts the sources that want a header that does not exist, and reports
// whether there are enough of them.
func (b *Builder) isWanted(name string) bool {
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return false
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND|osfile.NoFollow, 0o644)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() >= wantedBefore {
		return err == nil
	}
	f.Write([]byte("."))
	return false
}

// precompile makes the header of a language in dir. Only one caller does so at a time;
// the others get an error.
func (b *Builder) precompile(ctx context.Context, l *language.Language, tc Toolchain, dir string) (h *precompiled, err error) {
	lock, err := os.OpenFile(dir+".wanted", os.O_RDWR|osfile.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := osfile.Lock(lock); errors.Is(err, osfile.ErrLocked) {
		return nil, err
	}
	if h, err := readPrecompiled(dir); err == nil { // made since the caller looked
		return h, nil
	}
	tmp, err := b.temporaryFolder()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(tmp)) }()
	if h, err = b.makeHeader(ctx, l, tc, tmp); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return nil, err
	}
	made := filepath.Join(tmp, "bin")
	if err := errors.Join(osfile.WriteAtomic(filepath.Join(made, "header.json"), data), os.Chmod(made, 0o755), osfile.RemoveAll(dir)); err != nil {
		return nil, err
	}
	return h, errors.Join(os.Rename(made, dir), pruneHeaders(filepath.Dir(dir)))
}

// makeHeader precompiles a header into bin/ of a temporary folder, and checks that the
// compiler uses it.
func (b *Builder) makeHeader(ctx context.Context, l *language.Language, tc Toolchain, tmp string) (*precompiled, error) {
	src, bin, work := filepath.Join(tmp, "src"), filepath.Join(tmp, "bin"), filepath.Join(tmp, "tmp")
	gch := filepath.Join(bin, filepath.FromSlash(l.Header)) + ".gch"
	include := []byte("#include <" + l.Header + ">\n")
	if err := errors.Join(
		osfile.WriteFiles(src, map[string][]byte{"header.h": include, "user" + l.Ext(): include}),
		osfile.Mkdir(work), osfile.Mkdir(bin), osfile.Mkdirs(bin, filepath.Dir(gch)),
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
		return &precompiled{Unusable: c.Message}, err
	}
	if err := osfile.Adopt(bin); err != nil {
		return nil, err
	}
	// With -H, GCC prints an exclamation mark before a precompiled header that it uses.
	c, err = run([]string{bin}, []string{work}, "-I", bin, "-H", "-fsyntax-only", "./user"+l.Ext())
	if err != nil || !strings.Contains("\n"+c.Message, "\n! "+strings.TrimPrefix(gch, tmp+string(filepath.Separator))) {
		return &precompiled{Unusable: "the compiler does not use it: " + c.Message}, err
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	h := new(precompiled)
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
	f.Name = l.Header + ".gch"
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

func stateOf(name string) (fileState, error) {
	info, err := os.Stat(name)
	if err != nil {
		return fileState{}, err
	}
	return fileState{name, info.Size(), info.ModTime().UTC()}, nil
}

// readPrecompiled reads the description of the header in dir. It returns an error if
// there is none, or if a file has changed.
func readPrecompiled(dir string) (*precompiled, error) {
	data, err := os.ReadFile(filepath.Join(dir, "header.json"))
	if err != nil {
		return nil, err
	}
	h := new(precompiled)
	if err := json.Unmarshal(data, h); err != nil {
		return nil, err
	}
	for _, f := range h.Files {
		name := f.Name
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		if now, err := stateOf(name); err != nil || now.Size != f.Size || !now.Time.Equal(f.Time) {
			return nil, errors.Join(err, fmt.Errorf("%s has changed", name))
		}
	}
	now := time.Now() // of last use, for pruning
	os.Chtimes(dir, now, now)
	return h, nil
}

// pruneHeaders removes the headers that have not been used for the longest time.
func pruneHeaders(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	used := make(map[string]time.Time) // by folder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() {
			used[filepath.Join(folder, e.Name())] = info.ModTime()
		}
	}
	dirs := slices.SortedFunc(maps.Keys(used), func(a, b string) int { return used[b].Compare(used[a]) })
	var errs []error
	for _, dir := range dirs[min(headersKept, len(dirs)):] {
		errs = append(errs, osfile.RemoveAll(dir), osfile.RemoveAll(dir+".wanted"))
	}
	return errors.Join(errs...)
}
