package build

import (
	"bytes"
	"context"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Toolchain is the compiler and runtime of a language on this machine.
type Toolchain struct {
	Compiler string   // absolute path; "" when the language has none
	Runtime  string   // absolute path; "" when its programs run by themselves
	Version  string   // first line that it tells of itself
	Folders  []string // folders and files besides the machine's own that its tools need: "/opt/jdk-21"
}

// Toolchains finds toolchains and remembers them, also from run to run: a
// tool's answer holds as long as its file does not change.
type Toolchains struct {
	Cache string

	mu    sync.Mutex
	found map[string]*foundToolchain // by language code
	told  map[string]string          // answers by tool, arguments, size and time
	dirty bool
}

type foundToolchain struct {
	mu    sync.Mutex
	known bool
	tc    Toolchain
	err   error
}

// probeTime bounds how long a tool may take to tell its version.
const probeTime = 30 * time.Second

// Find returns the toolchain of a language, or an error that says why this machine
// cannot use the language.
func (t *Toolchains) Find(ctx context.Context, l *language.Language) (Toolchain, error) {
	t.mu.Lock()
	if t.found == nil {
		t.found = make(map[string]*foundToolchain)
		t.told = make(map[string]string)
		t.load()
	}
	f := t.found[l.Code]
	if f == nil {
		f = new(foundToolchain)
		t.found[l.Code] = f
	}
	t.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known {
		f.tc, f.err = t.probe(ctx, l)
		// What was interrupted says nothing about the machine.
		if ctx.Err() != nil {
			return Toolchain{}, context.Cause(ctx)
		}
		// Neither does what failed for lack of descriptors or memory.
		f.known = !problem.OutOfResources(f.err)
	}
	return f.tc, f.err
}

func (t *Toolchains) probe(ctx context.Context, l *language.Language) (tc Toolchain, err error) {
	if l.Compilers != nil {
		if tc.Compiler, err = t.tool(ctx, l, l.Compilers); err != nil {
			return tc, err
		}
	}
	if l.Runtimes != nil {
		if tc.Runtime, err = t.tool(ctx, l, l.Runtimes); err != nil {
			return tc, err
		}
	}
	teller := tc.Compiler
	if teller == "" {
		teller = tc.Runtime
	}
	answer, err := t.ask(ctx, l, teller, l.Version)
	if err != nil {
		return tc, fmt.Errorf("%s does not tell its version: %w", teller, err)
	}
	tc.Version, _, _ = strings.Cut(strings.TrimSpace(answer), "\n")
	return tc, t.place(ctx, l, &tc)
}

// tool returns the absolute path of the first of names on the PATH; where
// that is a front (a version manager's), the path of the tool behind it.
func (t *Toolchains) tool(ctx context.Context, l *language.Language, names []string) (string, error) {
	var lacks error
	for _, name := range names {
		found, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if found, err = filepath.Abs(found); err != nil {
			return "", err
		}
		found, err = t.behind(ctx, l, found)
		if err == nil && l.Library != nil {
			if _, err = t.ask(ctx, l, found, l.Library); err != nil {
				err = fmt.Errorf("%s lacks a library: %w", found, err)
			}
		}
		if err == nil || ctx.Err() != nil {
			return found, err
		}
		if lacks == nil {
			lacks = err
		}
	}
	if lacks != nil {
		return "", lacks
	}
	return "", fmt.Errorf("%s is not on the PATH", strings.Join(names, " or "))
}

// behind returns the path of the tool behind a front, or of what is none.
func (t *Toolchains) behind(ctx context.Context, l *language.Language, found string) (string, error) {
	if l.Real == nil || !isFront(found) {
		return found, nil
	}
	// Which tool is behind a front may depend on the folder and on files that
	// are nobody's business here, so the answer is not remembered.
	answer, err := t.tell(ctx, l, found, l.Real)
	if err != nil {
		return "", fmt.Errorf("%s does not tell where it lies: %w", found, err)
	}
	behind := strings.TrimSpace(answer) + filepath.FromSlash(l.RealTail)
	if !osfile.IsFile(behind) {
		return found, nil
	}
	return behind, nil
}

// isFront reports whether a tool is a script, or a link to something of
// another name: version managers put those on the PATH.
func isFront(name string) bool {
	if target, err := filepath.EvalSymlinks(name); err == nil && !strings.Contains(filepath.Base(target), filepath.Base(name)) {
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

// ask puts a question to a tool, or answers it from memory.
func (t *Toolchains) ask(ctx context.Context, l *language.Language, tool string, args []string) (string, error) {
	info, err := os.Stat(tool)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(tool)
	if err != nil {
		return "", err
	}
	key := fmt.Sprintf("%s %s %d %d %s", tool, target, info.Size(), info.ModTime().UnixNano(), strings.Join(args, " "))
	t.mu.Lock()
	answer, ok := t.told[key]
	t.mu.Unlock()
	if ok {
		return answer, nil
	}
	if answer, err = t.tell(ctx, l, tool, args); err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.told[key] = answer
	t.dirty = true
	return answer, nil
}

// tell puts a question to a tool of the machine, which is trusted. It is asked
// outside of the user's folders, whose files may change what it answers: go
// goes by go.mod.
func (t *Toolchains) tell(ctx context.Context, l *language.Language, tool string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.WaitDelay = time.Second
	cmd.Dir = t.Cache
	cmd.Env = append(os.Environ(), envOf(l, t.Cache)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		first, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		if first != "" {
			return "", fmt.Errorf("%w: %s", err, first)
		}
		return "", err
	}
	return out.String(), nil
}

func (t *Toolchains) file() string { return filepath.Join(t.Cache, "toolchains.json") }

// load takes up what earlier runs were told. A memory that cannot be read is
// no memory.
func (t *Toolchains) load() {
	data, err := os.ReadFile(t.file())
	if err != nil {
		return
	}
	var told map[string]string
	if json.Unmarshal(data, &told) == nil && told != nil {
		t.told = told
	}
}

// Save stores the answers of the tools for later runs.
func (t *Toolchains) Save() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dirty {
		return nil
	}
	data, err := json.MarshalIndent(t.told, "", " ")
	if err != nil {
		return err
	}
	t.dirty = false
	return osfile.WriteAtomic(t.file(), data)
}
