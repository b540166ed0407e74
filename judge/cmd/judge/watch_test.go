package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
)

// TestWatch changes files while judge watch runs, and waits for the results.
func TestWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs bash and an interrupt")
	}
	testkit.Needs(t, "bash")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("problem.yaml", "problem_format_version: 2025-09\nname: Double\nuuid: 00000000-0000-4000-8000-000000000001\nlimits: {time_limit: 5}\n")
	write("data/sample/1.in", "2\n")
	write("data/sample/1.ans", "4\n")
	write("data/secret/1.in", "5\n")
	write("data/secret/1.ans", "10\n")
	write("submissions/accepted/a.sh", "read n; echo $((n * 2))\n")
	write("submissions/accepted/b.sh", "read n; echo $((n + n))\n")

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "judge", "watch")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CRUCIBLE_FRESH=", "CRUCIBLE_CACHE="+t.TempDir())
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			lines <- in.Text()
		}
	}()
	// await reads lines up to one that matches, and fails at one that must not come before.
	await := func(pattern, never string) {
		t.Helper()
		for line := range lines {
			if regexp.MustCompile(pattern).MatchString(line) {
				return
			}
			if never != "" && regexp.MustCompile(never).MatchString(line) {
				t.Fatalf("%q came before %s", line, pattern)
			}
		}
		t.Fatalf("no line matches %s", pattern)
	}
	await(`^2 submissions as expected, 4 runs in `, "")
	write("submissions/accepted/a.sh", "read n; echo $((n * 3))\n")
	await(`accepted/a.sh has changed$`, "")
	await(`^0 submissions as expected, 1 not, 1 run in `, "accepted/b.sh")
	write("data/sample/1.ans", "6\n")
	await(`^0 submissions as expected, 2 not, 3 runs? in|^0 submissions as expected, 2 not, 3 runs, `, "")
	write("data/sample/1.ans", "4\n")
	write("submissions/accepted/a.sh", "read n; echo $((n * 2))\n")
	await(`^2 submissions as expected, 4 runs`, "")
	write("submissions/accepted/c.sh", "read n; echo $((2 * n))\n")
	await(`^(1|3) submissions? as expected, `, "")
	write("problem.yaml", "limits: [\n")
	await(`problem.yaml has changed$`, "")
	write("problem.yaml", "problem_format_version: 2025-09\nname: Double\nuuid: 00000000-0000-4000-8000-000000000001\nlimits: {time_limit: 4}\n")
	await(`^3 submissions as expected, 6 runs`, "")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for range lines {
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != statusInterrupted {
		t.Errorf("exit status %d, want %d", cmd.ProcessState.ExitCode(), statusInterrupted)
	}
}
