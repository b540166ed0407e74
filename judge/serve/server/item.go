package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// item executes a work item and streams the lines of its answer (application/x-ndjson).
// An empty line means that the item is still under way.
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
	if err == nil {
		err = checkText(data)
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
	defer release()
	watch := func(*remote.Line) {}
	if s.Watch != nil && i.Worker == "" { // a measurement has thousands of runs
		watch = s.Watch(tokenOf(r).Name, r.Header.Get(remote.CallHeader), i)
		defer watch(nil)
	}
	out := newLines(w)
	err = s.Pool.Do(context.WithValue(r.Context(), clientKey{}, tokenOf(r).Name), i,
		func(l *remote.Line) error {
			watch(l)
			return out.line(l.Data)
		})
	out.stop()
	switch {
	case r.Context().Err() != nil:
	case err != nil && s.draining.Load():
		panic(http.ErrAbortHandler) // the server ends before the item: the client sends it again
	case err != nil:
		s.Log.Error("work item", "problem", i.Problem.ID, "submission", i.Submission.Name, "error", err)
		out.line(remote.Fail(err, "").Data)
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
