package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
	"crucible/judge/terminal"
)

const (
	// Judgements of one token that run, or as many as there are free slots; the others wait.
	atOnce      = 64
	maxLimit    = 600 * time.Second // replaced time limits
	maxLineID   = 200               // bytes of the id of a line of a batch
	maxKeySize  = 200               // bytes of an idempotency key
	maxPriority = 10                // of a judgement; the lowest is -10
	keptOutput  = 16 << 10          // bytes of the output of a run
)

// errCancelled is why a judgement ends that a client cancels, errGone why a line of a
// batch ends whose client goes away, errStopping why one does not begin when the server
// stops: one that is kept waits for the next start, or another server.
var (
	errCancelled = errors.New("cancelled by a client")
	errGone      = errors.New("cancelled: the client of the batch is gone")
	errStopping  = errors.New("cancelled: the server is about to stop; send it again")
)

// A judgement is one that has not ended, or has just ended.
type judgement struct {
	cancel   context.CancelCauseFunc
	entered  chan struct{} // closed when its entry is written, or refused is set
	refused  bool          // it has not begun
	revision uint64        // of its entry; only who judges it has the field
	done     chan struct{} // closed at the end

	mu      sync.Mutex
	now     api.Judgement
	runs    [][]byte      // as JSON, in the order in which they ended
	taken   bool          // another server makes it
	stays   bool          // who asked for it need not wait
	left    bool          // cancelled, since who asked for it is gone
	changed chan struct{} // closed at the next change
}

// look returns the judgement as it is now, the runs after the first ones, and a channel
// that is closed at the next change.
func (g *judgement) look(after int) (now api.Judgement, runs [][]byte, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now, g.runs[min(max(after, 0), len(g.runs)):], g.changed
}

// stay keeps the judgement when a client of a batch that asks for it, too, goes away. It returns
// false if that client has gone already, and the judgement is cancelled.
func (g *judgement) stay() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stays = !g.left
	return g.stays
}

// leave cancels the judgement for a line of a batch whose client is gone, unless others have
// asked for it. It reports whether it does.
func (g *judgement) leave() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left = !g.stays; g.left {
		g.cancel(errGone)
	}
	return g.left
}

// isTaken reports whether another server makes the judgement.
func (g *judgement) isTaken() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.taken
}

// change changes the judgement.
func (g *judgement) change(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	close(g.changed)
	g.changed = make(chan struct{})
}

// A task is a request that has been checked.
type task struct {
	on       *pack
	s        *problem.Submission
	cases    []*problem.Case
	as       judge.Settings
	class    string // of the workers; "" is any
	bytes    int64  // of the sources, as far as nothing else counts them
	hash     string // of the request
	original *api.Request
	call     *choice
	copies   int         // see [api.Judgement]
	lease    *blob.Lease // of files that clients sent: the next start reads them again
}

// close ends the use of what the task needs.
func (t *task) close() {
	t.lease.Release()
	t.on.close()
}

