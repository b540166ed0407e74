package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Builder compiles source into programs. It caches each program under a hash of
// everything that determines the result, so that a source is compiled only once,
// also across runs and concurrent judges.
type Builder struct {
	Runner sandbox.Runner
	Cache  string
	Tools  Toolchains

	warming  sync.Mutex // held while Go's library is compiled
	mu       sync.Mutex
	building map[string]*sync.Mutex // by key
	proven   map[string]error       // by language code: whether its hello builds and runs
}

// A Program is a program ready to run.
type Program struct {
	Args    []string                                                                       // the command, less the case's arguments
	Dir     string                                                                         // folder of the built program: src/ and bin/ below it
	Reads   []string                                                                       // what it reads besides itself and its working folder
	Files   int                                                                            // that each of its processes may have open; 0 is the sandbox's usual number
	Sources map[string][]byte                                                              // what its working folder holds
	Tree    string                                                                         // a folder that its working folder is a copy of, instead
	Grammar func(ctx context.Context, input []byte, args []string) (why string, err error) // not nil: no program, and of the rest it has dir alone
	places  workplaces
}

// A Source is the source of a program to build.
type Source struct {
	What     string // for messages: "accepted/dlx.go"
	Files    map[string][]byte
	Language *language.Language
	Entry    string // "" means the default
	Memory   int64  // bytes: the limit the program will run under
}

// CacheVersion changes when what lies in the cache changes its meaning.
const CacheVersion = "2"

const (
	maxCompilerOutput = 1 << 20
	maxCompilerFile   = 512 << 20
)

// Usual is what programs of the judge's side are built under: the format
// guarantees nothing for those.
var Usual = problem.Guarantee{Time: problem.DefaultCompiling, Memory: problem.DefaultGuaranteed}

// Build compiles a source or takes the program from the cache. If the compiler
// rejects the source, the program is nil and the Compile has the message. The
// error is for failures of the judge.
func (w *Builder) Build(ctx context.Context, s Source, g problem.Guarantee) (*Program, Compile, error) {
	l := s.Language
	tc, err := w.Tools.Find(ctx, l)
	if err != nil {
		if problem.OutOfResources(err) {
			return nil, Compile{}, fmt.Errorf("%s: %w", l.Name, err)
		}
		return nil, Compile{}, &UnusableError{l, err}
	}
	files, entry, err := l.Arrange(s.Files, s.Entry)
	if err != nil {
		return nil, Compile{}, &problem.Defect{File: s.What, Msg: err.Error()}
	}
	key := w.Key(l, tc, files, entry)
	unlock := w.lock(key)
	defer unlock()

	final := filepath.Join(w.Cache, "programs", key)
	p := &Program{Dir: final, Sources: files, Args: w.expand(l.Run, l, tc, files, entry, final, s.Memory), Reads: readsOf(l, tc, final), Files: l.OpenFiles}
	if c, ok := recall(final); ok {
		c.Cached = true
		return usable(p, c)
	}
	c, err := w.compile(ctx, l, tc, files, entry, final, g)
	if err != nil {
		return nil, Compile{}, fmt.Errorf("%s: %w", s.What, err)
	}
	if c.Exit > 0 {
		if err := w.Prove(ctx, l); err != nil {
			return nil, Compile{}, fmt.Errorf("%s: %s does not build its own hello, so its refusal proves nothing: %w", s.What, l.Name, err)
		}
		if err := remember(final, c); err != nil {
			return nil, Compile{}, err
		}
	}
	return usable(p, c)
}

// usable drops a program that was refused. A compiler that was stopped at a
// limit (Exit is -1) has refused, too, but that is not remembered: with more
// time, or on a quieter machine, it might not.

func usable(p *Program, c Compile) (*Program, Compile, error) {
	if c.Exit != 0 {
		return nil, c, nil
	}
	return p, c, nil
}

// An UnusableError reports a language that cannot be used on this machine.
type UnusableError struct {
	language *language.Language
	err      error
}

func (e *UnusableError) Error() string {
	return e.language.Name + " is not usable here: " + e.err.Error()
}
func (e *UnusableError) Unwrap() error { return e.err }

