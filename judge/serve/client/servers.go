package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
)

// addresses returns the addresses of servers, which have commas between them.
func addresses(list string) (all []*url.URL, err error) {
	for one := range strings.SplitSeq(list, ",") {
		u, err := url.Parse(one)
		switch {
		case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.RawQuery != "", u.Fragment != "",
			u.User != nil:
			return nil, fmt.Errorf("%q: expected the address of a server, like http://127.0.0.1:8520", one)
		}
		all = append(all, u)
	}
	return all, nil
}

// servers are the servers of a cluster, each of which answers each request, or a single one. As
// a transport, they take requests to the first of them, and send them to the one in use. They go
// on to the next one when a connection fails, or a server is about to stop, and stay with it.
type servers struct {
	*http.Transport
	all []string     // the addresses, without / at the end
	use atomic.Int64 // the place in all of the one in use
}

// serverKey is that of a connection's context for the place of its server.
type serverKey struct{}

// RoundTrip implements [http.RoundTripper]. It repeats a request if no server can have begun
// it, or if it says that it may be repeated. Callers repeat others, at the next server then.
func (s *servers) RoundTrip(r *http.Request) (*http.Response, error) {
	path, found := strings.CutPrefix(r.URL.String(), s.all[0])
	if !found || !strings.HasPrefix(path, "/") { // the secret is for these servers alone
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, fmt.Errorf("found a redirect to %s: expected one of %s", r.URL.Redacted(), strings.Join(s.all, ", "))
	}
	at, body := s.use.Load(), r.Body
	for last := at + int64(len(s.all)) - 1; ; at++ {
		place := at % int64(len(s.all))
		sent := r.Clone(context.WithValue(r.Context(), serverKey{}, place))
		u, err := url.Parse(s.all[place] + path)
		if err != nil {
			return nil, err
		}
		sent.URL, sent.Host, sent.Body = u, u.Host, body
		response, err := s.Transport.RoundTrip(sent)
		if err == nil && response.StatusCode != http.StatusBadGateway &&
			response.StatusCode != http.StatusServiceUnavailable {
			response.Body = &answer{response.Body, func(err error) { s.leave(r.Context(), place, err) }}
			return response, nil
		}
		s.leave(r.Context(), place, err)
		if at == last || r.Context().Err() != nil || !isRepeatable(r, err) {
			return response, err
		}
		if response != nil {
			response.Body.Close()
		}
		if r.GetBody != nil {
			if body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// leave goes on to the server after the one at a place, unless another request has, or the
// caller has ended the request. A server that is not trusted is an error, and not left.
func (s *servers) leave(ctx context.Context, place int64, err error) {
	if !errors.Is(context.Cause(ctx), context.Canceled) && !IsUntrusted(err) {
		s.use.CompareAndSwap(place, (place+1)%int64(len(s.all)))
	}
}

// isRepeatable reports whether a request may be sent again after an error; nil is that of a
// server that does not take it.
func isRepeatable(r *http.Request, err error) bool {
	dial, is := errors.AsType[*net.OpError](err)
	unseen := err == nil || is && dial.Op == "dial"
	same := !IsUntrusted(err) && (r.Method == http.MethodGet || r.Header.Get("Idempotency-Key") != "")
	return (unseen || same) && (r.Body == nil || r.Body == http.NoBody || r.GetBody != nil)
}

// An answer is the body of a response. It reports an error of the connection.
type answer struct {
	io.ReadCloser
	failed func(error)
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.failed(err)
	}
	return n, err
}

// Servers returns the addresses of the servers with commas between them, and that of the one
// in use first.
func (c *Client) Servers() string {
	all, at := c.servers.all, c.servers.use.Load()
	return strings.Join(slices.Concat(all[at:], all[:at]), ",")
}
