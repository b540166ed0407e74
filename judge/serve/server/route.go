package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// A route is an address of the server. The table of routes is both what the server
// answers and what /openapi.json describes.
type route struct {
	method, path string  // as http.ServeMux has them
	scopes       []Scope // one of which the token needs; none need no token
	summary      string
	do           http.HandlerFunc
	takes, gives *content // bodies of the request and of the answer; nil has none
	status       int      // of success; 0 means 200
	also         []answer // further answers that are not errors
	headers      []header // of the request
	workers      bool     // the tokens of workers are accepted, too
	peers        bool     // other servers are answered, too
}

// A content is a body.
type content struct {
	kind string // media type
	of   any    // a value of the Go type of its JSON; nil if it is no JSON, or not described
}

// A header is a header of requests.
type header struct{ name, about string }

// An answer is an answer with another status.
type answer struct {
	status int
	about  string
	gives  *content
}

func jsonOf(v any) *content { return &content{"application/json", v} }

var (
	octets = &content{"application/octet-stream", nil}
	ndjson = &content{"application/x-ndjson", nil}
	plain  = &content{"text/plain", nil}

	archive = &content{"application/gzip", nil}
)

// Scopes of several routes: of those who ask for judgements, of those who send their own
// data, of those who see what the server does, and of all of them.
var (
	forJudgements = []Scope{Student, Jury, Eval}
	forOwnData    = []Scope{Jury, Eval}
	forFigures    = []Scope{Jury, Eval, Read}
	forAll        = []Scope{Student, Jury, Eval, Read}
)

