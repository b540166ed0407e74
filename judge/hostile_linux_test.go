package judge

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// peak returns the peak memory of this process since the last call, in bytes. The
// first call returns the peak since the start of the process.
func peak(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	number, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
	if err == nil {
		err = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	}
	if err != nil {
		t.Skip(err)
	}
	return kib << 10
}

// TestInputsLargerThanMemory checks that the memory of the judge does not grow
// with the size of an input.
func TestInputsLargerThanMemory(t *testing.T) {
	testkit.Needs(t, "bash")
	if testing.Short() || testkit.Raced {
		t.Skip("a gigabyte goes through a pipe")
	}
	p := testproblem.PackageOf(t, testkit.Pack(`-- problem.yaml --
problem_format_version: 2025-09
name: Sum
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
limits: {time_limit: 600, memory: 64}
-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/some.sh --
head -c 100 | wc -c
-- submissions/accepted/all.sh --
wc -c
-- submissions/accepted/nothing.sh --
echo 10737418240
-- data/secret/1.ans --
10737418240
-- data/secret/1-a.ans --
1073741824
`))
	for name, size := range map[string]int64{"1.in": 10 << 30, "1-a.in": 1 << 30} {
		if err := os.Truncate(filepath.Join(p.Path, "data", "secret", name), size); err != nil {
			t.Skip(err)
		}
	}
	j := &Judge{Jobs: 1, Cache: testkit.Cache(t)}
	defer j.Close()
	ten, one := p.Cases[1:2], p.Cases[2:3]
	if ten[0].Name != "secret/1" || one[0].Name != "secret/1-a" {
		t.Fatal(ten[0].Name, one[0].Name)
	}
	for _, c := range []struct {
		name  string
		cases []*problem.Case
		want  problem.Verdict
	}{
		{"nothing", ten, problem.Accepted},
		{"some", ten, problem.WrongAnswer},
		{"all", one, problem.Accepted},
	} {
		s := p.SubmissionNamed("accepted/" + c.name + ".sh")
		if r := j.Run(t.Context(), s, p.Samples()); r.JudgeError() != nil { // compile before measuring
			t.Fatal(r.JudgeError())
		}
		peak(t)
		before := peak(t)
		r := j.Run(t.Context(), s, c.cases)
		after := peak(t)
		if r.JudgeError() != nil || r.Verdict != c.want {
			t.Errorf("%s: %v, %v, %+v", c.name, r.Verdict, r.JudgeError(), r.Runs)
			continue
		}
		t.Logf("%s: %v CPU, %v wall; the judge's memory %s, at its peak %s", c.name, r.Runs[0].Outcome.CPU, r.Runs[0].Outcome.Wall, terminal.Bytes(before), terminal.Bytes(after))
		if after-before > 32<<20 {
			t.Errorf("%s: the judge went from %s to %s", c.name, terminal.Bytes(before), terminal.Bytes(after))
		}
	}
}