// check checks a request of a call with a token, and opens its problem, which the caller
// must close. The error is a [*blob.Problem], or a failure of the server.
func (s *Server) check(ctx context.Context, token *Token, r *api.Request, call *choice) (t *task, err error) {
	if err := s.Workers.known(r.Class); err != nil {
		return nil, err
	}
	t = &task{original: r, call: call, as: judge.Settings{
		All: r.All, KeepOutput: r.Output, LogInteraction: r.Output, KeepImages: r.Images,
	}}
	if r.Images && r.Case == "" {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "images: expected the name of a case with it")
	}
	if l := r.Limits; l != nil && l.TimeLimit != 0 {
		t.as.TimeLimit = time.Duration(l.TimeLimit * float64(time.Second))
		if !(l.TimeLimit > 0 && l.TimeLimit <= maxLimit.Seconds()) || t.as.TimeLimit < time.Millisecond {
			return nil, blob.NewProblem(http.StatusUnprocessableEntity, "limits: time_limit %v: expected 0.001 to %v seconds",
				l.TimeLimit, maxLimit.Seconds())
		}
	}
	if !(r.Wait >= 0 && r.Wait <= 60) {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "wait_s %v: expected 0 to 60", r.Wait)
	}
	if r.Priority < -maxPriority || r.Priority > maxPriority {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "priority %d: expected %d to %d", r.Priority,
			-maxPriority, maxPriority)
	}
	if len(r.Key) > maxKeySize {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "a key of %d bytes: expected at most %d", len(r.Key),
			maxKeySize)
	}
	if len(r.ID) > maxLineID {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "an id of %d bytes: expected at most %d", len(r.ID),
			maxLineID)
	}
	if s.Problems.View(token, r.Problem) != api.Whole {
		if err := mayAsk(r); err != nil {
			return nil, err
		}
	}
	var lease *blob.Lease
	defer func() {
		if err != nil {
			lease.Release()
		}
	}()
	var sources map[string]string
	var files []blob.Digest
	if r.Own == "" {
		sources, err = sourcesOf(r.Sources, r.Files, func(d blob.Digest) ([]byte, error) {
			files = append(files, d)
			return s.Peers.read(ctx, s.Store, d, maxSource)
		})
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			if lease, err = s.Store.Lease(ctx, files...); err != nil {
				return nil, err
			}
			t.lease = lease
		}
	} else if len(r.Sources)+len(r.Files) > 0 || r.Language != "" {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity,
			"submission %.200s: expected no sources, files or language with it", terminal.QuoteName(r.Own))
	}
	for _, data := range sources {
		t.bytes += int64(len(data))
	}
	on, _, err := s.Problems.find(ctx, token, r.Problem)
	if err != nil {
		return nil, err
	}
	t.on = on
	defer func() {
		if err != nil {
			on.close()
		}
	}()
	if t.cases, err = casesOf(t.on.p, r); err != nil {
		return nil, err
	}
	if r.Own != "" {
		t.s, err = ownOf(t.on.p, r.Own)
	} else {
		t.s, err = submissionOf(t.on.p, r.Language, sources)
	}
	if err != nil {
		return nil, err
	}
	same := *r
	same.ID, same.Wait, same.Key, same.Priority = "", 0, "", 0
	data, err := json.Marshal(&same)
	t.hash = blob.Of(data).Hash
	if err == nil {
		var trees []blob.Digest
		if t.on.tree != (blob.Digest{}) {
			trees = append(trees, t.on.tree)
		}
		t.copies = s.Peers.copied(ctx, s.Store, trees, files)
	}
	if err == nil && len(files) > 0 && s.Problems.Durable {
		err = s.Store.Sync()
	}
	return t, err
}

// idOf returns the id of a judgement. Those of one token and key are equal.
func idOf(token, key string) string {
	if key == "" {
		return rand.Text()
	}
	sum := sha256.Sum256([]byte(token + "\x00" + key))
	return base32.StdEncoding.EncodeToString(sum[:])[:26]
}

// begin begins a judgement. With the key of an earlier one, it returns that one; exactly
// one of the results is not nil. Again makes it begin again after the server has been
// killed. The error is a [*blob.Problem].
func (s *Server) begin(ctx context.Context, token *Token, key string, t *task,
	again bool) (g *judgement, old *api.Judgement, err error) {
	own, run := newJudgement(api.Judgement{
		ID: idOf(token.Name, key), State: api.Queued, Problem: t.original.Problem, Language: languageOf(t.s),
		Created: time.Now().UTC(), Request: t.hash, By: token.Name, Copies: t.copies,
	})
	var now api.Judgement
	if g = s.enter(own); g != own {
		now, _, _ = g.look(0)
	} else {
		var release func()
		if release, old, err = s.accept(ctx, token, key, own, t, again); release != nil {
			close(own.entered)
			go func() {
				defer release()
				s.judge(run, own, t)
			}()
			return own, nil, nil
		}
		s.refuse(own)
		if g = nil; old != nil {
			now = *old
		}
	}
	t.close()
	if err == nil && now.Request != t.hash {
		err = blob.NewProblem(http.StatusUnprocessableEntity,
			"idempotency key %.60q: an earlier request with this key was another one", key)
	}
	if err != nil {
		return nil, nil, err
	}
	return g, old, nil
}

