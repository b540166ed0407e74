package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// leases answer the requests of workers about their work items.
type leases struct {
	*Workers
	longest time.Duration                                     // of a request for an item
	read    func(r *http.Request, most int64) ([]byte, error) // the body
}

// own answers requests with the token of a worker, about that worker.
func own(do func(w http.ResponseWriter, r *http.Request, worker string)) http.HandlerFunc {
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
func (k *leases) lease(w http.ResponseWriter, r *http.Request, worker string) {
	p := k.poll(worker)
	if p == nil {
		refuse(w, blob.NewProblem(http.StatusNotFound, "worker %q has not registered", worker))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), k.longest)
	defer cancel()
	l, err := k.Queue.Lease(ctx, *p)
	if err == nil && l != nil && (!k.gets(worker, l.Item.Class) || r.Context().Err() != nil) {
		err = k.Queue.Release(context.WithoutCancel(ctx), worker, l.ID, true, "the worker does not wait any more")
		l = nil
	}
	switch {
	case err != nil && !errors.Is(err, queue.ErrClosed):
		k.refuseLease(w, err)
	case l == nil: // the server ends, if it is closed
		w.WriteHeader(http.StatusNoContent)
	default:
		writeJSON(w, http.StatusOK, &api.Lease{ID: l.ID, Delivery: l.Delivery, Alive: l.Alive.Seconds(),
			Stall: l.Stall.Seconds(), Item: l.Item.Payload})
	}
}

// leave ends the polls of a worker.
func (k *leases) leave(w http.ResponseWriter, r *http.Request, worker string) {
	k.Queue.Refuse(worker)
	w.WriteHeader(http.StatusNoContent)
}

// alive keeps the leases of a worker. One that was taken out has none.
func (k *leases) alive(w http.ResponseWriter, r *http.Request, worker string) {
	var given api.Leases
	err := k.decode(r, &given)
	var ended []string
	if err == nil {
		ended, err = k.Queue.Alive(r.Context(), worker, given.IDs)
	}
	if err == nil && k.isOut(worker) {
		k.Queue.Withdraw(r.Context(), worker) // also those of another server, which Alive has found
		ended = given.IDs
	}
	if err != nil {
		k.refuseLease(w, err)
		return
	}
	writeJSON(w, http.StatusOK, &api.Leases{IDs: append([]string{}, ended...)})
}

// result stores lines of an answer.
func (k *leases) result(w http.ResponseWriter, r *http.Request, worker string) {
	number, data, err := k.readLines(r, "number")
	if err == nil {
		err = k.Queue.Result(r.Context(), worker, r.PathValue("lease"), number, data)
	}
	if err != nil {
		k.refuseLease(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// verdict stores the last lines of an answer. Those of a worker that was taken out do not
// count.
func (k *leases) verdict(w http.ResponseWriter, r *http.Request, worker string) {
	results, data, err := k.readLines(r, "results")
	counts, id := false, r.PathValue("lease")
	ctx := context.WithoutCancel(r.Context()) // or a worker whose connection breaks would be in doubt
	if err == nil && k.isOut(worker) {
		err = k.Queue.Release(ctx, worker, id, true, "the worker was taken out")
	} else if err == nil {
		counts, err = k.Queue.Verdict(ctx, worker, id, results, data)
	}
	if err != nil {
		k.refuseLease(w, err)
		return
	}
	writeJSON(w, http.StatusOK, &api.Settlement{Counts: counts})
}

// release gives an item to another worker.
func (k *leases) release(w http.ResponseWriter, r *http.Request, worker string) {
	var given api.Release
	err := k.decode(r, &given)
	if err == nil {
		err = k.Queue.Release(r.Context(), worker, r.PathValue("lease"), given.Returned, given.Why)
	}
	if err != nil {
		k.refuseLease(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// decode reads the JSON of a request.
func (k *leases) decode(r *http.Request, to any) error {
	data, err := k.read(r, 1<<20)
	if err == nil {
		err = parse(data, to)
	}
	return err
}

// readLines returns the lines of a request, and the number in its address.
func (k *leases) readLines(r *http.Request, name string) (n int, lines []byte, err error) {
	n, err = strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return 0, nil, blob.NewProblem(http.StatusBadRequest, "%s=%.20q: expected a number from 0", name,
			r.URL.Query().Get(name))
	}
	lines, err = k.read(r, queue.MaxVerdict)
	return n, lines, err
}

// refuseLease answers a worker. A queue that fails is asked again.
func (k *leases) refuseLease(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, queue.ErrNoLease):
		err = blob.NewProblem(http.StatusGone, "the lease has ended, or is not one of this worker")
	case errors.Is(err, context.Canceled):
		err = blob.NewProblem(http.StatusRequestTimeout, "the client is gone")
	case queue.IsFull(err):
		err = blob.NewProblem(http.StatusInsufficientStorage, "the queue: %v", err)
	case errors.Is(err, queue.ErrTooMuch):
		err = blob.NewProblem(http.StatusRequestEntityTooLarge, "%v", err)
	case !errors.As(err, new(*blob.Problem)):
		k.log().Warn("a request of a worker is not answered; it asks again", "error", err)
		err = blob.NewProblem(http.StatusServiceUnavailable, "the queue: %v", err)
	}
	refuse(w, err)
}
