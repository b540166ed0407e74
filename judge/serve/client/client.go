// Package client is the HTTP interface of a judge from Go: see package server.
package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// silence is the time without a byte after which a connection is given up. The server
// sends at least an empty line every 5 s.
const silence = 30 * time.Second

// A Client sends work to a server. It is a [remote.Pool]. Its methods may be called
// concurrently.
type Client struct {
	URL   string // of the server: "http://127.0.0.1:8520"; those of several have commas between them
	Token string // secret
	HTTP  *http.Client

	// Say is called when there is no server for a while, and when it answers again; nil is
	// not.
	Say func(text string)

	servers  servers
	callID   string      // an id of the call of the judge
	answered atomic.Bool // the server has answered a request
	outage   outage
	patience time.Duration // less in tests
}

// New returns a client of a server, or of several servers of a cluster, whose addresses have
// commas between them. It uses the first one that answers, until a connection fails or the
// server is about to stop, and then the next one. A token with a fingerprint, see
// [api.SplitToken], is sent only to servers whose key has it, and by HTTPS, or to this
// machine. New returns an error for what is not the URL of a server, or no token.
func New(server, token string) (*Client, error) {
	all, err := addresses(server)
	if err != nil {
		return nil, err
	}
	_, fingerprint, err := api.SplitToken(token)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", server, err)
	}
	transport := Transport(fingerprint)
	c := &Client{Token: token, HTTP: new(http.Client), servers: servers{Transport: transport}, patience: patience,
		callID: strconv.FormatUint(rand.Uint64(), 36)}
	for _, u := range all {
		if fingerprint != "" && u.Scheme == "http" && !isLoopback(u) {
			return nil, fmt.Errorf("%q: the token has the fingerprint of a certificate, and http sends it in plain text: "+
				"expected https://%s", u, u.Host)
		}
		c.servers.all = append(c.servers.all, strings.TrimSuffix(u.String(), "/"))
	}
	c.URL, c.HTTP.Transport = strings.Join(c.servers.all, ","), &c.servers
	c.outage.over, c.outage.end = context.WithCancelCause(context.Background())
	transport.DialContext = c.dial
	return c, nil
}

// Transport returns what makes connections to servers whose key has a fingerprint; "" is that of
// servers whose certificates the system trusts.
func Transport(fingerprint string) *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	if fingerprint != "" {
		transport.TLSClientConfig = pinned(fingerprint)
	}
	// All requests of HTTP/2 share a connection, which would be kept after the network is cut.
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 5 * time.Second}
	return transport
}

// Blobs returns the client of the server's blobs.
func (c *Client) Blobs() *blob.Client {
	return &blob.Client{URL: c.servers.all[0], Token: c.Token, HTTP: c.HTTP}
}

// Describe asks the server about itself. If it is busy, Describe asks again for 3 s. A
// server that has answered this client before is started again in that time; before its
// first answer, a connection that fails is an error at once.
func (c *Client) Describe(ctx context.Context) (*api.Description, error) {
	d := new(api.Description)
	var none error
	err := again(ctx, restart, func(func()) error {
		err := c.call(ctx, maxSmall, "GET", "/v1/server", nil, d)
		if dial, is := errors.AsType[*net.OpError](err); is && dial.Op == "dial" && !c.answered.Load() {
			none = err
			return nil
		}
		return err
	})
	return d, cmp.Or(none, err)
}

// Slots implements [remote.Pool].
func (c *Client) Slots(ctx context.Context) (int, error) {
	d, err := c.Describe(ctx)
	if err != nil {
		return 0, err
	}
	return max(d.Slots, 1), nil
}

const (
	firstPause = 100 * time.Millisecond // about that before a request is sent again for the first time
	patience   = time.Minute            // without a server or a part of an answer, after which no request is sent again
	restart    = 3 * time.Second        // in which a server is started again
)

