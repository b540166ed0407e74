package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A Builder compiles source into programs. It caches each program under a hash of
// everything that determines the result, so that a source is compiled only once,
// also across runs and concurrent judges. It is safe for concurrent use.
type Builder struct {
	Runner sandbox.Runner // runs compilers and build scripts
	Cache  string         // the folder of the cache
	Tools  Toolchains     // of this machine
	// In which Go is found, for build scripts.
	Languages language.Table
	// Precompile headers for the first source that can use them, because sources will be
	// compiled often.
	Eager bool

	goLibrary sync.Mutex // held while Go's library is compiled
	building  sync.Map   // a *sync.Mutex for each key
	// By code and flags of a language: the error of its test program, nil if it works; with
	// "static" before them, why it cannot be linked statically, "" if it can.
	proven sync.Map
}

// A Program is a program that is ready to run.
type Program struct {
	// The command, without the arguments of the case.
	Args []string
	// The folder of the built program, with src/ and bin/.
	Dir string
	// Files and folders that it reads, besides itself and its working folder.
	Reads []string
	// The command that compiled it, see Compile; nil if none did.
	Compile []string
	// Environment variables in addition to the usual ones.
	Env []string
	// The number of files that each of its processes may open; 0 is the sandbox's default.
	Files int
	// Where it starts: a file or a class.
	Entry string
	// The files in its working folder.
	Sources map[string][]byte
	// If not "", its working folder is a copy of this folder.
	Tree string
	// Validates inputs in place of a program; if it is not nil, all other fields but Dir are
	// zero.
	Grammar func(ctx context.Context, input []byte, args []string) (why string, err error)
	folders workingFolders
}

// A Source is the source of a program to build.
type Source struct {
	What     string             // its name in messages: "accepted/dlx.go"
	Files    map[string][]byte  // by name
	Language *language.Language // of the files
	Entry    string             // where the program starts: a file or a class; "" is the language's default
	Memory   int64              // the memory limit of the program in bytes; 0 is none

	Submission bool // the program is a submission, or a solution that answers cases: ONLINE_JUDGE is defined
}

// CacheVersion is part of the keys of programs. It changes when a cached program
// changes its meaning.
const CacheVersion = "3"

// Usual contains the limits for building the programs of a problem, such as
// validators, for which the package format guarantees nothing.
var Usual = problem.Guarantee{Time: problem.DefaultCompiling, Memory: problem.DefaultGuaranteed}

// Build compiles a source or takes the program from the cache. If the compiler
// rejects the source, the program is nil and the Compile has the message. The
// error is an [UnusableError], a *[problem.Defect] of the source's files, or a
// failure of the judge.
func (b *Builder) Build(ctx context.Context, s Source, g problem.Guarantee) (*Program, Compile, error) {
	l := s.Language
	tc, err := b.Tools.Find(ctx, l)
	if err != nil {
		if problem.OutOfResources(err) {
			return nil, Compile{}, fmt.Errorf("%s: %w", l.Name, err)
		}
		return nil, Compile{}, &UnusableError{l, err}
	}
	if l, _, err = b.Linking(ctx, l); err != nil {
		return nil, Compile{}, fmt.Errorf("%s: %w", s.Language.Name, err)
	}
	if s.Submission {
		l = l.ForSubmissions()
	}
	files, entry, err := l.Arrange(s.Files, s.Entry)
	if err != nil {
		return nil, Compile{}, problem.Defectf(s.What, "%v", err)
	}
	key := b.Key(l, tc, files, entry)
	defer b.lock(key).Unlock()

	final := filepath.Join(b.Cache, "programs", key)
	c, ok := cached(final)
	if c.Cached = ok; !ok {
		c, err = b.compile(ctx, l, tc, files, entry, final, g)
		if err != nil {
			return nil, Compile{}, fmt.Errorf("%s: %w", s.What, err)
		}
		if c.Exit > 0 {
			if err := b.Prove(ctx, l); err != nil {
				return nil, Compile{}, fmt.Errorf("%s: %s cannot build its test program, so the rejected source may be correct: %w",
					s.What, l.Name, err)
			}
			if err := saveCompile(final, c); err != nil {
				return nil, Compile{}, err
			}
		}
	}
	c.Command = commandOf(l, tc, files, entry)
	// A compiler that was stopped at a limit (Exit is -1) has rejected the source,
	// too. This is not cached: it may succeed with more time or on an idle machine.
	if c.Exit != 0 {
		return nil, c, nil
	}
	if entry, err = startOf(s.What, l, filepath.Join(final, "bin"), files, entry); err != nil {
		return nil, Compile{}, err
	}
	return &Program{Dir: final, Sources: files, Entry: entry, Args: expand(l.Command(), l, tc, files, entry, final,
		s.Memory), Reads: readsOf(l, tc, final), Compile: c.Command, Env: expand(l.ProgramEnv, l, tc, files,
		entry, final, 0), Files: l.OpenFiles}, c, nil
}

