package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
)

// A paced worker makes real runs, and says that each took a given time.
type paced struct {
	judge.Executor
	cpu time.Duration
}

func (p paced) Execute(ctx context.Context, item *judge.WorkItem, ran func(*judge.Run)) (judge.Compiled, error) {
	return p.Executor.Execute(ctx, item, func(r *judge.Run) {
		r.Outcome.CPU, r.Outcome.Wall = p.cpu, p.cpu
		ran(r)
	})
}

// Measurements with a server are made by each worker; the slowest one decides, and all are
// shown.
func TestMeasureOn(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t, "--local-worker=false")
	dir := write(t)
	if err := os.MkdirAll(filepath.Join(dir, "generators"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"generators/gen.sh": "echo $1\n", "submissions/accepted/again.sh": "cat\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"CRUCIBLE_SERVER=" + s.url, "CRUCIBLE_TOKEN=" + s.token}
	if out, complaint, status := ask(t, env, "limits", dir); status != 3 || !strings.Contains(complaint, "no worker of "+s.url+" gets work items") {
		t.Errorf("without a worker: status %d, %s%s", status, out, complaint)
	}
	for name, cpu := range map[string]time.Duration{"quick": 300 * time.Millisecond, "slow": 900 * time.Millisecond} {
		s.join(t, name, func(x judge.Executor) judge.Executor { return paced{x, cpu} })
	}
	s.states(t, "quick", "slow")
	const made = "made on 2 workers, on each the same runs: quick, slow; "
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		want   []string // regular expressions
	}{
		{"limits", []string{"limits", "--rounds", "2", dir}, 0, []string{
			`Time limit 2 s: the smallest that obeys the rule`, `slowest that must pass +\S+ +\S+ +900 ms +2\.22x`, made,
			`Each worker\n.*\n +quick +\S+ +300 ms +none +1 s\n +slow +\S+ +900 ms +none +2 s\n`}},
		{"a limit that one of the workers breaks", []string{"limits", "--rounds", "1", "--time-limit", "1s", dir}, 1, []string{
			`Time limit 1 s breaks the rule; proposed: 2 s`}},
		{"bench", []string{"bench", "--rounds", "3", dir}, 0, []string{"times are those of worker slow, on which all runs together took longest", made,
			`Each worker\n.*\n +accepted/again.sh +quick +300 ms +0\.333x\n +accepted/again.sh +slow +900 ms +1x\n +accepted/cat.sh +quick `}},
		{"scale", []string{"scale", "--gen", "gen.sh {n}", "--to", "64", "--rounds", "2", dir, "cat.sh"}, 0, []string{
			"times are those of worker slow", made, `Each worker\n.*\n +accepted/cat.sh +quick +300 ms +0\.333x\n +accepted/cat.sh +slow +900 ms +1x\n`, `(?m)^ +64 +900 ms$`}},
		{"a wrong answer", []string{"bench", "--rounds", "1", dir, "cat.sh", "wrong_answer/1.sh"}, 1, []string{`WA +wrong_answer/1.sh`}},
		{"a class that there is not", []string{"bench", "--class", "vax-9", dir}, 2, []string{"--class vax-9: expected one of any"}},
		{"--pin", []string{"limits", "--pin", dir}, 2, []string{"--pin with --on"}},
		{"--startup", []string{"bench", "--startup", dir}, 2, []string{"--startup with --on"}},
		{"--class without a server", []string{"scale", "--on", "", "--class", "vax-9", dir}, 2, []string{"--class vax-9 without --on"}},
		{"not the server", []string{"bench", "--on", "http://127.0.0.1:1", dir}, 3, []string{"connection refused"}},
	} {
		out, complaint, status := ask(t, env, tt.args...)
		if status != tt.status {
			t.Errorf("%s: status %d, expected %d", tt.name, status, tt.status)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile(want).MatchString(out + complaint) {
				t.Errorf("%s: expected %s in\n%s%s", tt.name, want, out, complaint)
			}
		}
	}
	out, complaint, _ := ask(t, env, "bench", "--rounds", "2", "--format", "json", dir, "cat.sh", "secret/2")
	var doc struct {
		Machine  struct{ CPU string }
		Problems []struct {
			Measurement struct {
				Workers []struct{ Name string }
				Trials  []struct{ Worker int }
				Load    struct{ Others float64 }
			}
			Comparison struct{ Workers []any }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v: %s%s", err, out, complaint)
	}
	m := doc.Problems[0].Measurement
	runs := [2]int{}
	for _, one := range m.Trials {
		runs[one.Worker]++
	}
	if len(m.Workers) != 2 || runs != [2]int{3, 3} || len(doc.Problems[0].Comparison.Workers) != 2 || m.Load.Others != 0 || doc.Machine.CPU != "" {
		t.Errorf("%+v, runs %v: expected three runs on each of two workers, and nothing of this machine", doc, runs)
	}
}
