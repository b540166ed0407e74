package build

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A Toolchain is the compiler and runtime of a language on this machine.
type Toolchain struct {
	Compiler string   // absolute path; "" if the language has none
	Runtime  string   // absolute path; "" if its programs need none
	Version  string   // the first line of the tool's own version text
	Folders  []string // folders and files that its tools need besides the machine's own: "/opt/jdk-21"
}

// Toolchains finds toolchains. It stores the answers of tools, also for later runs:
// an answer is valid as long as the file of the tool does not change. It is safe for
// concurrent use.
type Toolchains struct {
	Cache string // the folder of the stored answers

	found   sync.Map          // a *foundToolchain for each language code
	load    sync.Once         // reads the stored answers
	mu      sync.Mutex        // protects the following
	answers map[string]string // by tool, arguments, size and time
	dirty   bool              // there are answers that are not stored
}

type foundToolchain struct {
	mu    sync.Mutex
	known bool
	tc    Toolchain
	err   error
}

// probeTime is the wall-clock limit for an answer of a tool.
const probeTime = 30 * time.Second

// Find returns the toolchain of a language, or an error with the reason why this
// machine cannot use the language.
func (t *Toolchains) Find(ctx context.Context, l *language.Language) (Toolchain, error) {
	t.load.Do(func() {
		// If the stored answers cannot be read, the tools run again.
		if data, err := os.ReadFile(t.file()); err != nil || json.Unmarshal(data, &t.answers) != nil || t.answers == nil {
			t.answers = make(map[string]string)
		}
	})
	found, _ := t.found.LoadOrStore(l.Code, new(foundToolchain))
	f := found.(*foundToolchain)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known {
		f.tc, f.err = t.probe(ctx, l)
		// An interruption or a lack of descriptors or memory is not a defect of the toolchain.
		if ctx.Err() != nil {
			return Toolchain{}, context.Cause(ctx)
		}
		f.known = !problem.OutOfResources(f.err)
	}
	return f.tc, f.err
}

func (t *Toolchains) probe(ctx context.Context, l *language.Language) (tc Toolchain, err error) {
	for _, tool := range []struct {
		path  *string
		names []string
	}{{&tc.Compiler, l.Compilers}, {&tc.Runtime, l.Runtimes}} {
		if tool.names == nil {
			continue
		}
		if *tool.path, err = t.tool(ctx, l, tool.names); err != nil {
			return tc, err
		}
	}
	main := cmp.Or(tc.Compiler, tc.Runtime)
	answer, err := t.ask(ctx, l, main, l.Version)
	if err != nil {
		return tc, fmt.Errorf("%s does not print its version: %w", main, err)
	}
	tc.Version, _, _ = strings.Cut(strings.TrimSpace(answer), "\n")
	return tc, t.findFolders(ctx, l, &tc)
}

// tool returns the absolute path of the first of names that is on the PATH and
// usable. If it belongs to a version manager, it is the path of the tool that the
// version manager starts. Of several interpreters of that name, it is the newest.
func (t *Toolchains) tool(ctx context.Context, l *language.Language, names []string) (string, error) {
	var lacks error
	for _, name := range names {
		var usable []interpreter
		for _, found := range onPath(name) {
			found, err := t.started(ctx, l, found)
			if err == nil && l.Library != nil {
				if _, err = t.ask(ctx, l, found, l.Library); err != nil {
					err = fmt.Errorf("%s lacks a library: %w", found, err)
				}
			}
			if ctx.Err() != nil || err == nil && l.Compilers != nil {
				return found, err
			}
			version := ""
			if err == nil {
				version, err = t.ask(ctx, l, found, l.Version)
			}
			if err != nil {
				lacks = cmp.Or(lacks, err)
				continue
			}
			usable = append(usable, interpreter{found, version, sandbox.OfMachine(Resolved(found))})
		}
		if len(usable) > 0 {
			return newest(usable), nil
		}
	}
	if lacks != nil {
		return "", lacks
	}
	return "", fmt.Errorf("%s is not on the PATH", strings.Join(names, " or "))
}

