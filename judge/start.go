package judge

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Resources are what Start makes for a Judge. Judges that with returns
// share them.
type resources struct {
	owner    *Judge           // the judge whose Close releases it
	err      error            // why Start failed; nil if it did not
	runner   sandbox.Runner   // counts the programs that run at the same time
	own      *sandbox.Sandbox // runs the programs, if the Judge has no Runner; otherwise nil
	builder  build.Builder
	tmp      string      // parent folder of all temporary folders
	lock     *os.File    // shows other processes that tmp is in use
	confined func() bool // reports whether programs run in full boxes
	spools   sync.Pool
	// Counts instructions by an emulator; nil if processors count them, or nothing does.
	counter  *sandbox.InstructionCounter
	counted  string // see Counter
	keys     keys
	measured measuredRuns
	pace     pace       // of runs elsewhere
	calling  sync.Mutex // held during calls of OnEvent and OnStderr

	building   sync.Mutex // held while a validator is built
	validators map[*problem.Program]*build.Program
	testlib    sync.Map // by *problem.Program: whether it follows testlib's conventions
}

// starting is held while a Judge starts. Judges contain no locks, so with can
// copy them.
var starting sync.Mutex

// Start prepares the judge at the first call: its sandbox, its temporary folder
// and its cache. Later calls return the same error, which explains why the judge
// cannot work. Methods that judge submissions call Start themselves. TempDir,
// RunProgram, Confined, InFolder, CompileTool, CheckOutput, Acquire and Each require
// that Start was called before.
func (j *Judge) Start() error {
	starting.Lock()
	defer starting.Unlock()
	if j.resources == nil {
		spareProcessor(j.Workers())
		m := &resources{owner: j, runner: j.Runner, validators: make(map[*problem.Program]*build.Program)}
		m.spools.New = func() any { return new(spool) }
		m.confined = sync.OnceValue(func() bool { return sandbox.ProtectionOf(m.runner).Level.Full() })
		m.err = m.make(j)
		j.resources, j.tokens = m, newTokens(j.Workers(), j.Cores)
	}
	return j.err
}

// spareProcessor gives Go's scheduler one processor more than there are programs at once.
// A goroutine that waits for a program holds a processor. If each of them is held, the
// scheduler's monitor wakes up every 20 µs to take them away, which cost an eighth of the
// time of small programs.
func spareProcessor(programs int) {
	if runtime.GOMAXPROCS(0) <= programs {
		runtime.GOMAXPROCS(programs + 1)
	}
}

// make sets them up from the settings of j.
func (m *resources) make(j *Judge) (err error) {
	if m.runner == nil {
		m.own = &sandbox.Sandbox{Least: j.Least, Most: j.Most}
		m.runner = m.own
	}
	m.runner = &simultaneous{runner: m.runner}
	if j.Least != 0 {
		if err := sandbox.ProtectionOf(m.runner).AtLeast(j.Least); err != nil {
			return err
		}
	}
	removeAbandoned()
	if m.tmp, err = os.MkdirTemp("", tmpPrefix); err != nil {
		return err
	}
	if m.lock, err = lockTmp(m.tmp); err != nil {
		return err
	}
	cache, err := m.openCache(j.Cache)
	if err != nil {
		return err
	}
	m.builder = build.Builder{Runner: m.runner, Cache: cache, Tools: build.Toolchains{Cache: cache}, Eager: j.Eager,
		Languages: j.Languages}
	m.builder.Prune()
	if j.Instructions {
		return m.openCounter(cache)
	}
	return nil
}

// openCache returns the folder of compiled programs and creates it. If the user's
// cache folder is not writable, the folder is temporary, and the next judge
// compiles again.
func (m *resources) openCache(dir string) (string, error) {
	if dir := cmp.Or(dir, os.Getenv("CRUCIBLE_CACHE")); dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		return dir, os.MkdirAll(dir, 0o755)
	}
	if user, err := os.UserCacheDir(); err == nil {
		if dir := filepath.Join(user, "crucible"); writable(filepath.Join(dir, "programs")) {
			return dir, nil
		}
	}
	dir = filepath.Join(m.tmp, "cache")
	return dir, os.Mkdir(dir, 0o755)
}

// Counter describes what counts instructions, with its version: the emulator, or the
// processor. Only counts of the same counter are comparable. It is "" unless Instructions
// is set and Start has succeeded.
func (j *Judge) Counter() string {
	if j.resources == nil {
		return ""
	}
	return j.counted
}

// openCounter finds what can count instructions: the processor, or an emulator.
func (m *resources) openCounter(cache string) error {
	ctx := context.Background() // processorCounts and sandbox.NewInstructionCounter limit their time
	if m.processorCounts(ctx) {
		m.counted = sandbox.HardwareCounters
		return nil
	}
	var err error
	if m.counter, err = sandbox.NewInstructionCounter(ctx, cache); err == nil {
		m.counted, m.counter.Folder = m.counter.Version, m.tmp
	}
	return err
}

// processorCounts reports whether the sandbox counts instructions with the counters of
// the processor.
func (m *resources) processorCounts(ctx context.Context) bool {
	program, err := exec.LookPath("true")
	if err != nil {
		return false
	}
	o, err := m.runner.Run(ctx, sandbox.Cmd{Args: []string{program},
		Limits: sandbox.Limits{CPU: time.Second, Wall: 10 * time.Second}})
	return err == nil && o.Instructions > 0
}