// An UnusableError reports a language that cannot be used on this machine.
type UnusableError struct {
	language *language.Language
	err      error
}

// Error returns the name of the language and the reason.
func (e *UnusableError) Error() string {
	return e.language.Name + " is not usable here: " + e.err.Error()
}

// Unwrap returns the reason.
func (e *UnusableError) Unwrap() error { return e.err }

// Key returns a hash of everything that determines the built program.
func (b *Builder) Key(l *language.Language, tc Toolchain, files map[string][]byte, entry string) string {
	// Without a box, a source can include files of the machine.
	boxed := strconv.FormatBool(b.boxed())
	parts := slices.Concat([]string{CacheVersion, boxed, runtime.GOOS, runtime.GOARCH, l.Code, tc.Compiler, tc.Runtime,
		tc.Version}, l.Compile, l.Flags, l.Static)
	// The entry affects the result only if the compiler gets it.
	if slices.ContainsFunc(l.Compile, func(arg string) bool {
		return strings.Contains(arg, "{entry}") ||
			strings.Contains(arg, "{package}")
	}) {
		parts = append(parts, entry)
	}
	parts = append(parts, l.Env...)
	for _, files := range []map[string][]byte{l.Support, files} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			parts = append(parts, name, string(files[name]))
		}
	}
	return HashOf(parts...)
}

// boxed reports whether programs run in a sandbox that shows them only the folders
// that they need.
func (b *Builder) boxed() bool { return sandbox.ProtectionOf(b.Runner).Level.Full() }

// lock locks the key, so that only one caller builds its program.
func (b *Builder) lock(key string) *sync.Mutex {
	value, _ := b.building.LoadOrStore(key, new(sync.Mutex))
	m := value.(*sync.Mutex)
	m.Lock()
	return m
}

// Prove checks that a language's test program, which prints hello, builds and runs, linked as
// other programs. It does so once for each Builder and language.
func (b *Builder) Prove(ctx context.Context, l *language.Language) error {
	l, _, err := b.Linking(ctx, l)
	if err != nil {
		return err
	}
	key := proofOf(l)
	if found, done := b.proven.Load(key); done {
		err, _ := found.(error)
		return err
	}
	err = b.runTestProgram(ctx, l)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.proven.Store(key, err)
	return err
}

// proofOf returns the key of a language in proven.
func proofOf(l *language.Language) string {
	return strings.Join(slices.Concat([]string{l.Code}, l.Flags, l.Static), " ")
}

