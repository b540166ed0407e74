package judge

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

func TestVerdictOf(t *testing.T) {
	limits := problem.Limits{Time: time.Second, Wall: 3 * time.Second, Memory: 64 << 20, Output: 1 << 20}
	ran := enforced(limits)
	for _, c := range []struct {
		name string
		o    sandbox.Outcome
		want problem.Verdict
		why  string
	}{
		{"a clean end leaves it to the checker", sandbox.Outcome{CPU: time.Second, Memory: 64 << 20, Output: 1 << 20}, problem.Undecided, ""},
		{"a nanosecond over the limit is over", sandbox.Outcome{CPU: time.Second + 1}, problem.TimeLimit, "CPU"},
		{"stopped at the limit", sandbox.Outcome{CPU: time.Second, Exceeded: sandbox.CPU, Signal: syscall.SIGKILL}, problem.TimeLimit, "stopped at"},
		{"kept waiting by others", sandbox.Outcome{CPU: time.Second / 2, Wall: 5 * time.Second, Waited: 2 * time.Second}, problem.Undecided, ""},
		{"kept waiting for less than it slept", sandbox.Outcome{Wall: 5 * time.Second, Waited: time.Second, Exceeded: sandbox.Wall}, problem.TimeLimit, "1.00 s waiting for a processor"},
		{"asleep too long", sandbox.Outcome{Wall: 3 * time.Second, Exceeded: sandbox.Wall, Signal: syscall.SIGKILL}, problem.TimeLimit, "real time"},
		{"memory was the cause of the crash", sandbox.Outcome{Memory: 65 << 20, Exit: 1}, problem.MemoryLimit, "65 MiB"},
		{"killed for memory", sandbox.Outcome{Memory: 64 << 20, Exceeded: sandbox.Memory, Signal: syscall.SIGKILL}, problem.MemoryLimit, "limit"},
		{"time goes before memory", sandbox.Outcome{CPU: 2 * time.Second, Memory: 65 << 20}, problem.TimeLimit, "CPU"},
		{"too many processes", sandbox.Outcome{Exceeded: sandbox.Processes, Signal: syscall.SIGKILL}, problem.RuntimeError, "processes"},
		{"files are output", sandbox.Outcome{Output: 1 << 19, Files: 4 << 20}, problem.OutputLimit, "wrote"},
		{"stopped for its files", sandbox.Outcome{Exceeded: sandbox.Files}, problem.OutputLimit, "wrote more"},
		{"a flood of output", sandbox.Outcome{Exceeded: sandbox.Output, Signal: syscall.SIGKILL}, problem.OutputLimit, "wrote more than 1 MiB$"},
		{"a flood of debug prints", sandbox.Outcome{Exceeded: sandbox.Output, Signal: syscall.SIGKILL, Output: 1<<20 + 1, Stderr: 1 << 20}, problem.OutputLimit, "wrote more than 1 MiB, most of it to standard error$"},
		{"a flood with a few debug prints", sandbox.Outcome{Exceeded: sandbox.Output, Signal: syscall.SIGKILL, Output: 1<<20 + 1, Stderr: 1 << 18}, problem.OutputLimit, "wrote more than 1 MiB$"},
		{"a flood of debug prints in an interaction", sandbox.Outcome{Exceeded: sandbox.Output, Output: 1<<20 + 1, Stderr: 1<<20 + 1, Written: 1<<20 + 9}, problem.OutputLimit, "most of it to standard error$"},
		{"a flood in an interaction", sandbox.Outcome{Output: 1 << 10, Stderr: 1 << 10, Written: 2 << 20}, problem.OutputLimit, "wrote 2 MiB, limit 1 MiB$"},
		{"a file too large beside a few debug prints", sandbox.Outcome{Exceeded: sandbox.FileSize, Output: 10, Stderr: 10}, problem.OutputLimit, "wrote more than 1 MiB$"},
		{"too many debug prints, seen afterwards", sandbox.Outcome{Output: 2 << 20, Stderr: 2 << 20}, problem.OutputLimit, "wrote 2 MiB, limit 1 MiB, most of it to standard error$"},
		{"files beside debug prints", sandbox.Outcome{Output: 1 << 19, Stderr: 1 << 19, Files: 4 << 20}, problem.OutputLimit, "limit 1 MiB$"},
		{"a signal is a crash", sandbox.Outcome{Exit: -1, Signal: syscall.SIGSEGV}, problem.RuntimeError, "SIGSEGV"},
		{"raising SIGKILL at oneself is a crash", sandbox.Outcome{Exit: -1, Signal: syscall.SIGKILL}, problem.RuntimeError, "SIGKILL"},
		{"an exit status is a crash", sandbox.Outcome{Exit: 3}, problem.RuntimeError, "exit status 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Limits = ran
			got, why, err := verdictOf(c.o, limits)
			if err != nil || got != c.want || !strings.Contains(why+"$", c.why) {
				t.Errorf("verdictOf = %q, %q, %v; want %q, …%s…", got, why, err, c.want, c.why)
			}
		})
	}
}

func TestVerdictUnderAnotherLimit(t *testing.T) {
	limits := problem.Limits{Time: time.Second, Wall: 3 * time.Second}
	killed := sandbox.Outcome{CPU: time.Second, Exceeded: sandbox.CPU, Signal: syscall.SIGKILL, Limits: enforced(limits)}

	lower := problem.Limits{Time: time.Second / 2, Wall: 3 * time.Second}
	if v, _, err := verdictOf(killed, lower); v != problem.TimeLimit || err != nil {
		t.Errorf("under a lower limit: %q, %v; want TLE", v, err)
	}
	higher := problem.Limits{Time: 2 * time.Second, Wall: 5 * time.Second}
	if v, _, err := verdictOf(killed, higher); err == nil {
		t.Errorf("under a higher limit: %q; want an error, the run proves nothing about it", v)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 64 << 20: "64 MiB", 3 << 30: "3 GiB"} {
		if got := terminal.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
