package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// Limits bound what clients send. A field that is 0 has its value of [DefaultLimits].
type Limits struct {
	Body     int64         // bytes of a body that is kept in memory, and of a line of a batch
	Waiting  int64         // bytes of a client in memory: bodies without an answer, sources of judgements
	Requests int           // requests of a client whose bodies have not arrived
	Stall    time.Duration // without a byte, after which a body is given up
}

// DefaultLimits are the limits of a server that sets none.
var DefaultLimits = Limits{Body: 64 << 20, Waiting: 256 << 20, Requests: 16, Stall: 30 * time.Second}

func (l *Limits) complete() {
	l.Body, l.Waiting = cmp.Or(l.Body, DefaultLimits.Body), cmp.Or(l.Waiting, DefaultLimits.Waiting)
	l.Requests, l.Stall = cmp.Or(l.Requests, DefaultLimits.Requests), cmp.Or(l.Stall, DefaultLimits.Stall)
}

// unread is how long the server waits for the rest of a body that no handler reads, and for
// a request of the same client whose body has not arrived.
const unread = time.Second

// An intake is the body of a request. Until the server knows whose it is, nobody may take
// long to send it.
type intake struct {
	io.ReadCloser
	to *http.ResponseController

	mu      sync.Mutex
	ended   bool // the handler reads no more
	arrived bool // up to its end
	stall   time.Duration
	until   time.Time // the deadline of the handler, if that is earlier; zero is none
	release func()    // ends the place of the body among those of its client; nil has none
}

// Read implements [io.Reader]. The deadline moves with each call.
func (b *intake) Read(p []byte) (int, error) {
	b.extend()
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.end(true)
	} else if err != nil {
		b.end(false)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = blob.NewProblem(http.StatusRequestTimeout, "the body stalls: expected its next byte within %v", b.stall)
	}
	return n, err
}

// extend gives the next byte as much time as any other.
func (b *intake) extend() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return // the connection may be waiting for the next request
	}
	at := time.Now().Add(b.stall)
	if !b.until.IsZero() && b.until.Before(at) {
		at = b.until
	}
	b.to.SetReadDeadline(at)
}

// end ends the use of a body. If it has not arrived, the server waits for the rest, for a
// short time, so that the client reads the answer.
func (b *intake) end(arrived bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended, b.arrived = true, arrived
	if arrived {
		b.to.SetReadDeadline(time.Time{})
	} else {
		b.to.SetReadDeadline(time.Now().Add(unread))
	}
	if b.release != nil {
		b.release()
	}
}

// admit gives a body that has a place more time. Leave ends the place.
func (b *intake) admit(stall time.Duration, leave func()) {
	b.mu.Lock()
	b.stall, b.release = stall, leave
	b.mu.Unlock()
	b.extend()
}

// hasArrived reports whether the handler has read the body to its end.
func (b *intake) hasArrived() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.arrived
}

// A sender is a client that sends requests: a token, a worker, or an address.
type sender struct {
	users   int           // requests that have a place or wait for one
	bodies  chan struct{} // has a value for each body that has a place
	waiting int64         // bytes in memory
}

// senders are the clients with requests or judgements under way.
type senders struct {
	Limits

	mu  sync.Mutex
	all map[string]*sender
}

// change changes what is known of a client.
func (c *senders) change(name string, change func(*sender)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.all[name]
	if one == nil {
		if c.all == nil {
			c.all = make(map[string]*sender)
		}
		one = &sender{bodies: make(chan struct{}, c.Requests)}
		c.all[name] = one
	}
	if change(one); one.users == 0 && one.waiting == 0 {
		delete(c.all, name)
	}
}

// keep counts bytes of a client that stay in memory until free is called. The error is a
// [*blob.Problem].
func (c *senders) keep(name string, bytes int64) (err error) {
	c.change(name, func(one *sender) {
		if one.waiting+bytes > c.Waiting {
			err = blob.NewProblem(http.StatusTooManyRequests, "%s of requests of this client wait: expected at most %s",
				terminal.Bytes(one.waiting+bytes), terminal.Bytes(c.Waiting))
			return
		}
		one.waiting += bytes
	})
	return err
}

// free ends that. With a negative number it counts bytes without a limit.
func (c *senders) free(name string, bytes int64) {
	c.change(name, func(one *sender) { one.waiting -= bytes })
}

// enter waits for a place among the requests of a client whose bodies have not arrived. The
// error is a [*blob.Problem].
func (c *senders) enter(ctx context.Context, name string) (leave func(), err error) {
	var bodies chan struct{}
	c.change(name, func(one *sender) {
		one.users++
		bodies = one.bodies
	})
	left := func() { c.change(name, func(one *sender) { one.users-- }) }
	late := time.NewTimer(unread)
	defer late.Stop()
	select {
	case bodies <- struct{}{}:
		return func() { <-bodies; left() }, nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-late.C:
		err = blob.NewProblem(http.StatusTooManyRequests,
			"the bodies of %d requests of this client have not arrived: expected at most that many", c.Requests)
	}
	left()
	return nil, err
}

// A keptReader counts what is read from it as bytes of a client in memory.
type keptReader struct {
	io.Reader
	of    *senders
	name  string
	bytes int64
}

func (k *keptReader) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if full := k.of.keep(k.name, int64(n)); full != nil {
		return 0, full
	}
	k.bytes += int64(n)
	return n, err
}

// Connections bounds the connections of a server: with too many, the one that has been
// silent for the longest time is closed, so that others are answered. If none is silent, it is
// one of the client that has most of them.
type Connections struct {
	Most int

	mu     sync.Mutex
	all    map[net.Conn]string    // the client of the last request; "" is not known
	silent map[net.Conn]time.Time // those without a request, since when
}

// connectionKey is that of a request's context for what notes whose it is.
type connectionKey struct{}

// Context is that of [http.Server.ConnContext].
func (c *Connections) Context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, func(client string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, open := c.all[conn]; open {
			c.all[conn] = client
		}
	})
}

// UsedBy notes that a request is one of a client, for [Connections].
func UsedBy(r *http.Request, client string) {
	if used, ok := r.Context().Value(connectionKey{}).(func(string)); ok {
		used(client)
	}
}

// Changed is that of [http.Server.ConnState].
func (c *Connections) Changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all, c.silent = make(map[net.Conn]string), make(map[net.Conn]time.Time)
	}
	delete(c.silent, conn)
	switch state {
	case http.StateNew:
		c.all[conn], c.silent[conn] = "", time.Now()
	case http.StateIdle:
		if _, open := c.all[conn]; open {
			c.silent[conn] = time.Now()
		}
	case http.StateClosed, http.StateHijacked:
		delete(c.all, conn)
	}
	if len(c.all) <= c.Most {
		return
	}
	least := c.dispensable(conn)
	delete(c.all, least)
	delete(c.silent, least)
	go least.Close() // that of TLS may wait
}

// dispensable returns the connection that is closed when a new one is too many. The caller holds
// c.mu.
func (c *Connections) dispensable(last net.Conn) (one net.Conn) {
	one = last
	for other, since := range c.silent {
		if since.Before(c.silent[one]) {
			one = other
		}
	}
	if one != last {
		return one
	}
	count, most := make(map[string]int), 1
	for other, client := range c.all {
		if count[client]++; other != last && count[client] > most {
			one, most = other, count[client]
		}
	}
	return one
}
