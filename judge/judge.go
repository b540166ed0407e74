// Package judge opens problems in the ICPC/Kattis problem package format and
// judges submissions against them.
//
// Most callers need two functions. [Open] reads a package and tells every
// defect by file and line; it runs nothing. [Judge.Run] compiles one
// submission, runs it on the cases under the problem's limits, and returns a
// [Report]. The package prints nothing.
//
//	problem, err := judge.Open(os.DirFS("problems/hello"))
//	...
//	var j judge.Judge
//	defer j.Close()
//	report := j.Run(ctx, problem.Submissions[0], problem.Cases)
//	fmt.Println(report.Verdict)
//
// A submission's failure is a [Verdict], which is a value. The judge's own
// failure (a broken toolchain, a crashed checker, a full disk) is an error,
// and then nothing was learned about the submission.
package judge

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"crucible/judge/sandbox"
)

// A Judge judges. The zero value is ready to use; fields are set before the
// first call. Close it when done.
type Judge struct {
	Runner         Runner        // nil means the sandbox, on the highest rung of protection that the machine has
	Least          sandbox.Rung  // the lowest rung that will do: on a lower one everything is an error. Zero is any
	Most           sandbox.Rung  // the highest rung to climb, if Runner is nil; zero is the highest
	Jobs           int           // programs run at once; 0 means one per CPU
	All            bool          // run every case, also when the expectation is already settled; not those of groups whose require_pass is not met
	Repeat         int           // runs of each case; the verdict is the first that is not AC, the time the highest. 0 means 1
	TimeLimit      time.Duration // replaces the problem's, unless 0
	TimeToKill     time.Duration // a program is stopped at this CPU time if that is above the limit, to learn how slow it is
	KeepOutput     bool          // keep the start of each output in its Run
	LogInteraction bool          // keep what is said in interactions in their Runs; then it goes through the judge, which takes time
	Cache          string        // folder of compiled programs; "" means crucible/ in the user's cache folder
	OnEvent        func(Event)   // told what goes on, one event at a time, if not nil

	// OnOutput, if not nil, is given all that a submission printed on a case,
	// once for each pass, before that is judged. Its error is the judge's failure.
	OnOutput func(*Submission, *Case, io.Reader) error

	// OnStderr, if not nil, is given what a program of the package, such as a
	// validator or generator, wrote to standard error when it failed or did not
	// accept, and the case that it ran on. It is called by one at a time.
	OnStderr func(program, on, text string)

	// For times that repeat better. Both bind submissions, not compilers and
	// validators, and as far as the Runner can.
	Cores          []int // processors to pin submissions to, one to each that runs; as many as Jobs, or more. Nil pins none
	FixedAddresses bool  // place code, stack and heap at the same addresses on every run

	once     sync.Once
	startErr error
	runner   Runner
	own      *sandbox.Sandbox // made here, so closed here
	shop     workshop
	tmp      string   // folder of working folders
	lock     *os.File // says that tmp is in use
	spools   sync.Pool
	free     chan struct{} // one token a job
	whole    sync.Mutex    // held by who gathers several tokens
	cores    chan int      // those of Cores that no submission runs on
	telling  sync.Mutex

	confining  sync.Once
	boxed      bool
	building   sync.Mutex // held while a validator is built
	validators map[*Program]*built
	timeToKill func(*Submission, *Case) time.Duration // TimeToKill of each run, if not nil
	dialects   sync.Map                               // by *Program: whether it speaks testlib
}