// routes returns the table of the addresses that this server answers.
func (s *Server) routes() []route {
	blobs := blob.Handler(s.Store, blob.Options{Allowed: s.allowed, Fetch: s.fetch})
	all := []route{
		{method: "GET", path: "/healthz", summary: "Whether the server runs",
			do: func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok\n")) }, gives: plain},
		{method: "GET", path: "/readyz", summary: "Whether the server takes work", do: s.ready, gives: plain},
		{method: "GET", path: "/openapi.json", summary: "This document", do: s.openapi, gives: jsonOf(map[string]any{})},
		{method: "GET", path: "/v1/server", scopes: forAll, summary: "The server's version and size",
			do: s.describe, gives: jsonOf(api.Description{})},
		{method: "GET", path: "/v1/blobs/{digest}", scopes: []Scope{Jury}, workers: true, peers: true,
			summary: "A file by its digest, for the jury of all problems; ranges are supported",
			do:      blobs.ServeHTTP, gives: octets, also: []answer{{206, "A range of the file", octets}},
			headers: []header{{blob.LeaseHeader, "the lease of the work item for which a worker asks for the file"}}},
		{method: "PUT", path: "/v1/blobs/{digest}", scopes: forOwnData, summary: "Store a file by its digest, hash-size",
			do: blobs.ServeHTTP, takes: octets, status: http.StatusCreated,
			also: []answer{{http.StatusOK, "The server had it", nil}}},
		{method: "POST", path: "/v1/blobs:missing", scopes: forOwnData, peers: true,
			summary: "Which of some files are not on the server", do: blobs.ServeHTTP,
			takes: jsonOf(map[string]any{}), gives: jsonOf(map[string]any{})},
		{method: "POST", path: "/v1/items", scopes: forOwnData,
			summary: "Execute a work item; for judge run --on, of the same version", do: s.item, takes: jsonOf(map[string]any{}),
			gives: ndjson, headers: []header{{remote.CallHeader, "names the call of the judge that the item is of"}}},
		{method: "GET", path: "/v1/items/{item}", scopes: forOwnData,
			summary: "More lines of the answer to a work item, which has had ?after= lines; for judge run --on",
			do:      s.moreOfItem, gives: ndjson},
	}
	if s.Peers != nil {
		all = append(all, route{method: "POST", path: copyPath, scopes: []Scope{Admin}, peers: true,
			summary: "Copy files from other servers; for them", do: s.copyFiles, takes: jsonOf(map[string]any{}),
			status: http.StatusNoContent})
	}
	if s.Problems != nil {
		all = append(all, s.judgingRoutes()...)
	}
	if s.Backup != nil {
		all = append(all, route{method: "GET", path: "/v1/backup", scopes: []Scope{Admin},
			summary: "The data of the server, for judged backup", do: s.backup, gives: archive})
	}
	if s.Metrics != nil {
		r := route{method: "GET", path: "/metrics", scopes: forFigures, summary: "Figures in the text format of Prometheus",
			do: s.Metrics.ServeHTTP, gives: plain}
		if s.MetricsOpen {
			r.scopes = nil
		}
		all = append(all, r)
	}
	if s.Workers != nil {
		all = append(all,
			route{method: "GET", path: "/v1/workers", scopes: forFigures, summary: "The workers", do: s.workers,
				gives: jsonOf([]api.Worker{})},
			route{method: "PUT", path: "/v1/workers/{worker}/out", scopes: []Scope{Admin},
				summary: "Take a worker out: it gets no work items, and those that it has go to others", do: s.removeWorker,
				takes: jsonOf(api.Removal{}), gives: jsonOf(api.Worker{})},
			route{method: "DELETE", path: "/v1/workers/{worker}/out", scopes: []Scope{Admin},
				summary: "Put a worker back that was taken out by a request, or because its results differ from those of others",
				do:      s.restoreWorker, gives: jsonOf(api.Worker{})},
			route{method: "POST", path: "/v1/workers", scopes: []Scope{Worker},
				summary: "Register a worker; for judged worker, of the same version", do: s.register,
				takes: jsonOf(api.Registration{}), gives: jsonOf(api.Admission{})},
			route{method: "PUT", path: "/v1/workers/{worker}/calibration", scopes: []Scope{Worker}, workers: true,
				summary: "The times of programs of known work on a worker, which decide its machine class; for judged worker",
				do:      own(s.calibration),
				takes:   jsonOf(api.Calibration{}), gives: jsonOf(api.Placement{})})
		all = append(all, s.leaseRoutes()...)
	}
	return all
}

// leaseRoutes are the addresses of work items of workers.
func (s *Server) leaseRoutes() []route {
	l := &leases{s.Workers, cmp.Or(s.Poll, queue.PollTime), s.readBody}
	one := func(path, summary string, do func(w http.ResponseWriter, r *http.Request, worker string),
		takes, gives *content, also ...answer) route {
		r := route{method: "POST", path: path, scopes: []Scope{Worker}, workers: true,
			summary: summary + "; for judged worker", do: own(do), takes: takes, gives: gives, also: also}
		if gives == nil {
			r.status = http.StatusNoContent
		}
		return r
	}
	return []route{
		one("/v1/workers/{worker}/lease", "Get a work item, or wait 25 s for one", l.lease, nil, jsonOf(api.Lease{}),
			answer{http.StatusNoContent, "There is none; ask again", nil}),
		one("/v1/workers/{worker}/leave", "End the waiting for work items", l.leave, nil, nil),
		one("/v1/workers/{worker}/alive", "Say that the worker has leases; the answer has those that have ended", l.alive,
			jsonOf(api.Leases{}), jsonOf(api.Leases{})),
		one("/v1/leases/{lease}/results", "Lines of the answer to a work item; ?number= numbers the requests from 0",
			l.result, ndjson, nil),
		one("/v1/leases/{lease}/verdict", "The last lines of the answer, after ?results= requests with others", l.verdict,
			ndjson, jsonOf(api.Settlement{})),
		one("/v1/leases/{lease}/release", "Give a work item to another worker", l.release, jsonOf(api.Release{}), nil),
	}
}

// judgingRoutes are the addresses of judgements and executions.
func (s *Server) judgingRoutes() []route {
	done := jsonOf(api.Judgement{})
	return []route{
		{method: "PUT", path: "/v1/packages/{digest}", scopes: forOwnData,
			summary: "Send a problem package as a zip of at most 1 GiB; the digest of the zip, hash-size, then names the " +
				"problem", do: s.putPackage,
			takes: &content{"application/zip", nil}, status: http.StatusCreated, gives: jsonOf(api.Problem{})},
		{method: "GET", path: "/v1/problems", scopes: forAll,
			summary: "The ids and digests of the problems that the token shows", do: s.problems, gives: jsonOf([]api.Problem{})},
		{method: "GET", path: "/v1/problems/{problem}", scopes: forAll, summary: "A problem by its id or digest",
			do: s.problem, gives: jsonOf(api.Problem{})},
		{method: "POST", path: "/v1/judgements", scopes: forJudgements,
			summary: "Judge a program on a problem; that of a student has sources and a problem of the server",
			do:      s.limited(s.postJudgement), takes: jsonOf(api.Request{}), gives: done,
			headers: []header{{"Idempotency-Key",
				"names the request: sent again with the same key, also after a restart of the server, it returns the same " +
					"judgement"}},
			also: []answer{{http.StatusAccepted, "The judgement has not ended; Location is its address", done}}},
		{method: "POST", path: "/v1/judgements:batch", scopes: forJudgements,
			summary: "Judge many programs: a Request in each line; each line of the answer is a BatchLine, in the order in " +
				"which the judgements end", do: s.limited(s.postBatch),
			takes: &content{ndjson.kind, api.Request{}}, gives: &content{ndjson.kind, api.BatchLine{}}},
		{method: "GET", path: "/v1/judgements/{id}", scopes: forJudgements,
			summary: "A judgement as it is now, as far as the token shows it", do: s.getJudgement,
			gives:   done,
			headers: []header{{"If-None-Match", "the ETag of an earlier answer"}},
			also:    []answer{{http.StatusNotModified, "It is as in that answer", nil}}},
		{method: "DELETE", path: "/v1/judgements/{id}", scopes: forJudgements,
			summary: "Cancel a judgement of the same token, or any as admin; one that has ended stays",
			do:      s.deleteJudgement, gives: done},
		{method: "GET", path: "/v1/judgements/{id}/events", scopes: forJudgements,
			summary: "Server-sent events: each run as it ends (event run), then the judgement (event judgement); with " +
				"?parts=1 the answer ends within 25 s, perhaps before that (event more): ask again", do: s.events,
			gives: &content{"text/event-stream", nil},
			headers: []header{{"Last-Event-ID",
				"continues after this event; with the id of an event before a restart of the server, all events are sent"}}},
		{method: "POST", path: "/v1/executions", scopes: forOwnData, summary: "Run a program once, without a problem",
			do: s.limited(s.execute), takes: jsonOf(api.Execution{}), gives: jsonOf(api.Executed{})},
	}
}

// handlerOf returns the handler of a route, which checks the token.
func (s *Server) handlerOf(r *route) http.Handler {
	if len(r.scopes) == 0 {
		return r.do
	}
	do := s.admitted(r.do)
	others := s.needs(r.scopes, do)
	if r.workers {
		others = s.reads(r.scopes, do)
	}
	if !r.peers || s.Peers == nil {
		return others
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Peers.is(bearer(r)) {
			do(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// noRoute answers requests to addresses that the server does not have.
func noRoute(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{"GET", "PUT", "POST", "DELETE"} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		blob.NewProblem(http.StatusMethodNotAllowed, "%s %q: expected %s", r.Method, r.URL.Path,
			strings.Join(allowed, ", ")).Write(w)
		return
	}
	blob.NewProblem(http.StatusNotFound, "%s %q: there is no such address", r.Method, r.URL.Path).Write(w)
}

// needs answers requests whose bearer token permits one of some scopes.
func (s *Server) needs(scopes []Scope, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, err := s.Tokens.Find(bearer(r), scopes...)
		if err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			blob.WriteError(w, http.StatusInternalServerError, err)
			return
		}
		UsedBy(r, token.Name)
		next(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, token)))
	})
}

