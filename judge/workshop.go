package judge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/sandbox"
)

// The workshop turns source into programs. What it built it keeps, under a
// hash of all that decides the result, so that nothing is compiled twice: not
// in one run, not in the next, and not by two judges at once.
type workshop struct {
	runner Runner
	cache  string
	tools  toolchains

	warming  sync.Mutex // held while Go's library is compiled
	mu       sync.Mutex
	building map[string]*sync.Mutex // by key
	proven   map[string]error       // by language code: whether its hello builds and runs
}

// A built is a program ready to run.
type built struct {
	args    []string          // the command, less the case's arguments
	dir     string            // folder of the built program: src/ and bin/ below it
	reads   []string          // what it reads besides itself and its working folder
	files   int               // that each of its processes may have open; 0 is the sandbox's usual number
	sources map[string][]byte // what its working folder holds
	tree    string            // a folder that its working folder is a copy of, instead
	grammar grammar           // not nil: no program, and of the rest it has dir alone
	places  workplaces
}

// A source is what is to be built.
type source struct {
	what     string // for messages: "accepted/dlx.go"
	files    map[string][]byte
	language *Language
	entry    string // "" means the default
	memory   int64  // bytes: the limit the program will run under
}

// cacheVersion changes when what lies in the cache changes its meaning.
const cacheVersion = "2"

const (
	maxCompilerOutput = 1 << 20
	maxCompilerFile   = 512 << 20
)

// usualBuild is what programs of the judge's side are built under: the format
// guarantees nothing for those.
var usualBuild = Guarantee{Time: defaultCompiling, Memory: defaultGuaranteed}

