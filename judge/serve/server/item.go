package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// item executes a work item and streams the lines of its answer (application/x-ndjson).
// An empty line means that the item is still under way. No answer takes longer than a poll,
// because proxies may cut it, or pass on nothing before its end: moreOfItem has the rest.
func (s *Server) item(w http.ResponseWriter, r *http.Request) {
	if err := s.stopping(); err != nil {
		refuse(w, err)
		return
	}
	data, err := s.readBody(r, maxItem)
	if err != nil {
		refuse(w, err)
		return
	}
	i, err := remote.Decode(data)
	if err == nil && !jsontext.Value(data).IsValid() {
		err = errors.New("the work item: expected texts in UTF-8, without a half of a surrogate pair, and each key once")
	}
	if err != nil {
		blob.WriteError(w, http.StatusBadRequest, err)
		return
	}
	if i.Judge != s.Judge {
		blob.NewProblem(http.StatusConflict, "the client is version %q of the judge: expected %q, as the server", i.Judge,
			s.Judge).Write(w)
		return
	}
	if err := s.Workers.known(i.Class); err != nil {
		refuse(w, err)
		return
	}
	if i.Worker != "" && s.Workers != nil {
		if why := s.Workers.missing(i.Worker, i.Class); why != "" {
			refuse(w, blob.NewProblem(http.StatusUnprocessableEntity, "%s", why))
			return
		}
	}
	release, ok := s.busy.enter(tokenOf(r).Name)
	if !ok {
		refuse(w, blob.NewProblem(http.StatusTooManyRequests,
			"%d work items of this token are under way: expected at most that many", s.busy.most))
		return
	}
	ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(r.Context()), clientKey{}, tokenOf(r).Name))
	a := newItemAnswer(tokenOf(r).Name, cancel)
	s.answers.Store(a.id, a)
	watch := func(*remote.Line) {}
	if s.Watch != nil && i.Worker == "" { // a measurement has thousands of runs
		watch = s.Watch(a.by, r.Header.Get(remote.CallHeader), i)
	}
	go func() {
		kept := int64(0)
		err := s.Pool.Do(ctx, i, func(l *remote.Line) error {
			watch(l)
			s.senders.free(a.by, -int64(len(l.Data)))
			kept += int64(len(l.Data))
			a.add(l.Data)
			return nil
		})
		if err != nil && !s.draining.Load() && ctx.Err() == nil {
			s.Log.Error("work item", "problem", i.Problem.ID, "submission", i.Submission.Name, "error", err)
			a.add(remote.Fail(err, "").Data)
			err = nil
		}
		a.end(err)
		watch(nil)
		release()
		<-ctx.Done() // the client has the answer, or is gone
		s.answers.Delete(a.id)
		s.senders.free(a.by, kept)
	}()
	s.answerItem(w, r, a, 0)
}

// moreOfItem continues the answer to a work item after some lines.
func (s *Server) moreOfItem(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.Atoi(r.URL.Query().Get("after"))
	if err != nil || after < 0 {
		refuse(w, blob.NewProblem(http.StatusBadRequest, "after=%.20q: expected a number from 0", r.URL.Query().Get("after")))
		return
	}
	found, _ := s.answers.Load(r.PathValue("item"))
	a, is := found.(*itemAnswer)
	if !is || a.by != tokenOf(r).Name {
		refuse(w, blob.NewProblem(http.StatusNotFound, "the work item is not under way for this token: send it again"))
		return
	}
	s.answerItem(w, r, a, after)
}

// answerItem sends lines of an answer until it ends, or for as long as a poll.
func (s *Server) answerItem(w http.ResponseWriter, r *http.Request, a *itemAnswer, after int) {
	a.enter()
	comes := false // the client, for more
	defer func() { a.leave(comes) }()
	w.Header().Set(remote.ItemHeader, a.id)
	out := newLines(w)
	defer out.stop()
	late := time.NewTimer(cmp.Or(s.Poll, queue.PollTime))
	defer late.Stop()
	for {
		lines, ended, changed, err := a.look(after)
		for _, one := range lines {
			if out.line(one) != nil {
				return
			}
		}
		after += len(lines)
		if err != nil {
			panic(http.ErrAbortHandler) // the server ends before the item: the client sends it again
		}
		if ended {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-late.C:
			comes = true
			return
		}
	}
}

