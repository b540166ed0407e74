// Package server is the HTTP interface of a judge: other machines send it packages,
// submissions and work items, and receive runs and records.
package server

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// Limits of requests.
const (
	maxItem     = 64 << 10        // bytes of a work item
	defaultMost = 10_000          // work items of one token under way
	defaultRate = 200.0           // requests of one token in a second
	idleLine    = 5 * time.Second // a line is sent at least so often, so that both sides notice a dead connection
)

// A Server serves judges of other machines. Its fields are settings; Pool, Store and
// Tokens are required.
type Server struct {
	Judge   string      // the version of the judge, which clients must have, too
	Pool    remote.Pool // executes the work items
	Store   *blob.Store // the files of packages and submissions
	Peers   *Peers      // the other servers, of Problems, too; nil if this is the only one
	Tokens  *Tokens     // who may do what
	Workers *Workers    // who executes work items; nil if the pool has no workers
	Grants  *Grants     // what workers may read; nil means nothing

	// Answers GET /metrics; nil means that there is no such address.
	Metrics     http.Handler
	MetricsOpen bool                                                  // no token is needed for it; else scope read
	Observe     func(r *http.Request, status int, took time.Duration) // is called after each request; nil is not

	Most int          // the most work items and judgements of one token that are under way or wait; 0 means 10,000
	Rate float64      // the most requests for judgements and executions of one token in a second, on average; 0 means 200
	Log  *slog.Logger // nil means none

	Limits Limits        // of what clients send
	Poll   time.Duration // the longest time of an answer to who waits for work, or for lines; 0 means 25 s

	// Pages answers all addresses that are not of the HTTP interface; nil means that there
	// are none.
	Pages http.Handler

	// Watch is called with the name of the token and the id of the call for each work item of a
	// client. It returns what is called with the lines of its answer, and with nil at the end.
	Watch func(by, call string, i *remote.Item) func(*remote.Line)

	// Backup writes the data of the server; nil means that there is no such address.
	Backup func(ctx context.Context, w io.Writer) error

	// Problems has the packages of judgements; nil means that the server only executes
	// work items. State, which keeps the judgements, is needed with it.
	Problems *Problems
	State    *queue.Queue
	Cluster  *Cluster // the servers with the same State; nil if there is one only

	draining atomic.Bool
	busy     busy
	senders  senders
	answers  sync.Map   // *itemAnswer by its id
	turns    queue.Gate // of the judgements of each token that run
	rates    sync.Map   // *allowance by the name of the token

	judging sync.Mutex            // guards the field below
	live    map[string]*judgement // by id, those that have not ended; see enter
}

// Handler returns the handler of all addresses.
func (s *Server) Handler() http.Handler {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.busy.most = cmp.Or(s.Most, defaultMost)
	s.senders.Limits = s.Limits
	s.senders.complete()
	s.live = make(map[string]*judgement)
	mux := http.NewServeMux()
	routes := s.routes()
	for i := range routes {
		mux.Handle(routes[i].method+" "+routes[i].path, s.handlerOf(&routes[i]))
	}
	none := func(w http.ResponseWriter, r *http.Request) { noRoute(mux, w, r) }
	mux.HandleFunc("/", none)
	if s.Pages != nil {
		pages := s.admitted(s.Pages.ServeHTTP)
		mux.Handle("/{$}", pages)
		mux.HandleFunc("/v1/", none)
		mux.Handle("/{page}", pages)
		mux.Handle("/{page}/", pages)
	}
	return s.logged(mux)
}

// Drain makes the server refuse new work items and judgements, leaves judgements that have
// not begun, or for which there is no worker, to the next start or another server, but for lines
// of batches without a key, which it cancels, and waits until what is under way is completed or
// ctx ends. Workers need the handler until then.
func (s *Server) Drain(ctx context.Context) {
	s.draining.Store(true)
	s.stopJudgements(api.Queued)
	for idle := s.busy.idle(); ; {
		select {
		case <-idle:
			return
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
		if slots, _ := s.Workers.slots(); s.Workers != nil && slots == 0 {
			s.stopJudgements(api.Queued, api.Running)
		}
	}
}

// An allowance is how many requests a token may send at once: it grows at a rate, up to
// those of two seconds, with which it begins.
type allowance struct {
	mu   sync.Mutex
	left float64
	last time.Time
}

// take takes a request of the allowance, which grows by each in a second. It returns false
// if nothing is left.
func (a *allowance) take(now time.Time, each float64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	most := max(2*each, 1)
	a.left = min(a.left+each*now.Sub(a.last).Seconds(), most) // much, the first time
	a.last = now
	if a.left < 1 {
		return false
	}
	a.left--
	return true
}

// limited answers requests at the rate of their token.
func (s *Server) limited(next http.HandlerFunc) http.HandlerFunc {
	each := cmp.Or(s.Rate, defaultRate)
	return func(w http.ResponseWriter, r *http.Request) {
		of, _ := s.rates.LoadOrStore(tokenOf(r).Name, new(allowance))
		if !of.(*allowance).take(time.Now(), each) {
			refuse(w, blob.NewProblem(http.StatusTooManyRequests, "more than %g requests of this token in a second", each))
			return
		}
		next(w, r)
	}
}

// ready answers whether the server takes work items.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if err := s.stopping(); err != nil {
		refuse(w, err)
		return
	}
	w.Write([]byte("ok\n"))
}

