package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// holdsHostile skips a test of hostile programs if they would run as root outside
// a box.
func holdsHostile(t *testing.T, j *Judge) {
	t.Helper()
	if level := j.Protection().Level; os.Geteuid() == 0 && !level.Full() {
		t.Skipf("hostile programs would run as root on the level %q: want a box, or another user", level)
	}
}

// TestVerdictsOfAttacks checks that the judge names the cause of a failure, not
// its consequence. The tests of the sandbox check the facts of each attack. The
// attacks are those of the sandbox, without those that an optimizing compiler
// makes harmless.
func TestVerdictsOfAttacks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("limits are held on Linux only")
	}
	testkit.Needs(t, "gcc")
	t.Parallel()
	attacks := map[problem.Verdict][]string{
		problem.TimeLimit: {
			"cpu_loop", "cpu_threads", "cpu_system", "cpu_children", "cpu_children_unwaited", "cpu_daemon", "cpu_exec",
			"sleep", "stop_itself", "ignore_signals", "output_closed", "wall_busy", "wall_input_awaited",
		},
		problem.MemoryLimit: {"memory_heap", "memory_mmap", "memory_killed_child", "memory_pipes"},
		problem.OutputLimit: {"output_stdout", "output_stderr", "output_children", "file_size"},
		problem.RuntimeError: {
			"fork_bomb", "fork_bomb_daemons", "thread_bomb", "abort", "segfault", "raise_sigkill", "raise_sigsys", "raise_sigxcpu", "raise_sigxfsz",
		},
		problem.Accepted: {"nothing", "inherited", "innocent_threads", "innocent_signals"},
	}
	dir := filepath.Join(t.TempDir(), "attacks")
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
	write("problem.yaml", `problem_format_version: 2025-09
name: Attacks
uuid: 0e6f4c3a-5d0b-4a57-9f4e-6a4f0a8d0001
allow_file_writing: true
limits: {time_limit: 1, memory: 64, output: 1}
`)
	write("statement/problem.en.tex", "x")
	write("data/secret/1.in", "input\n")
	write("data/secret/1.ans", "")
	for want, names := range attacks {
		if testkit.FewRows() {
			// The judge does the same for all attacks with the same verdict, and the race
			// detector does not see into the programs.
			names = names[:2]
			attacks[want] = names
		}
		for _, name := range names {
			folder := fmt.Sprintf("submissions/rejected/%s/", name)
			for _, file := range []string{name + ".c", "attack.h", "bounded.h"} {
				text, err := os.ReadFile(filepath.Join("sandbox/testdata/attack", file))
				if err != nil {
					t.Fatal(err)
				}
				// Not every machine has a box for the attacks.
				if filepath.Ext(file) == ".c" && !strings.Contains(string(text), "\n// least: process\n") && !strings.HasPrefix(string(text), "// least: process\n") {
					t.Fatalf("%s: want one with // least: process", file)
				}
				write(folder+file, string(text))
			}
		}
	}
	p, err := problem.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	j := &Judge{Cache: testkit.Cache(t), Jobs: 2}
	defer j.Close()
	holdsHostile(t, j)
	var greedy, bombs, others []*problem.Submission
	for _, s := range p.Submissions {
		if slices.Contains(attacks[problem.MemoryLimit], filepath.Base(s.Name)) {
			greedy = append(greedy, s)
		} else if strings.Contains(s.Name, "bomb") {
			bombs = append(bombs, s)
		} else {
			others = append(others, s)
		}
	}
	reports := j.RunAll(t.Context(), greedy, p.Cases)
	// The memory that the kernel uses for 512 processes counts, and was 40 to 90
	// MiB. Under a memory limit near that, either limit may stop a fork bomb.
	p.Limits.Memory = 256 << 20
	reports = append(reports, j.RunAll(t.Context(), others, p.Cases)...)
	// On a busy machine, 512 forks take more than a second of CPU time.
	p.Limits.Time, p.Limits.Wall = 10*time.Second, problem.WallLimit(10*time.Second)
	for _, r := range append(reports, j.RunAll(t.Context(), bombs, p.Cases)...) {
		name := filepath.Base(r.Submission)
		for want, names := range attacks {
			if !slices.Contains(names, name) {
				continue
			}
			switch {
			case r.JudgeError() != nil:
				t.Errorf("%s: %v", name, r.JudgeError())
			case r.Verdict != want:
				t.Errorf("%s: %s, want %s: %s%s", name, r.Verdict, want, r.Compile.Message, r.Runs[0].Why)
			default:
				t.Logf("%-24s %s %s", name, r.Verdict, r.Runs[0].Why)
			}
		}
	}
}
