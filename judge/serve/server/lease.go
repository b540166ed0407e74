package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// leaseRoutes are the addresses of workers.
func (s *Server) leaseRoutes() []route {
	one := func(path, summary string, do func(w http.ResponseWriter, r *http.Request, worker string), takes, gives *content,
		also ...answer) route {
		r := route{method: "POST", path: path, scope: Worker, workers: true, summary: summary + "; for judged worker",
			do: s.own(do), takes: takes, gives: gives, also: also}
		if gives == nil {
			r.status = http.StatusNoContent
		}
		return r
	}
	return []route{
		one("/v1/workers/{worker}/lease", "Get a work item, or wait 25 s for one", s.lease, nil, jsonOf(api.Lease{}),
			answer{http.StatusNoContent, "There is none; ask again", nil}),
		one("/v1/workers/{worker}/leave", "End the waiting for work items", s.leave, nil, nil),
		one("/v1/workers/{worker}/alive", "Say that the worker has leases; the answer has those that have ended", s.alive,
			jsonOf(api.Leases{}), jsonOf(api.Leases{})),
		one("/v1/leases/{lease}/results", "Lines of the answer to a work item; ?number= numbers the requests from 0",
			s.result, ndjson, nil),
		one("/v1/leases/{lease}/verdict", "The last lines of the answer, after ?results= requests with others", s.verdict,
			ndjson, jsonOf(api.Settlement{})),
		one("/v1/leases/{lease}/release", "Give a work item to another worker", s.release, jsonOf(api.Release{}), nil),
	}
}

// own answers requests with the token of a worker, about that worker.
func (s *Server) own(do func(w http.ResponseWriter, r *http.Request, worker string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name, is := r.Context().Value(workerKey{}).(string)
		switch of := r.PathValue("worker"); {
		case !is:
			refuse(w, blob.NewProblem(http.StatusForbidden, "expected the token of a worker, which POST /v1/workers answers"))
		case of != "" && of != name:
			refuse(w, blob.NewProblem(http.StatusForbidden, "the token is that of worker %s: expected that of %s", name, of))
		default:
			do(w, r, name)
		}
	}
}

// lease answers with a work item.
func (s *Server) lease(w http.ResponseWriter, r *http.Request, worker string) {
	p := s.Workers.poll(worker)
	if p == nil {
		refuse(w, blob.NewProblem(http.StatusNotFound, "worker %q has not registered", worker))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), queue.PollTime)
	defer cancel()
	l, err := s.Workers.Queue.Lease(ctx, *p)
	if err == nil && l != nil && (s.Workers.isOut(worker) || r.Context().Err() != nil) {
		err = s.Workers.Queue.Release(context.WithoutCancel(ctx), worker, l.ID, true, "the worker does not wait any more")
		l = nil
	}
	switch {
	case err != nil:
		refuse(w, blob.NewProblem(http.StatusServiceUnavailable, "the queue: %v", err))
	case l == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		writeJSON(w, http.StatusOK, &api.Lease{ID: l.ID, Delivery: l.Delivery, Alive: l.Alive.Seconds(),
			Stall: l.Stall.Seconds(), Item: l.Item.Payload})
	}
}

// leave ends the polls of a worker.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, worker string) {
	s.Workers.Queue.Refuse(worker)
	w.WriteHeader(http.StatusNoContent)
}

// alive keeps the leases of a worker. One that was taken out has none.
func (s *Server) alive(w http.ResponseWriter, r *http.Request, worker string) {
	var given api.Leases
	err := s.decode(r, &given)
	ended := given.IDs
	if err == nil && s.Workers.isOut(worker) {
		s.Workers.Queue.Withdraw(r.Context(), worker)
	} else if err == nil {
		ended, err = s.Workers.Queue.Alive(r.Context(), worker, given.IDs)
	}
	if err != nil {
		s.refuseLease(w, err)
		return
	}
	writeJSON(w, http.StatusOK, &api.Leases{IDs: append([]string{}, ended...)})
}

// result stores lines of an answer.
func (s *Server) result(w http.ResponseWriter, r *http.Request, worker string) {
	number, data, err := s.readLines(r, "number")
	if err == nil {
		err = s.Workers.Queue.Result(r.Context(), worker, r.PathValue("lease"), number, data)
	}
	if err != nil {
		s.refuseLease(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// verdict stores the last lines of an answer. Those of a worker that was taken out do not
// count.
func (s *Server) verdict(w http.ResponseWriter, r *http.Request, worker string) {
	results, data, err := s.readLines(r, "results")
	counts, id := false, r.PathValue("lease")
	ctx := context.WithoutCancel(r.Context()) // or a worker whose connection breaks would be in doubt
	if err == nil && s.Workers.isOut(worker) {
		err = s.Workers.Queue.Release(ctx, worker, id, true, "the worker was taken out")
	} else if err == nil {
		counts, err = s.Workers.Queue.Verdict(ctx, worker, id, results, data)
	}
	if err != nil {
		s.refuseLease(w, err)
		return
	}
	writeJSON(w, http.StatusOK, &api.Settlement{Counts: counts})
}

// release gives an item to another worker.
func (s *Server) release(w http.ResponseWriter, r *http.Request, worker string) {
	var given api.Release
	err := s.decode(r, &given)
	if err == nil {
		err = s.Workers.Queue.Release(r.Context(), worker, r.PathValue("lease"), given.Returned, given.Why)
	}
	if err != nil {
		s.refuseLease(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// readLines returns the lines of a request, and the number in its address.
func (s *Server) readLines(r *http.Request, name string) (n int, lines []byte, err error) {
	n, err = strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return 0, nil, blob.NewProblem(http.StatusBadRequest, "%s=%.20q: expected a number from 0", name,
			r.URL.Query().Get(name))
	}
	lines, err = s.readBody(r, queue.MaxVerdict)
	return n, lines, err
}

// refuseLease answers a worker. A queue that fails is asked again.
func (s *Server) refuseLease(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, queue.ErrNoLease):
		err = blob.NewProblem(http.StatusGone, "the lease has ended, or is not one of this worker")
	case !errors.As(err, new(*blob.Problem)):
		s.Log.Warn("a request of a worker is not answered; it asks again", "error", err)
		err = blob.NewProblem(http.StatusServiceUnavailable, "the queue: %v", err)
	}
	refuse(w, err)
}