// returnTime is the time in which a client asks for more of an answer. A test shortens it.
var returnTime = 10 * time.Second

// An itemAnswer is the answer to a work item of a client.
type itemAnswer struct {
	id, by string // by the name of the token
	forget func() // cancels the item, if it has not ended

	mu      sync.Mutex
	lines   [][]byte
	ended   bool
	err     error         // why the answer has no last line
	changed chan struct{} // closed at the next change
	readers int           // requests
	late    *time.Timer   // runs while there are none
}

func newItemAnswer(by string, forget func()) *itemAnswer {
	return &itemAnswer{id: rand.Text(), by: by, forget: forget, changed: make(chan struct{}),
		late: time.AfterFunc(returnTime, forget)}
}

func (a *itemAnswer) change(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
	close(a.changed)
	a.changed = make(chan struct{})
}

func (a *itemAnswer) add(line []byte) { a.change(func() { a.lines = append(a.lines, line) }) }

func (a *itemAnswer) end(err error) { a.change(func() { a.ended, a.err = true, err }) }

// look returns the lines after some, and a channel that is closed when there are others.
func (a *itemAnswer) look(after int) (lines [][]byte, ended bool, changed <-chan struct{}, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lines[min(after, len(a.lines)):], a.ended, a.changed, a.err
}

// enter begins a request for the answer.
func (a *itemAnswer) enter() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.readers++
	a.late.Stop()
}

// leave ends a request. Without another one, the answer is forgotten, unless the client
// comes for more.
func (a *itemAnswer) leave(comes bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.readers--; a.readers > 0 {
		return
	}
	if comes {
		a.late.Reset(returnTime)
	} else {
		a.forget()
	}
}

// lines sends lines, and empty ones while there are none.
type lines struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	to      *http.ResponseController
	stopped chan struct{}
	wg      sync.WaitGroup
	last    time.Time
}

func newLines(w http.ResponseWriter) *lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	l := &lines{w: w, to: http.NewResponseController(w), stopped: make(chan struct{}), last: time.Now()}
	l.wg.Go(func() {
		tick := time.NewTicker(idleLine)
		defer tick.Stop()
		for {
			select {
			case <-l.stopped:
				return
			case <-tick.C:
				l.idle()
			}
		}
	})
	return l
}

// giveUp is how long a client may read nothing. A test shortens it.
var giveUp = time.Minute

// line sends a line at once. A client that does not read for a minute is given up.
func (l *lines) line(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = time.Now()
	l.to.SetWriteDeadline(l.last.Add(giveUp))
	if _, err := l.w.Write(data); err != nil {
		return err
	}
	return l.to.Flush()
}

// idle sends an empty line if nothing has been sent for some time.
func (l *lines) idle() {
	l.mu.Lock()
	quiet := time.Since(l.last) >= idleLine
	l.mu.Unlock()
	if quiet {
		l.line([]byte("\n")) // the next line has the same error
	}
}

func (l *lines) stop() {
	close(l.stopped)
	l.wg.Wait()
}

// busy counts the work items of each token.
type busy struct {
	mu    sync.Mutex
	count map[string]int
	most  int

	waiting []chan struct{} // closed when there are no work items
}

// idle returns a channel that is closed when there are no work items.
func (b *busy) idle() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	ended := make(chan struct{})
	if len(b.count) == 0 {
		close(ended)
	} else {
		b.waiting = append(b.waiting, ended)
	}
	return ended
}

// enter counts one more, unless there are too many. The caller calls release when it
// has ended.
func (b *busy) enter(token string) (release func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count[token] >= b.most {
		return nil, false
	}
	return b.addLocked(token), true
}

// add counts one more, even if there are too many.
func (b *busy) add(token string) (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.addLocked(token)
}

func (b *busy) addLocked(token string) (release func()) {
	if b.count == nil {
		b.count = make(map[string]int)
	}
	b.count[token]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.count[token]--; b.count[token] == 0 {
			delete(b.count, token)
		}
		if len(b.count) == 0 {
			for _, ended := range b.waiting {
				close(ended)
			}
			b.waiting = nil
		}
	}
}
