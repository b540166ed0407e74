package server

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"crucible/judge/record"
	"crucible/judge/serve/remote"
)

// Compilations compare what compiling a submission comes to on different workers. The
// zero value is ready.
type Compilations struct {
	Log *slog.Logger // nil means none

	mu        sync.Mutex
	now, old  map[[sha256.Size]byte]*compilation // the last submissions, and those before them
	different atomic.Int64                       // submissions on which workers do not agree
}

// A compilation has the workers that compiled a submission, and those that rejected it.
type compilation struct{ accept, reject []string }

// mostCompilations is the number of submissions after which the older ones are forgotten.
const mostCompilations = 4096

// compare notes what compiling the submission of an item came to. If workers do not agree,
// it reports them: the submitter has a third worker decide, see package judge.
func (c *Compilations) compare(workers *Workers, i *remote.Item, found *outcome) {
	compiled, failed, err := found.last.End()
	if err != nil || failed != nil || compiled.Err != nil || compiled.Skipped != "" {
		return
	}
	of := i.Submission
	of.Name, of.Expected = "", nil // they do not decide what the compiler sees
	key, err := record.Append(nil, []any{i.Problem.Tree, of}, false)
	if err != nil {
		return
	}
	accept, reject, fresh := c.note(sha256.Sum256(key), found.worker, compiled.Rejected)
	if !fresh || len(accept) == 0 || len(reject) == 0 {
		return
	}
	if len(accept)+len(reject) == 2 {
		c.different.Add(1)
	}
	message, _, _ := strings.Cut(strings.TrimSpace(compiled.Compile.Message), "\n")
	why := fmt.Sprintf("%s %s: compiled by %s, rejected by %s", i.Problem.ID, i.Submission.Name,
		strings.Join(accept, " and "), strings.Join(reject, " and "))
	if compiled.Rejected && message != "" {
		why += fmt.Sprintf(": %.200q", message)
	}
	if c.Log != nil {
		c.Log.Error("workers do not agree on compiling", "accept", accept, "reject", reject, "difference", why)
	}
	for _, name := range slices.Concat(accept, reject) {
		workers.differs(name, why)
	}
}

// note adds a worker and returns those that agree with it and those that do not; fresh is
// false if the worker was known.
func (c *Compilations) note(key [sha256.Size]byte, worker string, rejected bool) (accept, reject []string, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil || len(c.now) >= mostCompilations {
		c.now, c.old = make(map[[sha256.Size]byte]*compilation), c.now
	}
	one := c.now[key]
	if one == nil {
		if one = c.old[key]; one == nil {
			one = new(compilation)
		}
		c.now[key] = one
	}
	to := &one.accept
	if rejected {
		to = &one.reject
	}
	if fresh = !slices.Contains(*to, worker); fresh {
		*to = append(*to, worker)
	}
	return slices.Clone(one.accept), slices.Clone(one.reject), fresh
}
