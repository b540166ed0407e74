package judge

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A crowd is a Runner that runs no programs. The input of a run has the CPU times of
// all submissions, and the source of a submission is its index. If slow is set, half as
// much time is added to a run while which another one was in progress.
type crowd struct {
	slow bool
	mu   sync.Mutex
	now  map[*bool]bool // runs in progress; the keys become true if there was another one
	runs map[string]int // number of runs, by "SUBMISSION INPUT"
}

func newCrowd() *crowd {
	return &crowd{now: make(map[*bool]bool), runs: make(map[string]int)}
}

// Protection is that of a box, so that runs are stored.
func (*crowd) Protection() sandbox.Protection { return sandbox.Protection{Level: sandbox.RootBox} }

func (r *crowd) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	o := sandbox.Outcome{Limits: c.Limits}
	if c.Stdin == nil { // the compiler
		return o, nil
	}
	input, err := io.ReadAll(c.Stdin)
	if err != nil {
		return o, err
	}
	source, err := os.ReadFile(filepath.Join(c.Dir, filepath.Base(c.Args[1])))
	if err != nil {
		return o, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(string(source), "#")))
	if err != nil {
		return o, err
	}
	if o.CPU, err = time.ParseDuration(strings.Fields(string(input))[n]); err != nil {
		return o, err
	}
	if r.crowded(fmt.Sprintf("%d %s", n, input)) {
		o.CPU += o.CPU / 2
	}
	if o.CPU > c.Limits.CPU {
		o.CPU, o.Exceeded, o.Signal = c.Limits.CPU+1, sandbox.CPU, syscall.SIGKILL
	}
	fmt.Fprintln(c.Stdout, "right")
	return o, nil
}

// crowded counts a run, and reports whether another one was in progress during it.
func (r *crowd) crowded(name string) bool {
	crowded := new(bool)
	r.mu.Lock()
	r.runs[name]++
	r.now[crowded] = true
	for other := range r.now {
		*other = *other || len(r.now) > 1
	}
	r.mu.Unlock()
	time.Sleep(200 * time.Microsecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.now, crowded)
	return *crowded && r.slow
}

// oneAtATime returns the time limit that is inferred by running one program at a time,
// each for up to a minute, or the path of the submission that prevents it.
func oneAtATime(p *problem.Problem, times [][]time.Duration) (limit time.Duration, prevents string) {
	slowest, bounded := time.Duration(0), false
	for n, s := range p.Submissions {
		if !problem.AnyRule(s.Expected, (*problem.Expectation).Lower) {
			continue
		}
		for c := range p.Cases {
			if times[c][n] <= time.Minute {
				slowest, bounded = max(slowest, times[c][n]), true
				continue
			}
			if problem.AnyRule(s.Expected, (*problem.Expectation).MustPass) {
				return 0, s.Path
			}
			break
		}
	}
	if !bounded {
		return 0, problem.ProblemFile
	}
	return p.Timing.Least(slowest), ""
}

// randomTimes returns a problem without a time limit for a crowd, and the CPU times of
// its submissions on each of its cases.
func randomTimes(t *testing.T, r *rand.Rand) (p *problem.Problem, times [][]time.Duration) {
	t.Helper()
	testkit.Needs(t, "bash") // the language of the submissions
	folders := []string{"accepted", "wrong_answer", "time_limit_exceeded", "accepted", "brute_force"}
	m := fstest.MapFS{"problem.yaml": testkit.Pack("")["problem.yaml"]}
	submissions := 1 + r.IntN(4)
	for n := range submissions {
		m[fmt.Sprintf("submissions/%s/%d.sh", folders[r.IntN(len(folders))], n)] = &fstest.MapFile{Data: fmt.Appendf(nil, "#%d\n", n)}
	}
	for c := range 1 + r.IntN(6) {
		var words []string
		for range submissions {
			ms := []int{r.IntN(400), r.IntN(400), r.IntN(3000), r.IntN(3000), r.IntN(20000), r.IntN(61000), 100000}[min(r.IntN(30)/4, 6)]
			words = append(words, fmt.Sprintf("%dms", ms))
		}
		name := fmt.Sprintf("data/secret/%d", c)
		m[name+".in"] = &fstest.MapFile{Data: []byte(strings.Join(words, " ") + "\n")}
		m[name+".ans"] = &fstest.MapFile{Data: []byte("right\n")}
	}
	p, err := problem.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	p.Limits.Time = 0
	times = make([][]time.Duration, len(p.Cases))
	for c, k := range p.Cases {
		words := strings.Fields(string(m["data/"+k.Name+".in"].Data))
		for _, s := range p.Submissions {
			n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(s.Path), ".sh"))
			if err != nil {
				t.Fatal(err)
			}
			took, err := time.ParseDuration(words[n])
			if err != nil {
				t.Fatal(err)
			}
			times[c] = append(times[c], took)
		}
	}
	return p, times
}