// ask checks a request and begins its judgement, which goes on when the client goes away; see
// check and begin.
func (s *Server) ask(ctx context.Context, token *Token, key string, r *api.Request,
	call *choice) (g *judgement, old *api.Judgement, err error) {
	for {
		t, err := s.check(ctx, token, r, call)
		if err != nil {
			return nil, nil, err
		}
		g, old, err = s.begin(ctx, token, key, t, true)
		if g == nil || g.stay() {
			return g, old, err
		}
		select { // the client of a batch is gone, and this one comes before its end
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// acceptTime is the longest time in which JetStream stores that a judgement begins.
const acceptTime = 15 * time.Second

// accept writes that a judgement begins, or returns what an earlier one with the same key has
// come to. Otherwise release ends its place among those of the token.
func (s *Server) accept(ctx context.Context, token *Token, key string, g *judgement, t *task,
	again bool) (release func(), old *api.Judgement, err error) {
	if key != "" {
		k, err := s.read(ctx, g.now.ID)
		if err != nil || k.end != nil && (k.end.State != api.Cancelled || k.end.Error != errGone.Error()) {
			return nil, k.end, err
		}
		if k.other != nil && (k.other.now.Request != t.hash || !s.Cluster.isName(k.other.server)) {
			return nil, &k.other.now, nil // if that server is lost, another one takes it over
		}
		g.revision = k.revision
	}
	if err := s.senders.keep(token.Name, t.bytes); err != nil {
		return nil, nil, err
	}
	release, ok := s.busy.enter(token.Name)
	if !ok {
		err = blob.NewProblem(http.StatusTooManyRequests,
			"%d judgements of this token are under way: expected at most that many", s.busy.most)
	} else if again {
		a := &acceptance{Token: token.Name, Created: g.now.Created, Hash: t.hash, Language: g.now.Language,
			Request: t.original, Call: t.call.id, Server: s.Cluster.name()}
		if s.Workers.chooses(t.original.Class) {
			a.Class = t.call.class(s.Workers, a.Language)
		}
		ctx, cancel := context.WithTimeout(ctx, acceptTime)
		defer cancel()
		if err = s.note(ctx, g, a); err != nil {
			release()
			if s.Cluster != nil && key != "" && !errors.Is(err, queue.ErrTaken) {
				s.Cluster.doubt(g.now.ID, 2*acceptTime)
			}
		}
		switch {
		case errors.Is(err, queue.ErrTaken):
			err = blob.NewProblem(http.StatusServiceUnavailable, "another server has just begun this judgement: ask again")
		case queue.IsFull(err):
			err = noRoom()
		}
	}
	if err != nil {
		s.senders.free(token.Name, t.bytes)
		return nil, nil, err
	}
	return release, nil, nil
}

// postpones leaves a judgement that has not begun when the server stops to the next start, or to
// another server. It reports whether that is so.
func (s *Server) postpones(of context.Context, g *judgement, bytes int64) bool {
	if g.revision == 0 || !errors.Is(context.Cause(of), errStopping) {
		return false
	}
	ctx := context.Background()
	a, err := s.acceptanceOf(ctx, g.now.ID)
	if err == nil && a != nil {
		a.Waits = true
		err = s.note(ctx, g, a)
	}
	if err != nil {
		s.Log.Warn("a judgement counts as begun", "id", g.now.ID, "error", err)
	}
	s.over(g, g.now, bytes, queue.ErrClosed)
	return true
}

// outcome waits for the end of a judgement that another server makes, or nobody does any more.
func (s *Server) outcome(ctx context.Context, id string) (*api.Judgement, error) {
	for {
		k, err := s.read(ctx, id)
		if err != nil || k.end != nil {
			return k.end, err
		}
		if s.draining.Load() { // it waits for the next start
			return nil, s.stopping()
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// newJudgement returns a judgement, and its context.
func newJudgement(now api.Judgement) (*judgement, context.Context) {
	ctx := context.WithValue(context.Background(), clientKey{}, now.By)
	// One that is cancelled and sent again has the same id.
	ctx = context.WithValue(ctx, judgementKey{}, nameOf(&now, 0))
	ctx, cancel := context.WithCancelCause(ctx)
	return &judgement{cancel: cancel, entered: make(chan struct{}), done: make(chan struct{}),
		changed: make(chan struct{}), now: now}, ctx
}

// nameOf returns the name of a judgement in the names of its items, after it has been begun again
// for other verdicts than the queue has of them.
func nameOf(j *api.Judgement, again int) string {
	return fmt.Sprint(j.ID, " ", j.Created.Format(time.RFC3339Nano), " ", again)
}

// enter adds a judgement to those under way, or returns the one with its id.
func (s *Server) enter(g *judgement) *judgement {
	for {
		s.judging.Lock()
		other := s.live[g.now.ID]
		if other == nil {
			s.live[g.now.ID] = g
		}
		s.judging.Unlock()
		if other == nil {
			return g
		}
		if <-other.entered; !other.refused {
			return other
		}
	}
}

// refuse removes a judgement that has not begun.
func (s *Server) refuse(g *judgement) {
	s.judging.Lock()
	delete(s.live, g.now.ID)
	s.judging.Unlock()
	g.refused = true
	g.cancel(nil)
	close(g.entered)
}

// underWay returns the judgement of an id that has begun and not ended, or nil.
func (s *Server) underWay(id string) *judgement {
	s.judging.Lock()
	g := s.live[id]
	s.judging.Unlock()
	if g != nil {
		if <-g.entered; g.refused {
			return nil
		}
	}
	return g
}

// judge runs a judgement to its end.
func (s *Server) judge(ctx context.Context, g *judgement, t *task) {
	defer t.close()
	var report *judge.Report
	var limits problem.Limits
	ctx = context.WithValue(ctx, priorityKey{}, t.original.Priority)
	if s.turns.Enter(ctx, g.now.By, atLeast(atOnce, s.Pool), t.original.Priority) == nil {
		growStack()
		g.change(func() { g.now.State = api.Running })
		for again := 1; ; again++ {
			t.class = s.Workers.choose(ctx, t.original.Class, languageOf(t.s), t.call)
			report, limits = t.on.run(ctx, t.s, t.cases, t.as, t.class, func(r *judge.Run) {
				one := *r
				one.Err = s.Problems.hideError(r.Err)
				g.ran(&one, 1+slices.IndexFunc(t.cases, func(c *problem.Case) bool { return c.Name == r.Case }))
			})
			name := s.Workers.distrusted(report)
			if name == "" || ctx.Err() != nil {
				break
			}
			s.Log.Warn("a judgement is begun again: the results of a worker that made runs differ from those of others", "id",
				g.now.ID, "worker", name)
			g.change(func() { g.now.Restarts, g.runs = g.now.Restarts+1, nil })
			ctx = context.WithValue(ctx, judgementKey{}, nameOf(&g.now, again))
		}
		s.turns.Leave(g.now.By)
	}
	if s.postpones(ctx, g, t.bytes) {
		return
	}
	end := g.now // nothing but this function changes it
	end.Ended = new(time.Now().UTC())
	switch {
	case ctx.Err() != nil:
		end.State, end.Error = api.Cancelled, context.Cause(ctx).Error()
	default:
		end.State = api.Ended
		s.conclude(&end, t, report, limits)
	}
	s.end(g, end, t.bytes)
}

// growStack makes the stack of a goroutine large at once. Otherwise it is copied each time
// that it doubles, deep in calls: 7 % of the time of the server.
//
//go:noinline
func growStack() byte {
	var room [12 << 10]byte
	return room[time.Now().Nanosecond()%len(room)]
}

// end ends a judgement, whose sources had some bytes.
func (s *Server) end(g *judgement, end api.Judgement, bytes int64) {
	s.over(g, end, bytes, s.keep(g, &end))
}

// over forgets a judgement that has ended. The error is that of keeping its end.
func (s *Server) over(g *judgement, end api.Judgement, bytes int64, err error) {
	taken := errors.Is(err, queue.ErrTaken)
	switch {
	case errors.Is(err, queue.ErrClosed): // nobody hears of a verdict that the next start may not have
		taken = true
		s.Log.Warn("a judgement is begun again at the next start", "id", end.ID)
	case taken: // its verdict counts
		s.Log.Warn("another server has begun a judgement again", "id", end.ID)
	case err != nil:
		s.Log.Error("a judgement stays in memory only", "id", end.ID, "error", err)
	}
	g.change(func() {
		if g.taken = taken; !taken {
			g.now = end
		}
	})
	close(g.done)
	g.cancel(nil)
	s.senders.free(end.By, bytes)
	s.judging.Lock()
	defer s.judging.Unlock()
	if err == nil || taken {
		delete(s.live, end.ID)
	}
}

// ran adds the run of the test with a number.
func (g *judgement) ran(r *judge.Run, test int) {
	one := record.OfRun(r)
	data, err := record.Append(nil, &one, false)
	if err != nil {
		return // it is in the report, which says why
	}
	kept := api.KeptFiles{Test: test, Images: imagesOf(r)}
	if r.Output != nil {
		kept.Output = new(strings.ToValidUTF8(string(r.Output[:min(len(r.Output), keptOutput)]), "\ufffd"))
	}
	if r.Undrawn != nil {
		kept.Undrawn = terminal.Excerpt(r.Undrawn.Error(), 4000)
	}
	more, err := json.Marshal(kept)
	if err != nil {
		return
	}
	if len(more) > len("{}") {
		data = slices.Concat(more[:len(more)-1], []byte(","), data[1:])
	}
	g.change(func() { g.runs = append(g.runs, data) })
}

// imagesOf returns the pictures of a run.
func imagesOf(r *judge.Run) (all []api.Image) {
	for _, i := range r.Images {
		all = append(all, api.Image{Name: i.Name, Data: i.Data})
	}
	return all
}

// conclude adds the report to a judgement.
func (s *Server) conclude(g *api.Judgement, t *task, r *judge.Report, limits problem.Limits) {
	r.Err = s.Problems.hideError(r.Err)
	for i := range r.Runs {
		r.Runs[i].Err = s.Problems.hideError(r.Runs[i].Err)
	}
	p := record.Problem{ID: t.on.p.ID, Path: s.Problems.hide(t.on.p.Path), Limits: limits, Reports: []*judge.Report{r}}
	p.Cases = make([]string, len(t.cases))
	for i, c := range t.cases {
		p.Cases[i] = c.Name
	}
	g.Verdict, g.Score = string(r.Verdict), r.Score
	switch err := r.JudgeError(); {
	case err != nil:
		g.Error, g.Verdict = terminal.Excerpt(err.Error(), 4000), ""
	case r.Skipped != "":
		g.Error = r.Skipped
	}
	data, err := record.Append(nil, &p, false)
	if err != nil {
		g.Error = err.Error()
		return
	}
	g.Record = bytes.TrimSpace(data)
}

// stopJudgements stops the judgements in these states.
func (s *Server) stopJudgements(in ...api.State) {
	s.judging.Lock()
	defer s.judging.Unlock()
	for _, g := range s.live {
		g.mu.Lock()
		if slices.Contains(in, g.now.State) {
			g.cancel(errStopping)
		}
		g.mu.Unlock()
	}
}
