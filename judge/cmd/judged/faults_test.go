package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

// Each kind of fault, once: scripts/bench faults has many, and a worker with a wrong
// clock, for which the standard library is compiled again (about 90 s of CPU time).
func TestFaults(t *testing.T) {
	testkit.InMatrix(t)
	testkit.Needs(t, "bash")
	if runtime.GOOS != "linux" {
		t.Skip("stops processes and cuts networks as Linux does")
	}
	faults, judge, judged := built(t, "faults"), built(t, "judge"), built(t, "judged")
	for _, kinds := range []string{
		"worker-kill,leader,worker-stop,submitter-kill,submitter-stop,server-kill,network",
		"supervisor-kill,supervisor-stop,server-stop,server-kill-batch,duplicate,order,digest,disk",
		"full,eio-create,eio-write,eio-pwrite,eio-sync,eio-rename,eio-truncate,eio-remove,partition",
	} {
		t.Run(kinds, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(faults, "-count", "1", "-short", "-kinds", kinds, "-judge", judge, "-judged", judged)
			c.Env = environment(t)
			out, err := c.CombinedOutput()
			if err != nil || strings.Count(string(out), " 0 wrong records")+strings.Count(string(out), " skipped: ") != strings.Count(kinds, ",")+1 || strings.Count(string(out), "; 0 wrong\n") != strings.Count(string(out), "queue: ") {
				t.Errorf("%v: %s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}