// bearer returns the secret of a request. The fingerprint of its token is for the client.
func bearer(r *http.Request) string {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	secret, _, _ := api.SplitToken(token)
	return secret
}

// reads answers requests with a token of one of the scopes, and those of workers.
func (s *Server) reads(scopes []Scope, next http.HandlerFunc) http.Handler {
	others := s.needs(scopes, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Workers != nil {
			name, ok, err := s.Workers.Find(bearer(r))
			if err != nil {
				refuse(w, err)
				return
			}
			if ok {
				r = r.WithContext(context.WithValue(r.Context(), workerKey{}, name))
				UsedBy(r, clientOf(r))
				next(w, r)
				return
			}
		}
		others.ServeHTTP(w, r)
	})
}

// admitted answers requests whose bodies have a place.
func (s *Server) admitted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if b, ok := r.Body.(*intake); ok {
			leave, err := s.senders.enter(r.Context(), clientOf(r))
			if err != nil {
				refuse(w, err)
				return
			}
			b.admit(s.senders.Stall, leave)
		}
		next(w, r)
	}
}

// Errors for blobs that somebody must not read.
var (
	errNotOwn = errors.New("a worker reads the files of its own work items only")
	errNotAll = errors.New("files are of all problems: expected a token with scope jury of all")
)