// Key hashes everything that determines the built program.
func (w *Builder) Key(l *language.Language, tc Toolchain, files map[string][]byte, entry string) string {
	h := sha256.New()
	say := func(parts ...string) {
		for _, s := range parts {
			fmt.Fprintf(h, "%d:%s", len(s), s)
		}
	}
	// A source can tell the compiler to take in what a box does not show.
	boxed := strconv.FormatBool(sandbox.ProtectionOf(w.Runner).Level.Full())
	say(CacheVersion, boxed, runtime.GOOS, runtime.GOARCH, l.Code, tc.Compiler, tc.Runtime, tc.Version)
	say(l.Compile...)
	// Where it starts is the compiler's concern only if the compiler is told.
	if slices.ContainsFunc(l.Compile, func(arg string) bool { return strings.Contains(arg, "{entry}") || strings.Contains(arg, "{package}") }) {
		say(entry)
	}
	say(l.Env...)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		say(name, string(files[name]))
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

func (w *Builder) lock(key string) (unlock func()) {
	w.mu.Lock()
	if w.building == nil {
		w.building = make(map[string]*sync.Mutex)
	}
	m := w.building[key]
	if m == nil {
		m = new(sync.Mutex)
		w.building[key] = m
	}
	w.mu.Unlock()
	m.Lock()
	return m.Unlock
}

// compile builds into a folder of its own, which takes its final name only
// when it is complete.
func (w *Builder) compile(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte, entry, final string, g problem.Guarantee) (c Compile, err error) {
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return c, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), ".building-")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(dir)) }()
	src := filepath.Join(dir, "src")
	if err := osfile.WriteFiles(src, files); err != nil {
		return c, err
	}
	bin, tmp := filepath.Join(dir, "bin"), filepath.Join(dir, "tmp")
	for _, sub := range []string{bin, tmp} {
		if err := osfile.Mkdir(sub); err != nil {
			return c, err
		}
	}
	if l.Compile != nil {
		reads := tc.Folders
		if l.Module {
			if err := w.warmGo(ctx, l, tc, files); err != nil {
				return c, err
			}
			reads = append(slices.Clone(reads), filepath.Join(w.Cache, "go-build"))
			if files["go.mod"] == nil {
				// Outside any module, whatever folder the cache lies in.
				mod := fmt.Sprintf("module submission\n\ngo %s\n", goVersion(tc.Version))
				if err := osfile.WriteBelow(src, "go.mod", []byte(mod)); err != nil {
					return c, err
				}
			}
		}
		var said bytes.Buffer
		out, err := w.Runner.Run(ctx, sandbox.Cmd{
			Args:   w.expand(l.Compile, l, tc, files, entry, dir, 0),
			Dir:    src,
			Reads:  reads,
			Writes: []string{bin, tmp}, Scratch: l.Beside, Locks: true,
			Env:    environmentWith(w.path(tc), l, w.Cache, dir),
			Stdout: &said,
			Stderr: &said,
			Limits: buildLimits(g),
			// go build has some for each of the machine's cores.
			OpenFiles: 1024,
		})
		if err != nil {
			return c, err
		}
		if c, err = refusal(out, said.String(), dir); err != nil || c.Exit != 0 {
			return c, err
		}
		if l.Beside {
			// Outside of a box, what was written beside the sources is still there.
			if err := errors.Join(osfile.RemoveAll(src), osfile.WriteFiles(src, files)); err != nil {
				return c, err
			}
		}
		if why, err := w.accept(l, bin); err != nil || why != "" {
			c.Exit, c.Message = 1, strings.TrimSpace(why+"\n"+c.Message)
			return c, err
		}
	}
	return c, finish(dir, final, c)
}

// accept takes over what a compiler left in bin, or says why that is no
// program. A source can make a compiler leave anything.
func (w *Builder) accept(l *language.Language, bin string) (why string, err error) {
	err = osfile.Adopt(bin)
	var found *osfile.FoundError
	if errors.As(err, &found) {
		return "the compiler left what is no part of a program: " + found.Error(), nil
	}
	if err != nil || l.Run[0] != "{bin}" {
		return "", err
	}
	info, err := os.Lstat(filepath.Join(bin, programName()))
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 == 0 && runtime.GOOS != "windows") {
		return "the compiler made no program that can be run", nil
	}
	return "", err
}