// Linking returns the language as its programs are linked on this machine: with its flags of
// Static if its hello program builds and runs with them, otherwise without. why is the reason
// why it does not; "" if it does, or if the language is not meant to be linked statically. The
// hello program is linked once for each compiler and flags.
func (b *Builder) Linking(ctx context.Context, l *language.Language) (as *language.Language, why string, err error) {
	if len(l.Static) == 0 {
		return l, "", nil
	}
	if runtime.GOOS != "linux" || !l.LinksStatically() {
		return l.Dynamic(), "", nil
	}
	tc, err := b.Tools.Find(ctx, l)
	if err != nil {
		return nil, "", err
	}
	hello := *l
	hello.Headers = nil // no header is worth precompiling for it
	// Macros of the user's do not decide it, and may differ in each call.
	hello.Flags = slices.DeleteFunc(slices.Clone(l.Flags), func(f string) bool { return strings.HasPrefix(f, "-D") })
	key := "static " + proofOf(&hello)
	defer b.lock(key).Unlock()
	if found, done := b.proven.Load(key); done {
		why = found.(string)
	} else {
		parts := slices.Concat([]string{key, tc.Version, l.Hello}, l.Compile, libraryTimes())
		why, err = b.Tools.remember(tc.Compiler, "static "+HashOf(parts...), func() (string, error) {
			err := b.runTestProgram(ctx, &hello)
			if refused, ok := errors.AsType[unproven](err); ok {
				return string(refused), nil
			}
			if err == nil {
				b.proven.Store(proofOf(&hello), nil)
			}
			return "", err
		})
		if err != nil {
			return nil, "", err
		}
		b.proven.Store(key, why)
	}
	if why != "" {
		return l.Dynamic(), why, nil
	}
	return l, "", nil
}

// unproven is why the hello program of a language does not build, or does not print hello.
type unproven string

func (e unproven) Error() string { return string(e) }

// runTestProgram builds the language's test program without the cache and runs it.
func (b *Builder) runTestProgram(ctx context.Context, l *language.Language) (err error) {
	tc, err := b.Tools.Find(ctx, l)
	if err != nil {
		return err
	}
	files, entry, err := l.Arrange(map[string][]byte{"Main" + l.Ext(): []byte(l.Hello)}, "")
	if err != nil {
		return err
	}
	tmp, err := b.temporaryFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(tmp)) }()
	dir := filepath.Join(tmp, "program")
	c, err := b.compile(ctx, l, tc, files, entry, dir, Usual)
	if err != nil {
		return err
	}
	if c.Exit != 0 {
		if c.Exit < 0 {
			return errors.New(terminal.FirstLine(c.Message)) // stopped at a limit
		}
		return unproven(cmp.Or(terminal.FirstLine(c.Message), fmt.Sprintf("the compiler exits with status %d", c.Exit)))
	}
	if entry, err = startOf(l.Name, l, filepath.Join(dir, "bin"), files, entry); err != nil {
		return err
	}
	var out, said bytes.Buffer
	o, err := b.Runner.Run(ctx, sandbox.Cmd{
		Args: expand(l.Command(), l, tc, files, entry, dir, 0), Dir: filepath.Join(dir, "src"), Reads: readsOf(l, tc, dir),
		AddEnv: expand(l.ProgramEnv, l, tc, files, entry, dir, 0), OpenFiles: l.OpenFiles, Stdout: &out, Stderr: &said,
		Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Output: 1 << 16, Processes: MaxProcesses},
	})
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(out.String()); o.Exit != 0 || got != "hello" {
		return unproven(fmt.Sprintf("its test program exits with status %d and prints %q, expected 0 and \"hello\": %s",
			o.Exit, terminal.Excerpt(got, 100), terminal.FirstLine(said.String())))
	}
	return nil
}

// Key returns a hash of everything that determines the program: its sources, the
// compiler, the flags, and where it starts, which may be another file of the same
// sources. It does not depend on programs that a run script calls.
func (p *Program) Key() string {
	return HashOf(append([]string{filepath.Base(p.Dir)}, p.Args...)...)
}

// A Compile is the result of compiling a source.
type Compile struct {
	// The compiler's exit status; 0 if there is nothing to compile, -1 if it exceeded a limit.
	Exit    int    `json:"exit"`
	Message string `json:"message"` // the compiler's output, clipped
	Cached  bool   `json:"cached"`  // the result is from the cache

	// Command is the command of the compiler, with its flags. Paths of the program's
	// files are below its folder. nil if there is nothing to compile.
	Command []string `json:"command,omitempty"`
}