// onPath returns the absolute paths of all tools of that name on the PATH, each once.
func onPath(name string) (all []string) {
	folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(f string) bool { return !filepath.IsAbs(f) })
	if filepath.Base(name) != name {
		folders = []string{""}
	}
	seen := make(map[string]bool)
	for _, folder := range folders {
		found, err := exec.LookPath(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		if found, err = filepath.Abs(found); err == nil && !seen[Resolved(found)] {
			seen[Resolved(found)] = true
			all = append(all, found)
		}
	}
	return all
}

// An interpreter is one of several that could run the programs of a language.
type interpreter struct {
	path    string
	version string // what it prints
	machine bool   // it is the machine's own, not that of a version manager or a user
}

var versionNumber = lazy.Regexp(`\d+(\.\d+)+`)

// newest returns the path of the interpreter with the highest version. If there are several,
// it is the machine's own, or else the one that comes first.
func newest(all []interpreter) string {
	numbers := func(i interpreter) (of []int) {
		for part := range strings.SplitSeq(versionNumber().FindString(i.version), ".") {
			n, _ := strconv.Atoi(part)
			of = append(of, n)
		}
		return of
	}
	best := all[0]
	for _, i := range all[1:] {
		if c := slices.Compare(numbers(i), numbers(best)); c > 0 || c == 0 && i.machine && !best.machine {
			best = i
		}
	}
	return best.path
}

// started returns the path of the tool that a version manager starts; for other
// tools, their own path.
func (t *Toolchains) started(ctx context.Context, l *language.Language, found string) (string, error) {
	if l.Real == nil || !maybeManager(found) {
		return found, nil
	}
	// The answer may depend on the working folder and on files that the judge does
	// not know, so it is not stored.
	answer, err := t.run(ctx, l, found, l.Real)
	if err != nil {
		return "", fmt.Errorf("%s does not print its path: %w", found, err)
	}
	name := strings.TrimSpace(answer) + filepath.FromSlash(l.RealTail)
	if !osfile.IsFile(name) {
		return found, nil
	}
	return name, nil
}

// maybeManager reports whether a tool is a script, or a link to a file of another
// name, as version managers put on the PATH.
func maybeManager(name string) bool {
	if target := Resolved(name); !strings.Contains(filepath.Base(target), filepath.Base(name)) {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 2)
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == "#!"
}

// ask returns the output of a tool, from the stored answers if possible.
func (t *Toolchains) ask(ctx context.Context, l *language.Language, tool string, args []string) (string, error) {
	return t.remember(tool, strings.Join(args, " "), func() (string, error) { return t.run(ctx, l, tool, args) })
}

// remember returns the answer to a question about a tool, from the stored answers if possible.
func (t *Toolchains) remember(tool, question string, find func() (string, error)) (string, error) {
	info, err := os.Stat(tool)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(tool)
	if err != nil {
		return "", err
	}
	key := fmt.Sprintf("%s %s %d %d %s", tool, target, info.Size(), info.ModTime().UnixNano(), question)
	t.mu.Lock()
	answer, ok := t.answers[key]
	t.mu.Unlock()
	if ok {
		return answer, nil
	}
	if answer, err = find(); err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answers[key] = answer
	t.dirty = true
	return answer, nil
}

// run returns the output of a tool of the machine, which is trusted. It runs outside
// of the user's folders, whose files may change the answer, such as go.mod.
func (t *Toolchains) run(ctx context.Context, l *language.Language, tool string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.WaitDelay = time.Second
	cmd.Dir = t.Cache
	cmd.Env = append(os.Environ(), envOf(l, t.Cache)...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return string(out), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if first := terminal.FirstLine(string(out)); first != "" {
		return "", fmt.Errorf("%w: %s", err, first)
	}
	return "", err
}

// envOf returns the variables that the language's own tools need.
func envOf(l *language.Language, cache string) (env []string) {
	for _, e := range l.Env {
		env = append(env, strings.ReplaceAll(e, "{cache}", filepath.ToSlash(cache)))
	}
	return env
}

func (t *Toolchains) file() string { return filepath.Join(t.Cache, "toolchains.json") }

// Save stores the answers of the tools for later runs.
func (t *Toolchains) Save() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dirty {
		return nil
	}
	data, err := json.MarshalIndent(t.answers, "", " ")
	if err != nil {
		return err
	}
	t.dirty = false
	return osfile.WriteAtomic(t.file(), data)
}
