package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/testkit"
)

// A watched is a judge that runs in a folder until it is interrupted.
type watched struct {
	t            *testing.T
	dir, history string
	cmd          *exec.Cmd
	lines        chan string // of its standard output
}

// startWatch starts judge watch in a folder with these files.
func startWatch(t *testing.T, files map[string]string, args ...string) *watched {
	t.Helper()
	return startJudge(t, files, append([]string{"watch"}, args...)...)
}

// startJudge starts the judge in a folder with these files.
func startJudge(t *testing.T, files map[string]string, args ...string) *watched {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs bash and an interrupt")
	}
	testkit.Needs(t, "bash")
	w := &watched{t: t, dir: t.TempDir(), history: t.TempDir(), lines: make(chan string)}
	for name, text := range files {
		w.write(name, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	w.cmd = exec.CommandContext(ctx, "judge", args...)
	w.cmd.Dir = w.dir
	w.cmd.Env = append(os.Environ(), "CRUCIBLE_FRESH=", "CRUCIBLE_CACHE="+t.TempDir(), "CRUCIBLE_HISTORY="+w.history)
	w.cmd.WaitDelay = 5 * time.Second
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.cmd.Stderr = w.cmd.Stdout
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			w.lines <- in.Text()
		}
	}()
	return w
}

// write writes a file as editors do: it renames a complete file.
func (w *watched) write(name, text string) {
	w.t.Helper()
	name = filepath.Join(w.dir, name)
	other := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if filepath.Base(name) == "run" {
		mode = 0o755
	}
	if err := errors.Join(os.WriteFile(other, []byte(text), mode), os.Rename(other, name)); err != nil {
		w.t.Fatal(err)
	}
}

// await reads lines up to one that matches, and fails at one that must not come before.
func (w *watched) await(pattern, never string) {
	w.t.Helper()
	for line := range w.lines {
		if regexp.MustCompile(pattern).MatchString(line) {
			return
		}
		if never != "" && regexp.MustCompile(never).MatchString(line) {
			w.t.Fatalf("%q came before %s", line, pattern)
		}
	}
	w.t.Fatalf("no line matches %s", pattern)
}

// interrupt ends it as Ctrl-C does.
func (w *watched) interrupt() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	for range w.lines {
	}
	if w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != cli.StatusInterrupted {
		w.t.Errorf("exit status %d, want %d", w.cmd.ProcessState.ExitCode(), cli.StatusInterrupted)
	}
}

const watchedProblem = "problem_format_version: 2025-09\nname: Double\nuuid: 00000000-0000-4000-8000-000000000001\nlimits: {time_limit: 5}\n"

// TestWatch changes files while judge watch runs, and waits for the results.
func TestWatch(t *testing.T) {
	w := startWatch(t, map[string]string{
		"problem.yaml":     watchedProblem,
		"data/sample/1.in": "2\n", "data/sample/1.ans": "4\n", "data/secret/1.in": "5\n", "data/secret/1.ans": "10\n",
		"submissions/accepted/a.sh": "read n; echo $((n * 2))\n",
		"submissions/accepted/b.sh": "read n; echo $((n + n))\n",
	})
	w.await(`^2 submissions as expected, 4 runs in `, "")
	w.write("submissions/accepted/a.sh", "read n; echo $((n * 3))\n")
	w.await(`accepted/a.sh has changed$`, "")
	w.await(`^0 submissions as expected, 1 not, 1 run in `, "accepted/b.sh")
	w.write("data/sample/1.ans", "6\n")
	w.await(`^0 submissions as expected, 2 not, 3 runs? in|^0 submissions as expected, 2 not, 3 runs \(`, "")
	w.write("data/sample/1.ans", "4\n")
	w.write("submissions/accepted/a.sh", "read n; echo $((n * 2))\n")
	w.await(`^2 submissions as expected, 4 runs`, "")
	w.write("submissions/accepted/c.sh", "read n; echo $((2 * n))\n")
	w.await(`^[123] submissions? as expected, `, "") // 2: the change of a.sh was noticed together with this one
	w.write("problem.yaml", "limits: [\n")
	w.await(`problem.yaml (and .* )?ha(s|ve) changed$`, "") // together with c.sh, if that was noticed late
	w.write("problem.yaml", strings.Replace(watchedProblem, "5}", "4}", 1))
	w.await(`^3 submissions as expected, 6 runs`, "")
	w.interrupt()
}

// TestWatchCutOff changes an answer, and then a submission while all of them are judged:
// the other submissions must be judged again, too.
func TestWatchCutOff(t *testing.T) {
	w := startWatch(t, map[string]string{
		"problem.yaml":     watchedProblem,
		"data/sample/1.in": "2\n", "data/sample/1.ans": "4\n",
		"submissions/accepted/a.sh": "sleep 1; read n; echo $((n * 2))\n",
		"submissions/accepted/b.sh": "read n; echo $((n + n))\n",
	})
	w.await(`^2 submissions as expected, `, "")
	w.write("data/sample/1.ans", "6\n")
	w.await(`1.ans has changed$`, "")
	w.write("submissions/accepted/b.sh", "read n; echo $((n * 2))\n")
	w.await(`^0 submissions as expected, 2 not, `, "")
	w.interrupt()
}

