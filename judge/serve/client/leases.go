package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	data, err := l.post(ctx, l.path("/lease"), nil)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	one := new(api.Lease)
	return one, json.Unmarshal(data, one)
}

// Leave ends the waiting of all calls of Lease.
func (l *Leases) Leave(ctx context.Context) error {
	_, err := l.post(ctx, l.path("/leave"), nil)
	return err
}

// Alive says that the worker has leases. It returns those that have ended.
func (l *Leases) Alive(ctx context.Context, leases []string) (ended []string, err error) {
	var answer api.Leases
	err = l.Client.call(ctx, maxSmall, "POST", l.path("/alive"), &api.Leases{IDs: leases}, &answer)
	return answer.IDs, err
}

// Result sends lines of an answer. Number numbers them, from 0.
func (l *Leases) Result(ctx context.Context, lease string, number int, lines []byte) error {
	_, err := l.post(ctx, leasePath(lease, "/results?number="+strconv.Itoa(number)), lines)
	return err
}

// Verdict sends the last lines, after a number of results, and reports whether they count.
func (l *Leases) Verdict(ctx context.Context, lease string, results int, lines []byte) (counts bool, err error) {
	data, err := l.post(ctx, leasePath(lease, "/verdict?results="+strconv.Itoa(results)), lines)
	if err != nil {
		return false, err
	}
	var s api.Settlement
	err = json.Unmarshal(data, &s)
	return s.Counts, err
}

// Release gives a work item to another worker.
func (l *Leases) Release(ctx context.Context, lease string, returned bool, why string) error {
	data, err := json.Marshal(&api.Release{Returned: returned, Why: why})
	if err != nil {
		return err
	}
	_, err = l.post(ctx, leasePath(lease, "/release"), data)
	return err
}

// post sends a request and reads the answer. A server whose machine is gone does not end a
// connection, so post waits for some time only.
func (l *Leases) post(ctx context.Context, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, silence, fmt.Errorf("%s: no answer for %v", l.Client.URL, silence))
	defer cancel()
	r, err := l.Client.send(ctx, "POST", path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return io.ReadAll(io.LimitReader(r.Body, maxSmall))
}
