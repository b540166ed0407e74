package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"crucible/judge/serve/api"
)

// Leases are the work items of a worker, whose token the client has.
type Leases struct {
	Client *Client
	Worker string // its name
}

func (l *Leases) path(of string) string { return "/v1/workers/" + url.PathEscape(l.Worker) + of }

func leasePath(id, of string) string { return "/v1/leases/" + url.PathEscape(id) + of }

// Lease waits for a work item, for up to 25 s; nil is none.
func (l *Leases) Lease(ctx context.Context) (*api.Lease, error) {
	r, err := l.Client.send(ctx, "POST", l.path("/lease"), nil)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if r.StatusCode == http.StatusNoContent {
		return nil, nil
	}
	one := new(api.Lease)
	return one, json.NewDecoder(io.LimitReader(r.Body, maxSmall)).Decode(one)
}

// Leave ends the waiting of all calls of Lease.
func (l *Leases) Leave(ctx context.Context) error { return l.post(ctx, l.path("/leave"), nil) }

// Alive says that the worker has leases. It returns those that have ended.
func (l *Leases) Alive(ctx context.Context, leases []string) (ended []string, err error) {
	var answer api.Leases
	err = l.Client.call(ctx, maxSmall, "POST", l.path("/alive"), &api.Leases{IDs: leases}, &answer)
	return answer.IDs, err
}

// Result sends lines of an answer. Number numbers them, from 0.
func (l *Leases) Result(ctx context.Context, lease string, number int, lines []byte) error {
	return l.post(ctx, leasePath(lease, "/results?number="+strconv.Itoa(number)), lines)
}

// Verdict sends the last lines, after a number of results, and reports whether they count.
func (l *Leases) Verdict(ctx context.Context, lease string, results int, lines []byte) (counts bool, err error) {
	r, err := l.Client.send(ctx, "POST", leasePath(lease, "/verdict?results="+strconv.Itoa(results)),
		bytes.NewReader(lines))
	if err != nil {
		return false, err
	}
	defer r.Body.Close()
	var s api.Settlement
	return s.Counts, json.NewDecoder(io.LimitReader(r.Body, maxSmall)).Decode(&s)
}

// Release gives a work item to another worker.
func (l *Leases) Release(ctx context.Context, lease string, returned bool, why string) error {
	data, err := json.Marshal(&api.Release{Returned: returned, Why: why})
	if err != nil {
		return err
	}
	return l.post(ctx, leasePath(lease, "/release"), data)
}

// post sends a request whose answer has no body.
func (l *Leases) post(ctx context.Context, path string, body []byte) error {
	r, err := l.Client.send(ctx, "POST", path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	io.Copy(io.Discard, io.LimitReader(r.Body, maxSmall)) // so that the connection is used again
	return r.Body.Close()
}