// TestWatchDependencies changes what several submissions depend on.
func TestWatchDependencies(t *testing.T) {
	testkit.Needs(t, "gcc")
	accept := "#!/bin/sh\nread -r want < \"$2\"\nread -r got\ntest \"$got\" = \"$want\" && exit 42\nexit 43\n"
	w := startWatch(t, map[string]string{
		"problem.yaml":     watchedProblem,
		"data/sample/1.in": "2\n", "data/sample/1.ans": "4\n", "data/secret/1.in": "5\n", "data/secret/1.ans": "10\n",
		"output_validator/run":            accept,
		"submissions/accepted/a.sh":       "read n; echo $((n * 2))\n",
		"submissions/accepted/b/main.c":   "#include <stdio.h>\n#include \"factor.h\"\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", FACTOR * n); }\n",
		"submissions/accepted/b/factor.h": "#define FACTOR 2\n",
	})
	w.await(`^2 submissions as expected, 4 runs in `, "")
	// Of the four runs, those on the changed case are made again.
	w.write("data/secret/1.in", "6\n")
	w.await(`secret/1.in has changed$`, "")
	w.await(`^0 submissions as expected, 2 not, 4 runs \(2 stored`, "")
	w.write("data/secret/1.ans", "12\n")
	w.await(`^2 submissions as expected, 4 runs \(2 stored`, "")
	// A header is part of one submission.
	w.write("submissions/accepted/b/factor.h", "#define FACTOR 3\n")
	w.await(`factor.h has changed$`, "")
	w.await(`^0 submissions as expected, 1 not, 1 run`, `accepted/a\.sh`)
	w.write("submissions/accepted/b/factor.h", "#define FACTOR 2 // again\n")
	w.await(`^1 submission as expected, 2 runs`, `accepted/a\.sh`)
	// All runs depend on the validator.
	w.write("output_validator/run", strings.Replace(accept, "exit 43", "exit 42", 1))
	w.await(`output_validator/run has changed$`, "")
	w.await(`^2 submissions as expected, 4 runs in `, "stored")
	// A submission that is renamed is another one, and one that is removed is gone.
	if err := os.Rename(filepath.Join(w.dir, "submissions/accepted/a.sh"), filepath.Join(w.dir, "submissions/accepted/z.sh")); err != nil {
		t.Fatal(err)
	}
	w.await(`z.sh`, "")
	w.await(`^[12] submissions? as expected, `, "")
	if err := os.RemoveAll(filepath.Join(w.dir, "submissions/accepted/b")); err != nil {
		t.Fatal(err)
	}
	w.await(`^1 submission as expected, 2 runs`, "")
	// Hidden files, files of editors, and files beside problem.yaml, to which the output
	// of judge watch itself may go, change nothing.
	w.write("log.txt", "x")
	w.write("submissions/accepted/.z.sh.swp", "x")
	w.write("submissions/accepted/z.sh~", "x")
	w.write("submissions/accepted/z.sh", "read n; echo $((n + n))\n")
	w.await(`z.sh has changed$`, `other file|swp|~|log`)
	w.await(`^1 submission as expected, 2 runs`, "")
	w.interrupt()
}

// TestWatchFile watches a file outside of the package, in a folder with other files.
func TestWatchFile(t *testing.T) {
	w := startWatch(t, map[string]string{
		"p/problem.yaml":     watchedProblem,
		"p/data/sample/1.in": "2\n", "p/data/sample/1.ans": "4\n",
		"mine.sh": "read n; echo $((n * 2))\n",
	}, "--problem", "p", "mine.sh")
	w.await(`^1 submission as expected, 1 run in |AC`, "")
	w.await(`1 run in `, "")
	w.write("notes.txt", "unrelated\n")
	w.write("mine.sh", "read n; echo $((n * 3))\n")
	w.await(`mine.sh has changed$`, `notes`)
	w.await(`WA`, "")
	w.interrupt()
}

// TestWatchStatement changes the statement and a sample while judge statement --watch runs.
func TestWatchStatement(t *testing.T) {
	w := startJudge(t, map[string]string{
		"a/problem.yaml":            watchedProblem,
		"a/statement/problem.en.md": "one", "a/data/sample/1.in": "2\n", "a/data/sample/1.ans": "4\n",
	}, "statement", "a", "--watch", "-o", "a.html")
	shows := func(text string) {
		t.Helper()
		page, err := os.ReadFile(filepath.Join(w.dir, "a.html"))
		if err != nil || !strings.Contains(string(page), text) {
			t.Errorf("a.html: %v, %d bytes without %q", err, len(page), text)
		}
	}
	w.await(`^a\.html  `, "")
	shows("<p>one</p>")
	w.write("a/statement/problem.en.md", "two")
	w.await(`^..:..:.. a\.html  `, "")
	shows("<p>two</p>")
	w.write("a/data/sample/1.ans", "five\n")
	w.await(`^..:..:.. a\.html  `, "")
	shows("five")
	w.interrupt()
}
