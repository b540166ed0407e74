//go:build amd64 || arm64

package sandbox

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// An attackTool compiles or interprets the attacks of one language.
type attackTool struct {
	compiler    []string // compiles {source} to {program}; nil if the source runs as it is
	interpreter []string // runs {program}, or {source} if compiler is nil; nil for native programs
	folder      []string // arguments with which the interpreter prints its own path and the folder of its files, a line each; nil if not needed
}

var attackTools = map[string]attackTool{
	".c":    {compiler: []string{"gcc", "-O0", "-Wall", "-Wno-unused-result", "-Wno-nonnull", "-pthread", "-o", "{program}", "{source}"}},
	".go":   {compiler: []string{"go", "build", "-o", "{program}", "{source}"}},
	".java": {compiler: []string{"javac", "-J-XX:+UseSerialGC", "-d", "{program}", "{source}"}, interpreter: []string{"java", "-XX:+UseSerialGC", "-cp", "{program}", "Main"}},
	".js":   {interpreter: []string{"node", "{source}"}},
	".py":   {interpreter: []string{"python3", "-B", "{source}"}, folder: []string{"-c", "import sys; print(sys.executable); print(sys.base_prefix)"}},
}

// buildAttacks compiles the attacks for which this machine has a compiler.
func buildAttacks(t *testing.T, attacks []*attack, folder string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, "program"), 0o755); err != nil {
		t.Fatal(err)
	}
	kept := keptAttacks(attacks)
	var wg sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, a := range attacks {
		a.place(folder)
		command := a.expand(a.tool().compiler)
		if command == nil {
			continue
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			continue // command reports the missing compiler
		}
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			if err := a.build(command, kept[a]); err != nil {
				t.Errorf("%s: %v", a.source, err)
			}
			if a.setuid {
				// The file belongs to the user of the test, so to root if the test runs as root.
				if err := os.Chmod(a.program, 0o755|os.ModeSetuid); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// build compiles an attack. If kept is a file, the program is copied from there, and
// otherwise stored there; "" means that it is not stored.
func (a *attack) build(command []string, kept string) error {
	if data, err := os.ReadFile(kept); err == nil {
		return os.WriteFile(a.program, data, 0o755)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GO111MODULE=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if kept == "" {
		return nil
	}
	data, err := os.ReadFile(a.program)
	if err != nil {
		return err
	}
	draft := fmt.Sprintf("%s.%d", kept, os.Getpid())
	if os.WriteFile(draft, data, 0o644) != nil || os.Rename(draft, kept) != nil {
		os.Remove(draft) // the next test compiles it again
	}
	return nil
}

// keptAttacks returns where the programs of attacks in C are kept between tests: to
// compile all takes 11 s of CPU time. The name of a file has a hash of all that decides its
// contents: the compiler, its arguments, the source and the headers. The map is empty
// if there is no cache folder.
func keptAttacks(attacks []*attack) map[*attack]string {
	kept := make(map[*attack]string)
	user, err := os.UserCacheDir()
	dir := filepath.Join(user, "crucible-test", "attacks")
	compiler := attackTools[".c"].compiler
	version, failed := exec.Command(compiler[0], "-v").CombinedOutput()
	if err != nil || failed != nil || os.MkdirAll(dir, 0o755) != nil {
		return kept
	}
	for _, a := range attacks {
		if filepath.Ext(a.source) != ".c" {
			continue
		}
		headers, _ := filepath.Glob(filepath.Join(filepath.Dir(a.source), "*.h"))
		sum := sha256.New()
		fmt.Fprintf(sum, "%q %q", compiler, version)
		for _, name := range append(headers, a.source) {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil
			}
			fmt.Fprintf(sum, " %q", data)
		}
		kept[a] = filepath.Join(dir, fmt.Sprintf("%s-%x", a.name, sum.Sum(nil)[:16]))
	}
	return kept
}

func (a *attack) tool() attackTool { return attackTools[filepath.Ext(a.source)] }

// place sets the path of the program, which may not exist yet.
func (a *attack) place(folder string) {
	a.program = filepath.Join(folder, "program", a.name)
	if a.tool().compiler == nil {
		a.program = a.source
	}
}

// expand returns a command with the paths of the source and the program.
func (a *attack) expand(command []string) (args []string) {
	for _, arg := range command {
		args = append(args, strings.NewReplacer("{source}", a.source, "{program}", a.program).Replace(arg))
	}
	return args
}

// command returns the command that runs the program, and the paths that it must
// be able to read. The error is an exec.ErrNotFound if a tool is missing.
func (a *attack) command() (args, reads []string, err error) {
	tool := a.tool()
	if _, err := os.Stat(a.program); err != nil {
		return nil, nil, fmt.Errorf("it was not built: %s: %w", tool.compiler[0], exec.ErrNotFound)
	}
	if tool.interpreter == nil {
		return []string{a.program}, nil, nil
	}
	args, reads = a.expand(tool.interpreter), []string{a.program}
	if args[0], err = exec.LookPath(args[0]); err != nil {
		return nil, nil, err
	}
	if tool.folder != nil {
		// The one on the PATH may be a wrapper of the interpreter.
		out, err := exec.Command(args[0], tool.folder...).Output()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", args[0], err)
		}
		lines := strings.Split(string(out), "\n")
		args[0], reads = lines[0], append(reads, lines[1])
	}
	return args, reads, nil
}