// finish gives a folder that something was built in its final name.
func finish(dir, final string, c Compile) error {
	if err := osfile.RemoveAll(filepath.Join(dir, "tmp")); err != nil {
		return err
	}
	if err := remember(dir, c); err != nil {
		return err
	}
	// Until now what was built was for the judge alone.
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	return publish(dir, final)
}

// publish gives what was built its final name. Another judge may have built
// the same meanwhile; then its result serves. What lies there and is not as it
// was built makes way.
func publish(dir, final string) error {
	if os.Rename(dir, final) == nil {
		return nil
	}
	if _, ok := recall(final); ok {
		return nil
	}
	return errors.Join(osfile.RemoveAll(final), os.Rename(dir, final))
}

// refusal reads the outcome of a compiler. Breaking the limits of compiling is
// a refusal (2025-09, "Resource guarantees"). A compiler that dies of something
// else has said nothing about the source.
func refusal(o sandbox.Outcome, said, dir string) (Compile, error) {
	c := Compile{Exit: o.Exit, Message: strings.ReplaceAll(text.Clip(said, 8<<10), dir+string(filepath.Separator), "")}
	switch {
	case o.Exceeded != "":
		c.Exit, c.Message = -1, strings.TrimSpace(fmt.Sprintf("the compiler went beyond its %s limit\n%s", o.Exceeded, c.Message))
	case o.Signal != 0:
		return c, fmt.Errorf("the compiler was killed by %s: %s", text.SignalName(o.Signal), text.FirstLine(said))
	}
	return c, nil
}

// environment is what compilers see: nothing of the user's, so that the result
// depends on the source and the tools alone.
func environment(l *language.Language, cache, dir string) []string {
	return environmentWith(os.Getenv("PATH"), l, cache, dir)
}