// allowed is that of [blob.Options].
func (s *Server) allowed(r *http.Request, d blob.Digest, write bool) error {
	name, ok := r.Context().Value(workerKey{}).(string)
	switch {
	case !ok && (write || s.Peers.is(bearer(r)) || tokenOf(r).JudgesAll()):
		return nil
	case !ok:
		return errNotAll
	case write || s.Grants == nil:
		return errNotOwn
	case s.Grants.reads(name, d):
		return nil
	}
	if err := s.recall(r, name); err != nil {
		return err
	}
	if s.Grants.reads(name, d) {
		return nil
	}
	if trees := s.Grants.unread(name); s.Peers != nil && len(trees) > 0 { // other servers may have them
		if err := s.Peers.fetch(r.Context(), s.Store, trees...); err != nil {
			return err
		}
		if s.Grants.reads(name, d) {
			return nil
		}
		if len(s.Grants.unread(name)) > 0 {
			return errElsewhere
		}
	}
	return errNotOwn
}

// recall grants a worker the item of the lease that its request names: another server may have
// given it, or this one before it was started again.
func (s *Server) recall(r *http.Request, worker string) error {
	lease := r.Header.Get(blob.LeaseHeader)
	if lease == "" || s.Workers == nil || s.Workers.Queue == nil {
		return nil
	}
	it, err := s.Workers.Queue.ItemOf(r.Context(), worker, lease)
	switch {
	case errors.Is(err, queue.ErrNoLease):
		return errNotOwn
	case err != nil:
		s.Workers.log().Warn("a worker gets no file; it asks again", "worker", worker, "error", err)
		return blob.NewProblem(http.StatusServiceUnavailable, "the queue: %v", err)
	}
	s.Grants.Leased(worker, it)
	return nil
}

// errElsewhere is the error for the files of a work item whose server has just ended. Another
// server takes the judgement over, and then has them.
var errElsewhere = blob.NewProblem(http.StatusServiceUnavailable, "a file of the work item is on no living server now")

// fetch is that of [blob.Options]. Servers that ask each other get what is there.
func (s *Server) fetch(r *http.Request, d blob.Digest) error {
	if s.Peers == nil || s.Peers.is(bearer(r)) {
		return nil
	}
	err := s.Peers.fetch(r.Context(), s.Store, d)
	if _, ok := r.Context().Value(workerKey{}).(string); err == nil && ok && !s.Store.Has(d) {
		return errElsewhere
	}
	return err
}

// copyFiles copies files from other servers, for one of them.
func (s *Server) copyFiles(w http.ResponseWriter, r *http.Request) {
	var given copyRequest
	err := s.decode(r, &given)
	if err == nil {
		err = s.Peers.copyFiles(r.Context(), s.Store, &given)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