// Do implements [remote.Pool]. If the connection breaks, or the server has no room, it
// sends the item again, until there has been no part of an answer for a minute: a server that
// is started again then takes it. Of two runs of a case the first one counts. Without a
// server for a minute, all calls under way end, and later ones fail at once.
func (c *Client) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	data, err := i.Encode()
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	var failed error // of line, or of what the server sent
	err = c.again(ctx, func(ctx context.Context, progress func()) error {
		err := c.once(ctx, data, progress, func(one *remote.Line) error {
			name := ""
			if !one.IsLast() {
				r, err := one.Run()
				if failed = err; err != nil || seen[r.Case] {
					return err
				}
				name = r.Case
			}
			seen[name] = true
			progress()
			failed = line(one)
			return failed
		})
		if seen[""] || failed != nil { // there was a last line, or no other is of use
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return failed
}

// again calls try until it returns nil, the server refuses, ctx ends, or there has been no
// progress for as long as patience. A server that has no room or fails does not refuse; one
// with another certificate does.
func again(ctx context.Context, patience time.Duration, try func(progress func()) error) error {
	last, pause := time.Now(), firstPause
	for {
		err := try(func() { last, pause = time.Now(), firstPause })
		if err == nil || ctx.Err() != nil || blob.IsRefusal(err) || IsUntrusted(err) || time.Since(last) > patience {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		pause = min(2*pause, 5*time.Second)
	}
}

// once sends an item and reads its answer, which the server sends in parts.
func (c *Client) once(ctx context.Context, data []byte, progress func(), line func(*remote.Line) error) error {
	var r *http.Response
	lines, ended := 0, false
	return c.parts(ctx, func(ctx context.Context) (_ *http.Response, err error) {
		switch {
		case r == nil:
			r, err = c.send(ctx, "POST", "/v1/items", bytes.NewReader(data), remote.CallHeader, c.callID)
			return r, err
		case ended:
			return nil, nil
		case r.Header.Get(remote.ItemHeader) == "":
			return nil, fmt.Errorf("%s: the answer to a work item ends before its last line: %w", c.URL, io.ErrUnexpectedEOF)
		}
		more := "/v1/items/" + url.PathEscape(r.Header.Get(remote.ItemHeader)) + "?after=" + strconv.Itoa(lines)
		if r, err = c.send(ctx, "GET", more, nil); err != nil { // which is no refusal of the item
			return nil, fmt.Errorf("the rest of the answer to a work item: %v", err)
		}
		return r, nil
	}, progress, func(one []byte) error {
		lines++
		ended = ended || remote.IsLast(one)
		return line(&remote.Line{Data: one})
	})
}

// parts calls each with the lines of the parts of an answer that are not empty. Next sends the
// request for the next part, and returns nil after the last one. No part takes longer than the
// poll of a worker, so that proxies may pass on whole ones. A connection without a byte for
// some time is given up.
func (c *Client) parts(ctx context.Context, next func(ctx context.Context) (*http.Response, error), progress func(),
	each func([]byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(fmt.Errorf("%s: nothing for %v", c.URL, silence)) })
	defer watch.Stop()
	heard := func() { watch.Reset(silence) }
	for {
		r, err := next(ctx)
		if r != nil && err == nil {
			heard()
			if err = c.lines(&progressReader{r.Body, heard}, each); err == nil {
				progress()
			}
			r.Body.Close()
		}
		switch cause := context.Cause(ctx); {
		case err != nil && cause != nil:
			return cause
		case err != nil || r == nil:
			return err
		}
	}
}

// lines calls each with the lines of a part of an answer.
func (c *Client) lines(body io.Reader, each func([]byte) error) error {
	limited := &io.LimitedReader{R: body}
	for in := bufio.NewReaderSize(limited, 64<<10); ; {
		limited.N = maxAnswer
		one, err := in.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && len(one) == 0:
			return nil
		case err != nil:
			return fmt.Errorf("%s: the answer ends in a line: %w", c.URL, err)
		case len(bytes.TrimSpace(one)) == 0:
			continue
		}
		if err := each(one); err != nil {
			return err
		}
	}
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
