package server

import (
	"cmp"
	"context"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// itemsOfProblem is how many work items of one problem are under way, or as many as there
// are free slots when it is opened, if that is more.
const itemsOfProblem = 64

// atLeast returns n, or the number of free slots of a pool if that is more, so that one
// client can use all workers.
func atLeast(n int, p remote.Pool) int {
	slots, err := p.Slots(context.Background())
	if err != nil {
		return n
	}
	return max(n, slots)
}

// A pack is an open package.
type pack struct {
	of       *Problems
	p        *problem.Problem
	executor *remote.Executor
	doubt    float64 // see [judge.Judge]
	dir      string  // of its files, if it was sent; removed with it
	bytes    int64   // of these
	tree     blob.Digest
	mark     string    // see markOf
	looked   time.Time // when the files were seen to be those; guarded by of.mu

	keepOutput bool // runs have the start of their output

	users, used int // guarded by of.mu
	gone        bool

	inferring sync.Mutex
	inferred  map[string]bool // by class
	own       problem.Limits  // before a time limit was inferred; guarded by mu

	mu     sync.Mutex
	judges map[string]*judge.Judge // of judgements without settings of their own, by class
	lease  *blob.Lease             // keeps the files for the workers
	calls  sync.Map                // func(judge.Event) by *problem.Submission
}

// isOld reports whether the files may be others than those that were opened. The caller
// holds of.mu.
func (p *pack) isOld() bool { return p.dir == "" && time.Since(p.looked) >= lookEach }

// current reports whether the files are those that were opened.
func (p *pack) current(ctx context.Context) bool {
	source, err := problem.Locate(p.p.Path)
	if err != nil {
		return false
	}
	defer source.Close()
	return markOf(ctx, source) == p.mark
}

// close ends one use.
func (p *pack) close() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.of.clock++
	p.users, p.used = p.users-1, p.of.clock
	p.removeUnused()
	p.of.trim()
}

// removeUnused closes a package that is no longer in the list, after its last use. Nobody
// waits for the removal of its files. The caller holds of.mu.
func (p *pack) removeUnused() {
	if !p.gone || p.users != 0 {
		return
	}
	p.users = -1 // once
	p.of.leaving += p.bytes
	p.of.tasks.Go(func() {
		for _, j := range p.judges {
			j.Close() // temporary files, which the next judge removes if this fails
		}
		p.lease.Release()
		p.p.Close()
		if p.dir != "" {
			osfile.RemoveAll(p.dir)
		}
		p.of.mu.Lock()
		defer p.of.mu.Unlock()
		p.of.opened, p.of.leaving = p.of.opened-p.bytes, p.of.leaving-p.bytes
	})
}

// send stores a folder for the workers. The first one is that of the package, which stays
// until the package is closed; those of submissions are used at once.
func (p *pack) send(ctx context.Context, f *blob.Folder) (err error) {
	p.mu.Lock()
	if p.lease == nil {
		keep := f.Digests()
		if tree, err := p.of.Store.Tree(p.tree); err == nil { // as it was sent: the next start opens it again
			keep = append(append(keep, tree.Digests()...), p.tree)
		}
		p.lease, err = p.of.Store.Lease(ctx, keep...)
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.of.Store.PutFolder(ctx, f)
}

// limit returns the time limit; 0 if it is not known yet.
func (p *pack) limit() time.Duration {
	if !p.inferring.TryLock() {
		return 0
	}
	defer p.inferring.Unlock()
	return p.p.Limits.Time
}

// infer infers the time limit of the workers of a class once, if the package has none.
// Others wait for the first call.
func (p *pack) infer(ctx context.Context, class string) error {
	p.inferring.Lock()
	defer p.inferring.Unlock()
	j := p.shared(class)
	if p.inferred[class] || p.p.Limits.Time > 0 && len(p.inferred) == 0 {
		return nil
	}
	of := *p.p // each class has a limit of its own
	of.Limits = p.own
	if err := j.Infer(ctx, &of); err != nil {
		return err
	}
	if p.inferred == nil {
		p.inferred = make(map[string]bool)
	}
	p.inferred[class] = true
	j.TimeLimit = of.Limits.Time
	if p.p.Limits.Time == 0 {
		p.p.Limits = of.Limits // that of the first class is shown
	}
	return nil
}

// shared returns the judge of judgements without settings of their own.
func (p *pack) shared(class string) *judge.Judge {
	p.mu.Lock()
	defer p.mu.Unlock()
	j := p.judges[class]
	if j == nil {
		if p.judges == nil {
			p.judges, p.own = make(map[string]*judge.Judge), p.p.Limits
		}
		j = p.newJudge(class)
		p.judges[class] = j
	}
	return j
}

// newJudge returns a judge that sends work items to the workers of a class; "" is any.
func (p *pack) newJudge(class string) *judge.Judge {
	executor := *p.executor
	executor.Class = class
	return &judge.Judge{
		Settings: judge.Settings{Doubt: p.doubt, KeepOutput: p.keepOutput},
		Executor: remote.Agree(&executor), Jobs: atLeast(itemsOfProblem, p.of.Pool), OnEvent: func(e judge.Event) {
			if call, ok := p.calls.Load(e.Submission); ok {
				call.(func(judge.Event))(e)
			}
		},
	}
}

// run judges a submission on the workers of a class, and calls ran with each run as it
// ends.
func (p *pack) run(ctx context.Context, s *problem.Submission, cases []*problem.Case, as judge.Settings, class string,
	ran func(*judge.Run)) (r *judge.Report, limits problem.Limits) {
	if as.TimeLimit == 0 {
		if err := p.infer(ctx, class); err != nil {
			r := &judge.Report{Problem: p.p.ID, Submission: s.Name, Expected: s.Expected, Err: err}
			if s.Language != nil {
				r.Language = s.Language.Code
			}
			return r, p.p.Limits
		}
	}
	p.calls.Store(s, func(e judge.Event) {
		if e.Kind == judge.Ran {
			ran(e.Run)
		}
	})
	defer p.calls.Delete(s)
	j := p.shared(class)
	if as != (judge.Settings{}) {
		as.TimeLimit, as.Doubt, as.KeepOutput = cmp.Or(as.TimeLimit, j.TimeLimit), p.doubt, as.KeepOutput || p.keepOutput
		j = p.newJudge(class)
		j.Settings = as
		defer j.Close() // temporary files, which the next judge removes if this fails
	}
	return j.Run(ctx, s, cases), j.LimitsOf(p.p)
}
