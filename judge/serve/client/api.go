package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// Bounds of the answers that are read, in bytes.
const (
	maxSmall  = 16 << 20  // descriptions of servers and workers
	maxAnswer = 256 << 20 // others, and each line of them
)

// call sends a request with the JSON of given, if that is not nil, and reads the JSON of
// the answer, of at most so many bytes.
func (c *Client) call(ctx context.Context, most int64, method, path string, given, answer any,
	headers ...string) error {
	var body io.Reader
	if given != nil {
		data, err := json.Marshal(given)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	r, err := c.send(ctx, method, path, body, headers...)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if err := json.NewDecoder(io.LimitReader(r.Body, most)).Decode(answer); err != nil {
		return fmt.Errorf("%s: %w", c.URL, err)
	}
	return nil
}

// send sends a request; headers are names and values. The error is a [*blob.Problem] if
// the server refuses.
func (c *Client) send(ctx context.Context, method, path string, body io.Reader,
	headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.servers.all[0]+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := c.HTTP.Do(r)
	if dial, is := errors.AsType[*net.OpError](err); is && dial.Op == "dial" {
		return nil, fmt.Errorf("no server at %s: %w; is judged serve running there?", c.URL, dial)
	}
	if _, fingerprint, _ := api.SplitToken(c.Token); fingerprint == "" && IsUntrusted(err) {
		err = fmt.Errorf("%w; if the server made its certificate, expected a token with its fingerprint, as judged "+
			"serve prints it", err)
	}
	if err != nil {
		return nil, err
	}
	c.answered.Store(true)
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		from := strings.TrimSuffix(response.Request.URL.String(), path)
		return nil, fmt.Errorf("%s: %w", from, blob.ProblemOf(response))
	}
	return response, nil
}

// Problems returns the ids and digests of the server's problems.
func (c *Client) Problems(ctx context.Context) (all []api.Problem, err error) {
	return all, c.call(ctx, maxAnswer, "GET", "/v1/problems", nil, &all)
}

// Problem returns a problem by its id or digest.
func (c *Client) Problem(ctx context.Context, name string) (*api.Problem, error) {
	p := new(api.Problem)
	return p, c.call(ctx, maxAnswer, "GET", "/v1/problems/"+url.PathEscape(name), nil, p)
}

// PutPackage sends a problem package: the bytes of a zip. Requests name it by its digest.
func (c *Client) PutPackage(ctx context.Context, zip []byte) (*api.Problem, error) {
	r, err := c.send(ctx, "PUT", "/v1/packages/"+blob.Of(zip).String(), bytes.NewReader(zip), "Content-Type",
		"application/zip")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	p := new(api.Problem)
	return p, json.NewDecoder(io.LimitReader(r.Body, maxAnswer)).Decode(p)
}

// Judge begins a judgement and waits for it as long as the request asks for. If key is
// not "", another call with the same key and request returns the same judgement.
func (c *Client) Judge(ctx context.Context, r *api.Request, key string) (*api.Judgement, error) {
	g := new(api.Judgement)
	return g, c.call(ctx, maxAnswer, "POST", "/v1/judgements", r, g, "Idempotency-Key", key)
}

// Judgement returns a judgement as it is now.
func (c *Client) Judgement(ctx context.Context, id string) (*api.Judgement, error) {
	g := new(api.Judgement)
	return g, c.call(ctx, maxAnswer, "GET", "/v1/judgements/"+url.PathEscape(id), nil, g)
}

// Cancel cancels a judgement. One that has ended stays as it is.
func (c *Client) Cancel(ctx context.Context, id string) (*api.Judgement, error) {
	g := new(api.Judgement)
	return g, c.call(ctx, maxAnswer, "DELETE", "/v1/judgements/"+url.PathEscape(id), nil, g)
}

// Events calls ran with the JSON of each run of a judgement as it ends, in the form of
// the runs of a document of schema 1, and returns the judgement when it has ended. After
// is the number of runs that the caller has from an earlier call; 0 means none. If the
// server has begun the judgement again meanwhile, see [api.Judgement], it sends all runs.
func (c *Client) Events(ctx context.Context, id string, after int,
	ran func(json.RawMessage) error) (*api.Judgement, error) {
	return c.events(ctx, id, after, func() {}, ran)
}