// start acquires what judging needs, once.
func (j *Judge) start() error {
	j.once.Do(func() {
		j.runner = j.Runner
		if j.runner == nil {
			j.own = &sandbox.Sandbox{Least: j.Least, Most: j.Most}
			j.runner = j.own
		}
		if j.startErr = j.guarded(); j.startErr != nil {
			return
		}
		j.free = make(chan struct{}, j.jobs())
		for range j.jobs() {
			j.free <- struct{}{}
		}
		j.cores = make(chan int, len(j.Cores))
		for _, core := range j.Cores {
			j.cores <- core
		}
		j.spools.New = func() any { return new(spool) }
		removeAbandoned()
		if j.tmp, j.startErr = os.MkdirTemp("", tmpPrefix); j.startErr != nil {
			return
		}
		if j.lock, j.startErr = lockTmp(j.tmp); j.startErr != nil {
			return
		}
		var cache string
		if cache, j.startErr = j.openCache(); j.startErr != nil {
			return
		}
		j.shop = workshop{runner: j.runner, cache: cache, tools: toolchains{cache: cache}}
		j.shop.prune()
	})
	return j.startErr
}

// openCache makes the folder of compiled programs. Where the user's cache folder
// cannot be had, a temporary one serves: slower the next time, but not wrong.
func (j *Judge) openCache() (string, error) {
	if j.Cache != "" {
		dir, err := filepath.Abs(j.Cache)
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
	return filepath.Join(j.tmp, "cache"), os.Mkdir(filepath.Join(j.tmp, "cache"), 0o755)
}

// writable makes a folder, and reports whether files can be made in it.
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

// Close ends what the judge keeps running and removes its temporary files.
func (j *Judge) Close() error {
	var errs []error
	if j.own != nil {
		errs = append(errs, j.own.Close())
	}
	if j.tmp != "" {
		errs = append(errs, j.shop.tools.save(), removeAll(j.tmp))
		if j.lock != nil {
			errs = append(errs, j.lock.Close())
		}
	}
	return errors.Join(errs...)
}

// Protection says how far the programs that the judge runs are confined; it is
// empty when the Runner does not tell.
func (j *Judge) Protection() sandbox.Protection {
	if j.start() != nil && j.runner == nil {
		return sandbox.Protection{}
	}
	return protectionOf(j.runner)
}

// CacheDir returns the folder that compiled programs are kept in.
func (j *Judge) CacheDir() (string, error) {
	err := j.start()
	return j.shop.cache, err
}

func (j *Judge) jobs() int {
	if j.Jobs > 0 {
		return j.Jobs
	}
	return runtime.NumCPU()
}

// acquire takes n jobs, and returns what gives them back.
func (j *Judge) acquire(ctx context.Context, n int) (release func(), err error) {
	if n > 1 {
		j.whole.Lock()
		defer j.whole.Unlock()
	}
	for got := range n {
		select {
		case <-j.free:
		case <-ctx.Done():
			for range got {
				j.free <- struct{}{}
			}
			return nil, context.Cause(ctx)
		}
	}
	return func() {
		for range n {
			j.free <- struct{}{}
		}
	}, nil
}

// pin takes a core for a submission to run on, and returns what gives it back.
// It waits only if there are fewer cores than jobs.
func (j *Judge) pin() (cores []int, release func()) {
	if len(j.Cores) == 0 {
		return nil, func() {}
	}
	core := <-j.cores
	return []int{core}, func() { j.cores <- core }
}

// LimitsOf returns the limits that a submission to the problem runs under.
func (j *Judge) LimitsOf(p *Problem) Limits {
	l := p.Limits
	if j.TimeLimit > 0 {
		l.Time, l.Wall = j.TimeLimit, wallLimit(j.TimeLimit)
	}
	return l
}

func (j *Judge) tell(e Event) {
	if j.OnEvent == nil {
		return
	}
	j.telling.Lock()
	defer j.telling.Unlock()
	j.OnEvent(e)
}

// Toolchain returns what the language would use on this machine, or why it
// is not usable.
func (j *Judge) Toolchain(ctx context.Context, l *Language) (Toolchain, error) {
	if err := j.start(); err != nil {
		return Toolchain{}, err
	}
	return j.shop.tools.find(ctx, languageByCode(l.Code))
}

// Prove builds the language's hello on this machine, runs it, and returns
// what went wrong.
func (j *Judge) Prove(ctx context.Context, l *Language) error {
	if err := j.start(); err != nil {
		return err
	}
	return j.shop.prove(ctx, languageByCode(l.Code))
}