// backup answers with the data of the server.
func (s *Server) backup(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", archive.kind)
	if err := s.Backup(r.Context(), w); err != nil {
		s.Log.Error("a backup ends early", "error", err)
		panic(http.ErrAbortHandler) // the client must not take it for a whole one
	}
}

// describe answers with the version and the size of the server.
func (s *Server) describe(w http.ResponseWriter, r *http.Request) {
	slots, err := s.Pool.Slots(r.Context())
	if err != nil {
		blob.WriteError(w, http.StatusServiceUnavailable, err)
		return
	}
	d := &api.Description{Judge: s.Judge, Slots: slots}
	if s.Workers != nil {
		_, d.Idle = s.Workers.slots()
		d.Calibrates, d.Classes = s.Workers.Every > 0, s.Workers.Classes()
	}
	writeJSON(w, http.StatusOK, d)
}

// logged logs each request after it has ended.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &statusWriter{ResponseWriter: w, to: http.NewResponseController(w)}
		if r.ContentLength != 0 {
			seen.body = &intake{ReadCloser: r.Body, to: seen.to, stall: unread}
			r = r.WithContext(r.Context()) // the one of net/http keeps its body
			r.Body = seen.body
			seen.body.extend()
			defer seen.body.end(false)
		}
		next.ServeHTTP(seen, r)
		level := slog.LevelInfo
		if seen.status >= 500 {
			level = slog.LevelError
		}
		if s.Observe != nil {
			s.Observe(r, cmp.Or(seen.status, http.StatusOK), time.Since(began))
		}
		s.Log.LogAttrs(context.WithoutCancel(r.Context()), level, "request", slog.String("method", r.Method),
			slog.String("path", r.URL.Path),
			slog.Int("status", cmp.Or(seen.status, http.StatusOK)), slog.Duration("took", time.Since(began)),
			slog.String("from", r.RemoteAddr), slog.Any("error", seen.failed))
	})
}

// A statusWriter remembers the status of a response, and bounds the time in which a client
// sends and reads.
type statusWriter struct {
	http.ResponseWriter
	to     *http.ResponseController
	body   *intake // nil if the request has none
	paced  bool    // the handler sets the deadlines for writing
	status int
	failed error // why the server failed; nil if it did not
}

// Failed is for [blob.WriteError].
func (w *statusWriter) Failed(err error) { w.failed = err }

// WriteHeader implements [http.ResponseWriter]. A refusal is sent before the body has
// arrived, and ends the connection then.
func (w *statusWriter) WriteHeader(status int) {
	w.status = cmp.Or(w.status, status)
	if status >= 400 && w.body != nil && !w.body.hasArrived() {
		w.Header().Set("Connection", "close")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter]. The client has a minute for each MiB.
func (w *statusWriter) Write(p []byte) (n int, err error) {
	for part := range slices.Chunk(p, 1<<20) {
		if !w.paced {
			w.to.SetWriteDeadline(time.Now().Add(giveUp))
		}
		m, err := w.ResponseWriter.Write(part)
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

// SetWriteDeadline is for [http.ResponseController].
func (w *statusWriter) SetWriteDeadline(at time.Time) error {
	w.paced = true
	return w.to.SetWriteDeadline(at)
}

// SetReadDeadline is for [http.ResponseController].
func (w *statusWriter) SetReadDeadline(at time.Time) error {
	if w.body == nil {
		return http.ErrNotSupported
	}
	w.body.mu.Lock()
	defer w.body.mu.Unlock()
	w.body.until = at
	return nil
}

// Unwrap lets [http.ResponseController] find the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
