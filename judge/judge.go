// Package judge judges submissions on the test cases of a problem.
//
// Most callers need two functions. [problem.OpenDir] reads a package. [Judge.Run]
// compiles one submission, runs it on the cases under the problem's limits, and
// returns a [Report]. The package prints nothing.
//
//	p, err := problem.OpenDir("problems/hello")
//	...
//	defer p.Close()
//	var j judge.Judge
//	defer j.Close()
//	report := j.Run(ctx, p.Submissions[0], p.Cases)
//	fmt.Println(report.Verdict)
//
// A submission's failure is a [problem.Verdict], which is a value. The judge's
// own failure (a broken toolchain, a crashed checker, a full disk) is an error,
// and then nothing was learned about the submission.
package judge

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Judge judges. The zero value is ready to use; fields are set before the
// first call. Close it when done.
type Judge struct {
	Runner         sandbox.Runner // nil means the sandbox, on the highest level of protection that the machine has
	Least          sandbox.Level  // the lowest level that will do: on a lower one everything is an error. Zero is any
	Most           sandbox.Level  // the highest level to climb, if Runner is nil; zero is the highest
	Jobs           int            // programs run at once; 0 means one per CPU
	All            bool           // run every case, also when the expectation is already settled; not those of groups whose require_pass is not met
	Repeat         int            // runs of each case; the verdict is the first that is not AC, the time the highest. 0 means 1
	TimeLimit      time.Duration  // replaces the problem's, unless 0
	TimeToKill     time.Duration  // a program is stopped at this CPU time if that is above the limit, to learn how slow it is
	KeepOutput     bool           // keep the start of each output in its Run
	LogInteraction bool           // keep what is said in interactions in their Runs; then it goes through the judge, which takes time
	Cache          string         // folder of compiled programs; "" means $CRUCIBLE_CACHE or, if that is not set, crucible/ in the user's cache folder
	OnEvent        func(Event)    // told what goes on, one event at a time, if not nil

	// OnOutput, if not nil, is given all that a submission printed on a case,
	// once for each pass, before that is judged. Its error is the judge's failure.
	OnOutput func(*problem.Submission, *problem.Case, io.Reader) error

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
	runner   sandbox.Runner
	own      *sandbox.Sandbox // made here, so closed here
	shop     build.Builder
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
	validators map[*problem.Program]*build.Program
	timeToKill func(*problem.Submission, *problem.Case) time.Duration // TimeToKill of each run, if not nil
	dialects   sync.Map                                               // by *Program: whether it speaks testlib
}

// Start acquires what judging needs, once.
func (j *Judge) Start() error {
	j.once.Do(func() {
		j.runner = j.Runner
		if j.runner == nil {
			j.own = &sandbox.Sandbox{Least: j.Least, Most: j.Most}
			j.runner = j.own
		}
		if j.Least != 0 {
			if j.startErr = sandbox.ProtectionOf(j.runner).AtLeast(j.Least); j.startErr != nil {
				return
			}
		}
		j.free = make(chan struct{}, j.Workers())
		for range j.Workers() {
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
		j.shop = build.Builder{Runner: j.runner, Cache: cache, Tools: build.Toolchains{Cache: cache}}
		j.shop.Prune()
	})
	return j.startErr
}

// openCache makes the folder of compiled programs. Where the user's cache folder
// cannot be had, a temporary one serves: slower the next time, but not wrong.
func (j *Judge) openCache() (string, error) {
	if dir := cmp.Or(j.Cache, os.Getenv("CRUCIBLE_CACHE")); dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		return dir, os.MkdirAll(dir, 0o755)
	}
	if user, err := os.UserCacheDir(); err == nil {
		if dir := filepath.Join(user, "crucible"); Writable(filepath.Join(dir, "programs")) {
			return dir, nil
		}
	}
	return filepath.Join(j.tmp, "cache"), os.Mkdir(filepath.Join(j.tmp, "cache"), 0o755)
}

// Writable makes a folder, and reports whether files can be made in it.
func Writable(dir string) bool {
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
		errs = append(errs, j.shop.Tools.Save(), osfile.RemoveAll(j.tmp))
		if j.lock != nil {
			errs = append(errs, j.lock.Close())
		}
	}
	return errors.Join(errs...)
}

// Protection says how far the programs that the judge runs are confined; it is
// empty when the Runner does not tell.
func (j *Judge) Protection() sandbox.Protection {
	if j.Start() != nil && j.runner == nil {
		return sandbox.Protection{}
	}
	return sandbox.ProtectionOf(j.runner)
}

// CacheDir returns the folder that compiled programs are kept in.
func (j *Judge) CacheDir() (string, error) {
	err := j.Start()
	return j.shop.Cache, err
}

func (j *Judge) Workers() int {
	if j.Jobs > 0 {
		return j.Jobs
	}
	return runtime.NumCPU()
}

// Acquire takes n jobs, and returns what gives them back.
func (j *Judge) Acquire(ctx context.Context, n int) (release func(), err error) {
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
func (j *Judge) LimitsOf(p *problem.Problem) problem.Limits {
	l := p.Limits
	if j.TimeLimit > 0 {
		l.Time, l.Wall = j.TimeLimit, problem.WallLimit(j.TimeLimit)
	}
	return l
}

func (j *Judge) Tell(e Event) {
	if j.OnEvent == nil {
		return
	}
	j.telling.Lock()
	defer j.telling.Unlock()
	j.OnEvent(e)
}

// Toolchain returns what the language would use on this machine, or why it
// is not usable.
func (j *Judge) Toolchain(ctx context.Context, l *language.Language) (build.Toolchain, error) {
	if err := j.Start(); err != nil {
		return build.Toolchain{}, err
	}
	return j.shop.Tools.Find(ctx, language.ByCode(l.Code))
}

// Prove builds the language's hello on this machine, runs it, and returns
// what went wrong.
func (j *Judge) Prove(ctx context.Context, l *language.Language) error {
	if err := j.Start(); err != nil {
		return err
	}
	return j.shop.Prove(ctx, language.ByCode(l.Code))
}

// TempDir makes a temporary folder, which the judge removes when it is closed,
// if nobody does before.
func (j *Judge) TempDir(pattern string) (string, error) { return os.MkdirTemp(j.tmp, pattern) }

// Execute runs a program in the judge's sandbox.
func (j *Judge) Execute(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	return j.runner.Run(ctx, cmd)
}

// WorkingFolder returns a folder with the program's files. The program's Leave
// takes it back.
func (j *Judge) WorkingFolder(b *build.Program) (string, error) { return b.Folder(j.tmp) }

// CompileTool builds a source of the package, whose refusal is the package's fault.
func (j *Judge) CompileTool(ctx context.Context, s build.Source, under problem.Guarantee) (*build.Program, error) {
	b, c, err := j.shop.Build(ctx, s, under)
	if err == nil && b == nil {
		err = &problem.Defect{File: s.What, Msg: "does not compile:\n" + strings.TrimSpace(c.Message)}
	}
	return b, err
}

// Each calls do for 0 to n-1, as many at once as jobs are free, and joins what
// it returns in order.
func (j *Judge) Each(ctx context.Context, n int, do func(int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		release, err := j.Acquire(ctx, 1)
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

// Confined reports whether programs are held in boxes, and so can change
// nothing but what they may.
func (j *Judge) Confined() bool {
	j.confining.Do(func() { j.boxed = sandbox.ProtectionOf(j.runner).Level.Full() })
	return j.boxed
}