// build compiles a source, or finds it compiled. The Compile tells the
// compiler's refusal, which is the submission's fault; then there is no
// program. The error is the judge's.
func (w *workshop) build(ctx context.Context, s source, g Guarantee) (*built, Compile, error) {
	l := s.language
	tc, err := w.tools.find(ctx, l)
	if err != nil {
		if OutOfResources(err) {
			return nil, Compile{}, fmt.Errorf("%s: %w", l.Name, err)
		}
		return nil, Compile{}, &unusableError{l, err}
	}
	files, entry, err := l.lay(s.files, s.entry)
	if err != nil {
		return nil, Compile{}, &Defect{File: s.what, Msg: err.Error()}
	}
	key := w.key(l, tc, files, entry)
	unlock := w.lock(key)
	defer unlock()

	final := filepath.Join(w.cache, "programs", key)
	p := &built{dir: final, sources: files, args: w.expand(l.Run, l, tc, files, entry, final, s.memory), reads: l.reads(tc, final), files: l.OpenFiles}
	if c, ok := recall(final); ok {
		c.Cached = true
		return usable(p, c)
	}
	c, err := w.compile(ctx, l, tc, files, entry, final, g)
	if err != nil {
		return nil, Compile{}, fmt.Errorf("%s: %w", s.what, err)
	}
	if c.Exit > 0 {
		if err := w.prove(ctx, l); err != nil {
			return nil, Compile{}, fmt.Errorf("%s: %s does not build its own hello, so its refusal proves nothing: %w", s.what, l.Name, err)
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

func usable(p *built, c Compile) (*built, Compile, error) {
	if c.Exit != 0 {
		return nil, c, nil
	}
	return p, c, nil
}

// An unusableError says that a language cannot be used on this machine.
type unusableError struct {
	language *Language
	err      error
}

func (e *unusableError) Error() string {
	return e.language.Name + " is not usable here: " + e.err.Error()
}
func (e *unusableError) Unwrap() error { return e.err }

// key hashes everything that decides what is built.
func (w *workshop) key(l *Language, tc Toolchain, files map[string][]byte, entry string) string {
	h := sha256.New()
	say := func(parts ...string) {
		for _, s := range parts {
			fmt.Fprintf(h, "%d:%s", len(s), s)
		}
	}
	// A source can tell the compiler to take in what a box does not show.
	boxed := strconv.FormatBool(protectionOf(w.runner).Rung.Full())
	say(cacheVersion, boxed, runtime.GOOS, runtime.GOARCH, l.Code, tc.Compiler, tc.Runtime, tc.Version)
	say(l.Compile...)
	// Where it starts is the compiler's concern only if the compiler is told.
	if slices.ContainsFunc(l.Compile, func(arg string) bool { return strings.Contains(arg, "{entry}") || strings.Contains(arg, "{package}") }) {
		say(entry)
	}
	say(l.Env...)
	for _, name := range sortedKeys(files) {
		say(name, string(files[name]))
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

func (w *workshop) lock(key string) (unlock func()) {
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
func (w *workshop) compile(ctx context.Context, l *Language, tc Toolchain, files map[string][]byte, entry, final string, g Guarantee) (c Compile, err error) {
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return c, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), ".building-")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	src := filepath.Join(dir, "src")
	if err := writeFiles(src, files); err != nil {
		return c, err
	}
	bin, tmp := filepath.Join(dir, "bin"), filepath.Join(dir, "tmp")
	for _, sub := range []string{bin, tmp} {
		if err := mkdir(sub); err != nil {
			return c, err
		}
	}
	if l.Compile != nil {
		reads := tc.Folders
		if l.Code == "go" {
			if err := w.warmGo(ctx, l, tc, files); err != nil {
				return c, err
			}
			reads = append(slices.Clone(reads), filepath.Join(w.cache, "go-build"))
			if files["go.mod"] == nil {
				// Outside any module, whatever folder the cache lies in.
				mod := fmt.Sprintf("module submission\n\ngo %s\n", goVersion(tc.Version))
				if err := writeBelow(src, "go.mod", []byte(mod)); err != nil {
					return c, err
				}
			}
		}
		var said bytes.Buffer
		out, err := w.runner.Run(ctx, sandbox.Cmd{
			Args:   w.expand(l.Compile, l, tc, files, entry, dir, 0),
			Dir:    src,
			Reads:  reads,
			Writes: []string{bin, tmp}, Scratch: l.Beside, Locks: true,
			Env:    environmentWith(w.path(tc), l, w.cache, dir),
			Stdout: &said,
			Stderr: &said,
			Limits: g.building(),
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
			if err := errors.Join(removeAll(src), writeFiles(src, files)); err != nil {
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
func (w *workshop) accept(l *Language, bin string) (why string, err error) {
	err = adopt(bin)
	var found *foundError
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
	if err := removeAll(filepath.Join(dir, "tmp")); err != nil {
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
	return errors.Join(removeAll(final), os.Rename(dir, final))
}

// refusal reads the outcome of a compiler. Breaking the limits of compiling is
// a refusal (2025-09, "Resource guarantees"). A compiler that dies of something
// else has said nothing about the source.
func refusal(o sandbox.Outcome, said, dir string) (Compile, error) {
	c := Compile{Exit: o.Exit, Message: strings.ReplaceAll(clipText(said, 8<<10), dir+string(filepath.Separator), "")}
	switch {
	case o.Exceeded != "":
		c.Exit, c.Message = -1, strings.TrimSpace(fmt.Sprintf("the compiler went beyond its %s limit\n%s", o.Exceeded, c.Message))
	case o.Signal != 0:
		return c, fmt.Errorf("the compiler was killed by %s: %s", signalName(o.Signal), firstLine(said))
	}
	return c, nil
}

// environment is what compilers see: nothing of the user's, so that the result
// depends on the source and the tools alone.
func environment(l *Language, cache, dir string) []string {
	return environmentWith(os.Getenv("PATH"), l, cache, dir)
}

func environmentWith(path string, l *Language, cache, dir string) []string {
	tmp := filepath.Join(dir, "tmp")
	env := []string{"PATH=" + path, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HOME=" + tmp, "TMPDIR=" + tmp, "TMP=" + tmp, "TEMP=" + tmp}
	if runtime.GOOS == "windows" {
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"))
	}
	return append(env, l.env(cache)...)
}

// path is the PATH of a compiler. In a box it names the tools and the machine's
// own folders alone: what else the user has on his PATH is not there, and no
// business of the source's.
func (w *workshop) path(tools ...Toolchain) string {
	if !protectionOf(w.runner).Rung.Full() {
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

// env is what the language's own tools need in their environment.
func (l *Language) env(cache string) []string {
	var env []string
	for _, e := range l.Env {
		env = append(env, strings.ReplaceAll(e, "{cache}", filepath.ToSlash(cache)))
	}
	return env
}

// expand writes out a command of the table for one program.
func (w *workshop) expand(command []string, l *Language, tc Toolchain, files map[string][]byte, entry, dir string, memory int64) []string {
	bin := filepath.Join(dir, "bin", programName())
	pkg := "./" + entry
	if len(l.sources(sortedKeys(files))) > 1 || len(files) > 1 {
		pkg = "."
	}
	replace := strings.NewReplacer(
		"{compiler}", tc.Compiler, "{runtime}", tc.Runtime,
		"{home}", filepath.Dir(filepath.Dir(resolved(tc.Compiler))),
		"{entry}", "./"+entry, "{stem}", strings.TrimSuffix(entry, path.Ext(entry)), "{class}", entry,
		"{bin}", bin, "{dir}", dir, "{package}", pkg, "{heap}", strconv.FormatInt(heapMiB(memory), 10),
	)
	var args []string
	for _, a := range command {
		if a == "{files}" {
			for _, name := range l.sources(sortedKeys(files)) {
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

// reads lists what a built program of the language needs to read, besides
// itself and its working folder: what else was built, and the runtime.
func (l *Language) reads(tc Toolchain, dir string) []string {
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

// prove checks once that a language's hello builds and runs.
func (w *workshop) prove(ctx context.Context, l *Language) error {
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
func (w *workshop) hello(ctx context.Context, l *Language) (err error) {
	tc, err := w.tools.find(ctx, l)
	if err != nil {
		return err
	}
	files, entry, err := l.lay(map[string][]byte{"Main" + l.ext(): []byte(l.Hello)}, "")
	if err != nil {
		return err
	}
	programs := filepath.Join(w.cache, "programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(programs, ".building-hello-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(tmp)) }()
	dir := filepath.Join(tmp, "program")
	c, err := w.compile(ctx, l, tc, files, entry, dir, usualBuild)
	if err != nil {
		return err
	}
	if c.Exit != 0 {
		return fmt.Errorf("%s", firstLine(c.Message))
	}
	var out, said bytes.Buffer
	o, err := w.runner.Run(ctx, sandbox.Cmd{
		Args: w.expand(l.Run, l, tc, files, entry, dir, 0), Dir: filepath.Join(dir, "src"), Reads: l.reads(tc, dir), OpenFiles: l.OpenFiles, Stdout: &out, Stderr: &said,
		Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Output: 1 << 16, Processes: maxProcesses},
	})
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(out.String()); o.Exit != 0 || got != "hello" {
		return fmt.Errorf("its hello exits with %d and prints %q: %s", o.Exit, clipText(got, 100), firstLine(said.String()))
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

// writeFiles lays out a program's sources in a new folder.
func writeFiles(dir string, files map[string][]byte) error {
	if err := mkdir(dir); err != nil {
		return err
	}
	for _, name := range sortedKeys(files) {
		if err := writeBelow(dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return clipText(line, 300)
}

// clipText bounds what a program wrote, and keeps it from writing to the
// reader's terminal: control characters but tab and newline are escaped.
func clipText(s string, most int) string {
	cut := len(s) > most
	if cut {
		s = s[:most]
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r == '\r':
		default:
			fmt.Fprintf(&b, "%s", strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}
