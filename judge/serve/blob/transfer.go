package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A download reads a blob from the server. It hides interruptions: it asks for the rest.
type download struct {
	client *Client
	ctx    context.Context
	digest Digest

	body io.ReadCloser // nil before a request
	at   int64         // bytes that were read
}

func (r *download) Read(p []byte) (n int, err error) {
	// Each call has all attempts again, because the call before it brought bytes.
	err = r.client.retry(r.ctx, func() error {
		if r.body == nil && r.at > 0 && r.at == r.digest.Size {
			return final{io.EOF}
		}
		if r.body == nil {
			if err := r.open(); err != nil {
				return err
			}
		}
		var err error
		n, err = r.body.Read(p)
		r.at += int64(n)
		switch {
		case errors.Is(err, io.EOF) && r.at >= r.digest.Size:
			return final{io.EOF}
		case errors.Is(err, io.EOF):
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			r.Close()
		}
		if n > 0 {
			return nil
		}
		return err
	})
	return n, err
}

// open requests the bytes from r.at on.
func (r *download) open() error {
	path := "/v1/blobs/" + r.digest.String()
	header := http.Header{"Accept-Encoding": {"identity"}}
	if r.at > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", r.at))
	}
	response, err := r.client.send(r.ctx, "GET", path, nil, 0, header)
	if err != nil {
		return err
	}
	skip := r.at // if the server sends everything again
	if response.StatusCode == http.StatusPartialContent {
		skip = 0
		if got := response.Header.Get("Content-Range"); !strings.HasPrefix(got, fmt.Sprintf("bytes %d-", r.at)) {
			err = final{fmt.Errorf("GET %s: found Content-Range %.100q, expected bytes from %d", path, got, r.at)}
		}
	}
	if n := response.ContentLength; err == nil && n >= 0 && n+r.at-skip != r.digest.Size {
		err = final{fmt.Errorf("GET %s: found %d bytes from byte %d, expected %d", path, n, r.at-skip,
			r.digest.Size-r.at+skip)}
	}
	if err == nil {
		_, err = io.CopyN(io.Discard, response.Body, skip)
	}
	if err != nil {
		response.Body.Close()
		return err
	}
	r.body = response.Body
	return nil
}

// Close ends the request, if there is one.
func (r *download) Close() error {
	if r.body == nil {
		return nil
	}
	err := r.body.Close()
	r.body = nil
	return err
}

// send makes one request, whose body has size bytes. A status of 300 or more is an
// error. The request is cancelled when no byte was sent or received for a while.
func (c *Client) send(ctx context.Context, method, path string, body io.ReadCloser, size int64,
	header http.Header) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	stall := cmp.Or(c.Stall, maxStall)
	timer := time.AfterFunc(stall, func() { cancel(fmt.Errorf("no byte for %v", stall)) })
	end := func() {
		timer.Stop()
		cancel(nil)
	}
	if body != nil && size > 0 {
		body = &noticedBody{body, func() { timer.Reset(stall) }, func() {}}
	} else if body != nil {
		body.Close()
		body = http.NoBody // any other would be sent as of unknown size
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, nil)
	if err != nil {
		end()
		return nil, final{err}
	}
	r.Body, r.ContentLength, r.Header = body, size, header
	if c.Token != "" {
		header.Set("Authorization", "Bearer "+c.Token)
	}
	if c.Lease != "" {
		header.Set(LeaseHeader, c.Lease)
	}
	client := c.HTTP
	if client == nil {
		client = pooled()
	}
	response, err := client.Do(r)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = fmt.Errorf("%s %s: %w", method, r.URL.Redacted(), cause)
		}
		end()
		return nil, err
	}
	response.Body = &noticedBody{response.Body, func() { timer.Reset(stall) }, end}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		return nil, &refusal{fmt.Errorf("%s %s: %w", method, r.URL.Redacted(), ProblemOf(response)), response.StatusCode,
			retryAfter(response)}
	}
	return response, nil
}

// noticedBody is a body whose bytes are noticed.
type noticedBody struct {
	io.ReadCloser
	progress, end func()
}

func (b *noticedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.progress()
	}
	return n, err
}

func (b *noticedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// A refusal is the error of a response.
type refusal struct {
	error  // has a *Problem
	status int
	after  time.Duration // of the server; 0 if it asks for no pause
}

func (e *refusal) Unwrap() error { return e.error }

// retryAfter returns the pause that a server asks for.
func retryAfter(r *http.Response) time.Duration {
	text := r.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// final is an error that another attempt would not change.
type final struct{ error }

// busy are the statuses of servers that may do what is asked later.
var busy = []int{http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// retry calls f until it succeeds, or fails for good.
func (c *Client) retry(ctx context.Context, f func() error) error {
	pause := cmp.Or(c.pause, firstPause)
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil {
			return nil
		}
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if f, ok := err.(final); ok {
			return f.error
		}
		wait := pause/2 + rand.N(pause) // or all clients of a server would come back at once
		if r, ok := err.(*refusal); ok {
			if !slices.Contains(busy, r.status) {
				return r.error
			}
			wait = max(wait, min(r.after, maxPause))
		}
		if attempt == cmp.Or(c.Attempts, attempts) {
			return fmt.Errorf("%w (attempt %d)", err, attempt)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
		pause *= 2
	}
}
