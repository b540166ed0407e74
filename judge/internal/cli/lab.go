package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// Lab is what commands of this package do with packages that take long to build. The program
// judge has none: it lets judgelab, which has the same commands and one, execute the command.
type Lab struct {
	// Commands are the commands that judge does not have.
	Commands map[string]func(*Env) *cobra.Command
	// Dial connects with the server of --on; see [OnFlag.Dial].
	Dial func(ctx context.Context, e *Env, f *OnFlag, jobs *int) (Workers, error)
	// Report writes documents with all their sections.
	Report report.Writer
	// Calibrate prints and keeps the results of a self-test, and of running jobs programs at once.
	Calibrate func(ctx context.Context, s *LabelWriter, line *Progress, selfTest, parallel bool, jobs, rounds int) error
	// Sections are those that Report knows.
	Sections []record.Section
	// HTML writes a document as an HTML file.
	HTML func(io.Writer, *record.Document) error
}

// errLab is the error of a command that judgelab must execute. The command has not printed
// anything.
var errLab = errors.New("judgelab must execute the command")

// needLab returns an error in a program without [Lab].
func (e *Env) needLab() error {
	if e.Lab == nil {
		return errLab
	}
	return nil
}

// report returns what writes documents.
func (e *Env) report() report.Writer {
	if e.Lab == nil {
		return report.Writer{}
	}
	return e.Lab.Report
}

// sections returns the sections of documents that the program knows.
func (e *Env) sections() []record.Section {
	if e.Lab == nil {
		return nil
	}
	return e.Lab.Sections
}

// statusLab is returned instead of an exit status if judgelab must execute the command.
const statusLab = -1

// identityVariable is the variable of the environment in which judge tells judgelab which
// judge it is. Programs with other sources could give other verdicts.
const identityVariable = "CRUCIBLE_JUDGE_IDENTITY"

// labPackage returns the import path of judgelab, in the module of this program.
func labPackage() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasSuffix(info.Path, "/cmd/judge") {
		return info.Path + "lab"
	}
	return "crucible/judge/cmd/judgelab"
}

// checkCaller returns an error if a judge of other sources has started this process.
func checkCaller(lab *Lab) error {
	caller := os.Getenv(identityVariable)
	os.Unsetenv(identityVariable)
	if lab == nil || caller == "" {
		return nil // without the digest of all sources, which takes a while
	}
	if own := judge.Identity(); caller != own {
		return fmt.Errorf("this judgelab is of other sources than the judge that started it: expected %s, found %s; "+
			"go install crucible/judge/cmd/... installs both", caller, own)
	}
	return nil
}

// handOver lets judgelab execute the command line. On Unix it replaces this process, so it
// returns only if that fails.
func handOver(ctx context.Context, e *Env, args []string, stop func()) error {
	wanted := labPackage()
	name, err := findLab(ctx, e, wanted)
	if err != nil {
		return err
	}
	// A judgelab that does not compare identities is none of ours.
	if !builtFrom(name, wanted) {
		return fmt.Errorf("%s: expected the program of %s", terminal.Clean(name), wanted)
	}
	os.Setenv(identityVariable, judge.Identity())
	stop()
	signal.Reset()
	return replaceProcess(name, append([]string{"judge"}, args...))
}

// builtFrom reports whether a program says that Go built it from a package. Package
// debug/buildinfo reads that from the formats of all systems, and takes a fortieth of the time
// in which this program is built; the text is the same in all of them, see [debug.BuildInfo.String].
func builtFrom(name, wanted string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	text := []byte("path\t" + wanted + "\nmod\t")
	part, kept := make([]byte, 1<<20), 0 // the end of the part before may be the start of the text
	for {
		n, err := f.Read(part[kept:])
		if bytes.Contains(part[:kept+n], text) {
			return true
		}
		if err != nil {
			return false
		}
		end := part[:kept+n]
		kept = copy(part, end[max(0, len(end)-len(text)):])
	}
}

// findLab returns the name of judgelab: beside this program, as a tool of the module if the
// go command has built this program for one call, or on the PATH.
func findLab(ctx context.Context, e *Env, wanted string) (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	if name := installedLab(own); name != "" {
		return name, nil
	}
	if inCacheOfGo(own) {
		return builtLab(ctx, e, wanted)
	}
	return "", fmt.Errorf("this command needs judgelab, which is neither beside %s nor on the PATH: go install %s",
		terminal.Clean(own), wanted)
}

// installedLab returns the name of judgelab beside this program or, if the go command does not
// keep it, on the PATH; "" if there is none.
func installedLab(own string) string {
	name, dirs := "judgelab", []string{filepath.Dir(own)}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if !inCacheOfGo(own) {
		dirs = append(dirs, filepath.SplitList(os.Getenv("PATH"))...)
	}
	for _, dir := range dirs {
		if at := filepath.Join(dir, name); filepath.IsAbs(dir) && osfile.IsFile(at) {
			return at
		}
	}
	return ""
}

// labCompletes reports whether a shell asks for the values of a command that judgelab has,
// and it need not be built for that.
func labCompletes(args []string) bool {
	own, err := os.Executable()
	return err == nil && len(args) > 2 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) &&
		allStubs()[args[1]] != nil && installedLab(own) != ""
}

// inCacheOfGo reports whether the go command keeps the program, in its cache or in a folder
// for one call: FOLDER/ab/ab…-d/judge, or go-build1234/b001/exe/judge.
func inCacheOfGo(name string) bool {
	dir := filepath.Base(filepath.Dir(name))
	return strings.HasSuffix(dir, "-d") && len(dir) == 2*sha256.Size+2 || strings.Contains(name, "go-build")
}

// builtLab lets the go command build judgelab, in the module of the working folder.
func builtLab(ctx context.Context, e *Env, wanted string) (string, error) {
	args := []string{"tool"}
	if file := modFile(); file != "" {
		args = append(args, "-modfile="+file)
	}
	c := exec.CommandContext(ctx, "go", append(args, "-n", wanted)...)
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	if term.IsTerminal(int(os.Stderr.Fd())) {
		late := time.AfterFunc(time.Second, func() { fmt.Fprintln(e.Stderr, "judge: building judgelab, once") })
		defer late.Stop()
	}
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("this command needs judgelab: go tool -n %s: %w: %s; go get -tool %s adds it to the module",
			wanted, err, terminal.Clean(strings.TrimSpace(stderr.String())), wanted)
	}
	return strings.TrimSpace(out.String()), nil
}