func (c *Client) events(ctx context.Context, id string, after int, progress func(),
	ran func(json.RawMessage) error) (*api.Judgement, error) {
	last := ""
	if after > 0 {
		last = strconv.Itoa(after)
	}
	kind := "more"
	g := new(api.Judgement)
	err := c.parts(ctx, func(ctx context.Context) (*http.Response, error) {
		if kind != "more" {
			return nil, nil
		}
		kind = ""
		return c.send(ctx, "GET", "/v1/judgements/"+url.PathEscape(id)+"/events?parts=1", nil, "Last-Event-ID", last)
	}, progress, func(line []byte) error {
		name, value, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), ": ")
		switch {
		case name == "id":
			last = value
		case name == "event":
			kind = value
		case name == "data" && kind == "run":
			return ran(json.RawMessage(value))
		case name == "data" && kind == "judgement":
			return json.Unmarshal([]byte(value), g)
		}
		return nil
	})
	if err == nil && g.ID == "" {
		err = fmt.Errorf("%s: the events end without a judgement", c.URL)
	}
	return g, err
}

// lateTime is the longest wait for a server after a context has ended, to cancel judgements.
const lateTime = 5 * time.Second

// Follow calls ran with each run of a judgement as Events does, and returns the judgement
// when it has ended. It connects again as Do does. If ctx ends, it cancels the judgement.
func (c *Client) Follow(ctx context.Context, id string, ran func(json.RawMessage) error) (g *api.Judgement, err error) {
	runs := 0
	err = c.again(ctx, func(ctx context.Context, progress func()) (err error) {
		g, err = c.events(ctx, id, runs, progress, func(run json.RawMessage) error {
			runs++
			progress()
			return ran(run)
		})
		return err
	})
	if ctx.Err() != nil {
		late, stop := context.WithTimeout(context.WithoutCancel(ctx), lateTime)
		defer stop()
		if _, failed := c.Cancel(late, id); failed != nil {
			err = errors.Join(err, fmt.Errorf("judgement %s goes on: %w", id, failed))
		}
	}
	return g, err
}

// Execute runs a program once, without a problem.
func (c *Client) Execute(ctx context.Context, e *api.Execution) (*api.Executed, error) {
	done := new(api.Executed)
	return done, c.call(ctx, maxAnswer, "POST", "/v1/executions", e, done)
}

// atOnce is the number of judgements of a batch that are under way, or as many as there are
// slots. The server runs so many of a token.
const atOnce = 64

// Batch judges requests and calls each with the answers, in the order in which the
// judgements end. Next returns the next request, or nil after the last one. The calls of
// next and each do not overlap. It follows each judgement as Follow does. When Batch returns,
// the rest is cancelled.
func (c *Client) Batch(ctx context.Context, next func() *api.Request, each func(*api.BatchLine) error) error {
	slots, err := c.Slots(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var calling sync.Mutex
	var judging sync.WaitGroup
	for range max(atOnce, slots) {
		judging.Go(func() {
			for {
				calling.Lock()
				var r *api.Request
				if ctx.Err() == nil {
					r = next()
				}
				calling.Unlock()
				if r == nil {
					return
				}
				l, err := c.judged(ctx, r)
				calling.Lock()
				if err == nil && ctx.Err() == nil {
					err = each(l)
				}
				if err != nil {
					cancel(err)
				}
				calling.Unlock()
			}
		})
	}
	judging.Wait()
	return context.Cause(ctx)
}

// judged makes the judgement of a line of a batch.
func (c *Client) judged(ctx context.Context, line *api.Request) (*api.BatchLine, error) {
	r, l := *line, &api.BatchLine{ID: line.ID}
	r.Key, r.Wait = "", 2 // most have ended then: one request is enough
	key := cmp.Or(line.Key, rand.Text())
	begin := func(ctx context.Context, _ func()) (err error) {
		one, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), silence,
			fmt.Errorf("%s: no answer for %v", c.URL, silence))
		defer cancel()
		// The answer says which judgement Follow cancels when ctx has ended.
		defer context.AfterFunc(ctx, func() { time.AfterFunc(lateTime, cancel) })()
		l.Judgement, err = c.Judge(one, &r, key)
		p, is := errors.AsType[*blob.Problem](err)
		if is && p.Status <= http.StatusInternalServerError && p.Status != http.StatusTooManyRequests {
			l.Judgement, l.Error, err = nil, p, nil // of this line alone
		}
		return err
	}
	err := c.again(ctx, begin)
	for p := new(blob.Problem); errors.As(err, &p) && p.Status == http.StatusTooManyRequests; {
		err = c.again(ctx, begin) // what others do for this client ends some day
	}
	if err == nil && l.Error == nil && l.Judgement.Ended == nil {
		l.Judgement, err = c.Follow(ctx, l.Judgement.ID, func(json.RawMessage) error { return nil })
	}
	return l, err
}