// TestInferIsAsOneAtATime compares Infer, which runs several programs at once, with one
// run of each program at a time: the limit must be the same. Then the verdicts must be
// those of a judge with this limit, and no run may be made that Infer made.
func TestInferIsAsOneAtATime(t *testing.T) {
	errors, stopped := 0, 0
	for seed := range uint64(90) {
		r := rand.New(rand.NewPCG(seed, 15))
		p, times := randomTimes(t, r)
		runner := newCrowd()
		runner.slow = true
		j := &Judge{Runner: runner, Jobs: 1 + r.IntN(4), Cache: t.TempDir()}
		defer j.Close()
		want, prevents := oneAtATime(p, times)
		err := j.Infer(t.Context(), p)
		if p.Limits.Time != want || (err != nil) != (prevents != "") || err != nil && !strings.Contains(err.Error(), prevents) {
			t.Fatalf("seed %d, %d jobs: times %v: inferred %v, %v; want %v, error about %q", seed, j.Jobs, times, p.Limits.Time, err, want, prevents)
		}
		if err != nil {
			errors++
			continue
		}
		made := runner.runs
		runner.runs, runner.slow = make(map[string]int), false
		got := j.RunAll(t.Context(), p.Submissions, p.Cases)
		for name := range runner.runs {
			if made[name] > 0 && want <= InferenceLimit { // a run that was stopped does not decide a higher limit
				t.Errorf("seed %d: %s is run again after the inference", seed, name)
			}
		}
		given := &Judge{Settings: Settings{TimeLimit: want}, Runner: newCrowd(), Jobs: 1, Cache: t.TempDir()}
		defer given.Close()
		if d := cmp.Diff(shortly(given.RunAll(t.Context(), p.Submissions, p.Cases)), shortly(got)); d != "" {
			t.Errorf("seed %d: times %v: reports with the limit given (-) and inferred (+):\n%s", seed, times, d)
		}
		for _, report := range got {
			for _, run := range report.Runs {
				if run.Outcome.Limits.CPU == InferenceLimit && run.Verdict == problem.TimeLimit {
					stopped++
				}
			}
		}
	}
	if errors == 0 || stopped == 0 {
		t.Errorf("%d problems without a limit and %d runs that inference stopped; want some of both", errors, stopped)
	}
}

// A memory is a Store in memory.
type memory struct {
	mu   sync.Mutex
	runs map[string]Run
}

func (m *memory) Load(k *Key) (*Run, time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	run, ok := m.runs[fmt.Sprintf("%+v", *k)]
	return &run, time.Now(), ok
}

func (m *memory) Save(k *Key, run *Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[fmt.Sprintf("%+v", *k)] = *run
}

// TestInferTwice checks that the second and the third inference infer the same limit
// from stored runs alone, also of submissions that never end, whose runs under the
// limit are made again because they are not expected.
func TestInferTwice(t *testing.T) {
	ended := 0
	for seed := range uint64(40) {
		store, cache := &memory{runs: make(map[string]Run)}, t.TempDir()
		var want time.Duration
		for call := range 3 {
			r := rand.New(rand.NewPCG(seed, 16))
			p, _ := randomTimes(t, r)
			runner := newCrowd()
			runner.slow = call == 0
			j := &Judge{Runner: runner, Jobs: 1 + r.IntN(4), Cache: cache, Stored: store}
			defer j.Close()
			if err := j.Infer(t.Context(), p); err != nil {
				break // a run that must not be stopped is made again
			}
			if call == 0 {
				want = p.Limits.Time
				ended++
			} else if p.Limits.Time != want || len(runner.runs) > 0 {
				t.Errorf("seed %d: call %d inferred %v from runs %v, want %v from stored runs", seed, call, p.Limits.Time, runner.runs, want)
			}
			j.RunAll(t.Context(), p.Submissions, p.Cases)
		}
	}
	if ended < 10 {
		t.Errorf("%d limits were inferred, want at least 10", ended)
	}
}

// TestStoredRunsCountFirst checks that no case is run that a stored run of an earlier case
// makes unnecessary, even if many could run at once.
func TestStoredRunsCountFirst(t *testing.T) {
	testkit.Needs(t, "bash")
	cache := t.TempDir()
	infer := func(store *memory, inputs ...string) map[string]int {
		m := fstest.MapFS{
			"problem.yaml":                  testkit.Pack("")["problem.yaml"],
			"submissions/accepted/0.sh":     {Data: []byte("#0\n")},
			"submissions/wrong_answer/1.sh": {Data: []byte("#1\n")},
		}
		for n, input := range inputs {
			name := fmt.Sprintf("data/secret/%d", n)
			m[name+".in"], m[name+".ans"] = &fstest.MapFile{Data: []byte(input + "\n")}, &fstest.MapFile{Data: []byte("right\n")}
		}
		p, err := problem.Open(m)
		if err != nil {
			t.Fatal(err)
		}
		p.Limits.Time = 0
		runner := newCrowd()
		j := &Judge{Runner: runner, Jobs: 8, Cache: cache, Stored: store}
		defer j.Close()
		if err := j.Infer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		return runner.runs
	}
	first := &memory{runs: make(map[string]Run)}
	infer(first, "1s 100s")
	for range 50 {
		for name := range infer(&memory{runs: maps.Clone(first.runs)}, "1s 100s", "2s 11s", "3s 12s", "4s 13s", "5s 14s") {
			if strings.HasPrefix(name, "1 ") {
				t.Fatalf("ran %q, which the stored run of the first case makes unnecessary", name)
			}
		}
	}
}

// shortly describes what reports conclude.
func shortly(reports []*Report) (all []string) {
	for _, r := range reports {
		all = append(all, fmt.Sprintf("%s %s %s %s %q %v", r.Submission, verdictsOf(r), r.Verdict, r.BrokenBy, r.Broken, r.JudgeError()))
	}
	return all
}
