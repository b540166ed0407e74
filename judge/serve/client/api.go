package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	last := ""
	if after > 0 {
		last = strconv.Itoa(after)
	}
	kind := "more"
	g := new(api.Judgement)
	line := func(line []byte) error {
		name, value, _ := strings.Cut(string(line), ": ")
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
	}
	for kind == "more" {
		r, err := c.send(ctx, "GET", "/v1/judgements/"+url.PathEscape(id)+"/events?parts=1", nil, "Last-Event-ID", last)
		if err != nil {
			return nil, err
		}
		kind = ""
		err = c.lines(ctx, cancel, r.Body, line)
		r.Body.Close()
		if err != nil {
			return g, err
		}
	}
	if g.ID == "" {
		return g, fmt.Errorf("%s: the events end without a judgement", c.URL)
	}
	return g, nil
}

// Follow calls ran with each run of a judgement as Events does, and returns the judgement
// when it has ended. It connects again as Do does.
func (c *Client) Follow(ctx context.Context, id string, ran func(json.RawMessage) error) (g *api.Judgement, err error) {
	runs := 0
	err = c.again(ctx, func(ctx context.Context, progress func()) (err error) {
		g, err = c.Events(ctx, id, runs, func(run json.RawMessage) error {
			runs++
			progress()
			return ran(run)
		})
		return err
	})
	return g, err
}

// Execute runs a program once, without a problem.
func (c *Client) Execute(ctx context.Context, e *api.Execution) (*api.Executed, error) {
	done := new(api.Executed)
	return done, c.call(ctx, maxAnswer, "POST", "/v1/executions", e, done)
}

// Batch judges requests and calls each with the answers, in the order in which the
// judgements end. Next returns the next request, or nil after the last one. The calls of
// each do not overlap. When Batch returns, the rest is cancelled.
func (c *Client) Batch(ctx context.Context, next func() *api.Request, each func(*api.BatchLine) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	in, out := io.Pipe()
	defer in.Close()
	go func() {
		encoder := json.NewEncoder(out)
		for {
			r := next()
			if r == nil {
				out.Close()
				return
			}
			if err := encoder.Encode(r); err != nil {
				out.CloseWithError(err)
				return
			}
		}
	}()
	r, err := c.send(ctx, "POST", "/v1/judgements:batch", in, "Content-Type", "application/x-ndjson")
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return c.lines(ctx, cancel, r.Body, func(line []byte) error {
		l := new(api.BatchLine)
		if err := json.Unmarshal(line, l); err != nil {
			return fmt.Errorf("%s: the answer to a batch: %w", c.URL, err)
		}
		return each(l)
	})
}

// lines calls each with the lines of an answer that are not empty. It gives up a
// connection without a byte for some time.
func (c *Client) lines(ctx context.Context, cancel context.CancelCauseFunc, body io.Reader,
	each func([]byte) error) error {
	watch := time.AfterFunc(silence, func() { cancel(fmt.Errorf("%s: nothing for %v", c.URL, silence)) })
	defer watch.Stop()
	in := bufio.NewScanner(&progressReader{body, func() { watch.Reset(silence) }})
	in.Buffer(make([]byte, 64<<10), maxAnswer)
	for in.Scan() {
		if len(in.Bytes()) > 0 {
			if err := each(in.Bytes()); err != nil {
				return err
			}
		}
	}
	if err := in.Err(); err != nil {
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			err = cause
		}
		return fmt.Errorf("%s: the answer ends early: %w", c.URL, err)
	}
	return nil
}

// A progressReader calls progress after each read.
type progressReader struct {
	io.Reader
	progress func()
}

func (w *progressReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.progress()
	return n, err
}