func environmentWith(path string, l *language.Language, cache, dir string) []string {
	tmp := filepath.Join(dir, "tmp")
	env := []string{"PATH=" + path, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HOME=" + tmp, "TMPDIR=" + tmp, "TMP=" + tmp, "TEMP=" + tmp}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return append(env, envOf(l, cache)...)
}

// path is the PATH of a compiler. In a box it names the tools and the machine's
// own folders alone: what else the user has on his PATH is not there, and no
// business of the source's.
func (w *Builder) path(tools ...Toolchain) string {
	if !sandbox.ProtectionOf(w.Runner).Level.Full() {
		return os.Getenv("PATH")
	}
	var folders []string
	for _, tc := range tools {
		for _, tool := range []string{tc.Compiler, tc.Runtime} {
			if tool != "" {
				folders = append(folders, filepath.Dir(tool))
			}
		}
	}
	folders = append(folders, "/usr/local/bin", "/usr/bin", "/bin")
	return strings.Join(folders, string(os.PathListSeparator))
}

// envOf is what the language's own tools need in their environment.
func envOf(l *language.Language, cache string) []string {
	var env []string
	for _, e := range l.Env {
		env = append(env, strings.ReplaceAll(e, "{cache}", filepath.ToSlash(cache)))
	}
	return env
}

// expand writes out a command of the table for one program.
func (w *Builder) expand(command []string, l *language.Language, tc Toolchain, files map[string][]byte, entry, dir string, memory int64) []string {
	bin := filepath.Join(dir, "bin", programName())
	pkg := "./" + entry
	if len(l.Sources(slices.Sorted(maps.Keys(files)))) > 1 || len(files) > 1 {
		pkg = "."
	}
	replace := strings.NewReplacer(
		"{compiler}", tc.Compiler, "{runtime}", tc.Runtime,
		"{home}", filepath.Dir(filepath.Dir(Resolved(tc.Compiler))),
		"{entry}", "./"+entry, "{stem}", strings.TrimSuffix(entry, path.Ext(entry)), "{class}", entry,
		"{bin}", bin, "{dir}", dir, "{package}", pkg, "{heap}", strconv.FormatInt(heapMiB(memory), 10),
	)
	var args []string
	for _, a := range command {
		if a == "{files}" {
			for _, name := range l.Sources(slices.Sorted(maps.Keys(files))) {
				args = append(args, "./"+name)
			}
			continue
		}
		args = append(args, replace.Replace(a))
	}
	return args
}

// programName is the name that a compiled program gets.
func programName() string {
	if runtime.GOOS == "windows" {
		return "program.exe"
	}
	return "program"
}

// readsOf lists what a built program of the language needs to read, besides
// itself and its working folder: what else was built, and the runtime.
func readsOf(l *language.Language, tc Toolchain, dir string) []string {
	var all []string
	for _, arg := range l.Run {
		if arg == "{runtime}" {
			all = append(all, tc.Folders...)
		}
		if strings.Contains(arg, "{dir}/bin") {
			all = append(all, filepath.Join(dir, "bin"))
		}
	}
	return all
}

// heapMiB is the heap that a managed runtime gets: the memory limit less about
// what the runtime itself takes, so that a program which would fit is
// collected in time instead of growing past the limit.
func heapMiB(memory int64) int64 {
	const runtimeOwn, least, usual = 40, 16, 2048
	if memory == 0 {
		return usual
	}
	return max(memory>>20-runtimeOwn, least)
}

// Prove checks that a language's hello program builds and runs, once per Builder.
func (w *Builder) Prove(ctx context.Context, l *language.Language) error {
	w.mu.Lock()
	err, done := w.proven[l.Code]
	w.mu.Unlock()
	if done {
		return err
	}
	err = w.hello(ctx, l)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.proven == nil {
		w.proven = make(map[string]error)
	}
	w.proven[l.Code] = err
	return err
}

// hello builds the language's hello anew and runs it.
func (w *Builder) hello(ctx context.Context, l *language.Language) (err error) {
	tc, err := w.Tools.Find(ctx, l)
	if err != nil {
		return err
	}
	files, entry, err := l.Arrange(map[string][]byte{"Main" + l.Ext(): []byte(l.Hello)}, "")
	if err != nil {
		return err
	}
	programs := filepath.Join(w.Cache, "programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(programs, ".building-hello-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(tmp)) }()
	dir := filepath.Join(tmp, "program")
	c, err := w.compile(ctx, l, tc, files, entry, dir, Usual)
	if err != nil {
		return err
	}
	if c.Exit != 0 {
		return fmt.Errorf("%s", text.FirstLine(c.Message))
	}
	var out, said bytes.Buffer
	o, err := w.Runner.Run(ctx, sandbox.Cmd{
		Args: w.expand(l.Run, l, tc, files, entry, dir, 0), Dir: filepath.Join(dir, "src"), Reads: readsOf(l, tc, dir), OpenFiles: l.OpenFiles, Stdout: &out, Stderr: &said,
		Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Output: 1 << 16, Processes: MaxProcesses},
	})
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(out.String()); o.Exit != 0 || got != "hello" {
		return fmt.Errorf("its hello exits with %d and prints %q: %s", o.Exit, text.Clip(got, 100), text.FirstLine(said.String()))
	}
	return nil
}

// goVersion takes "1.26" out of "go version go1.26.8 linux/amd64".
func goVersion(told string) string {
	for _, word := range strings.Fields(told) {
		if v, ok := strings.CutPrefix(word, "go1."); ok {
			minor, _, _ := strings.Cut(v, ".")
			if _, err := strconv.Atoi(minor); err == nil {
				return "1." + minor
			}
		}
	}
	return "1.21"
}

// Key is a hash of all that decides what the program is: its sources, the
// compiler, the flags, and where it starts, which may be another file of the
// same sources. What a run script calls is not in it.
func (b *Program) Key() string { return HashOf(append([]string{filepath.Base(b.Dir)}, b.Args...)...) }

// A Compile is the result of compiling a source.
type Compile struct {
	Exit    int    `json:"exit"`    // the compiler's exit status; 0 when there is nothing to compile
	Message string `json:"message"` // what the compiler said, clipped
	Cached  bool   `json:"cached"`  // nothing was compiled: the same source was compiled before
}