// writable creates a folder and reports whether files can be created in it.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o755) != nil {
		return false
	}
	f, err := os.CreateTemp(dir, ".building-")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// Close ends the processes that the judge keeps and removes its temporary files.
// Call it once, when no other call is in progress; the judge is unusable afterwards.
// Close does nothing if the judge was not started, and for judges that Alone
// returns.
func (j *Judge) Close() error {
	if j.resources == nil || j.owner != j {
		return nil
	}
	var errs []error
	if j.own != nil {
		errs = append(errs, j.own.Close())
	}
	if j.tmp != "" {
		errs = append(errs, j.builder.Tools.Save(), osfile.RemoveAll(j.tmp))
		if j.lock != nil {
			errs = append(errs, j.lock.Close())
		}
	}
	return errors.Join(errs...)
}

// with returns a judge with changed settings that shares the resources of j. It
// counts its own jobs. Its Close does nothing, and it is unusable after j.Close.
func (j *Judge) with(change func(*Judge)) (*Judge, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	k := *j
	change(&k)
	k.tokens = newTokens(k.Workers(), k.Cores)
	return &k, nil
}

// tokens limit how many programs run at once.
type tokens struct {
	free    chan struct{} // one token for each job
	several sync.Mutex    // held while a caller takes several tokens
	cores   chan int      // the Cores that are free
}

func newTokens(jobs int, cores []int) *tokens {
	t := &tokens{free: make(chan struct{}, jobs), cores: make(chan int, len(cores))}
	for range jobs {
		t.free <- struct{}{}
	}
	for _, core := range cores {
		t.cores <- core
	}
	return t
}

// Acquire waits until n of the Jobs are free and takes them. The caller calls
// release when its programs have ended. If ctx ends first, the error is its
// cause. N must be at most Workers, or Acquire waits until ctx ends.
func (t *tokens) Acquire(ctx context.Context, n int) (release func(), err error) {
	if n > 1 {
		t.several.Lock()
		defer t.several.Unlock()
	}
	for got := range n {
		select {
		case <-t.free:
		case <-ctx.Done():
			t.release(got)
			return nil, context.Cause(ctx)
		}
	}
	return func() { t.release(n) }, nil
}

func (t *tokens) release(n int) {
	for range n {
		t.free <- struct{}{}
	}
}

// pin takes a core for a submission. It waits only if there are fewer Cores than
// Jobs.
func (t *tokens) pin() (cores []int, release func()) {
	if cap(t.cores) == 0 {
		return nil, func() {}
	}
	core := <-t.cores
	return []int{core}, func() { t.cores <- core }
}

// Each calls do for 0 to n-1, at most Jobs at once, and joins the errors in this
// order. If ctx ends, it starts no more calls and returns the cause.
func (t *tokens) Each(ctx context.Context, n int, do func(int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		release, err := t.Acquire(ctx, 1)
		if err != nil {
			break
		}
		wg.Go(func() {
			defer release()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errs...)
}

// A simultaneous is a Runner that passes programs on to another one and counts how many
// run at the same time.
type simultaneous struct {
	runner sandbox.Runner

	mu   sync.Mutex
	most []*int // of each program that runs, the largest number of others so far
}

// Run implements [sandbox.Runner]. It sets Beside in the outcome.
func (c *simultaneous) Run(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	others := c.enter()
	o, err := c.runner.Run(ctx, cmd)
	o.Beside = c.leave(others)
	return o, err
}

// Protection forwards to the runner.
func (c *simultaneous) Protection() sandbox.Protection { return sandbox.ProtectionOf(c.runner) }

func (c *simultaneous) enter() (others *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.most)
	for _, most := range c.most {
		*most = max(*most, n)
	}
	c.most = append(c.most, &n)
	return &n
}

func (c *simultaneous) leave(others *int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.most, others)
	c.most = slices.Delete(c.most, i, i+1)
	return *others
}

// measuredRuns has the runs of the last inference of a time limit, until they are
// taken.
type measuredRuns struct {
	mu   sync.Mutex
	runs map[*problem.Submission]map[*problem.Case]*Run
}

// put replaces the runs.
func (m *measuredRuns) put(runs map[*problem.Submission]map[*problem.Case]*Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs = runs
}

// take removes the runs of a submission and returns them.
func (m *measuredRuns) take(s *problem.Submission) map[*problem.Case]*Run {
	m.mu.Lock()
	defer m.mu.Unlock()
	runs := m.runs[s]
	delete(m.runs, s)
	return runs
}

// itemTime is the time that the runs of a work item take, as far as it is known before.
const itemTime = time.Second

// unknownPace is the time of a run on a problem of which none is known.
const unknownPace = 50 * time.Millisecond

// A pace has the average time of the runs of each problem, which is the only thing that
// decides how many cases a work item has.
type pace struct {
	mu    sync.Mutex
	times map[*problem.Problem]time.Duration
}

// mostCases is the most cases of a work item, which has their names.
const mostCases = 256

// cases returns how many cases of a problem take about itemTime.
func (p *pace) cases(of *problem.Problem) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(mostCases, max(1, int(itemTime/max(cmp.Or(p.times[of], unknownPace), time.Millisecond))))
}

// learn adds a run. Later runs count more.
func (p *pace) learn(of *problem.Problem, run *Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times == nil {
		p.times = make(map[*problem.Problem]time.Duration)
	}
	old, known := p.times[of]
	if !known {
		old = run.Outcome.Wall
	}
	p.times[of] = (7*old + run.Outcome.Wall) / 8
}
