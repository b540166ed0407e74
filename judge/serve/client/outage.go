package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"crucible/judge/serve/blob"
)

// sayAfter is the time without a server after which [Client.Say] is called, and dialTime
// the longest time of one connection: it is called within 5 s.
const (
	sayAfter = 2 * time.Second
	dialTime = 4 * time.Second
)

// An outage is the time in which no connection to the server could be made. All requests
// of a client share it, so that it is reported once and ends all of them at once.
type outage struct {
	mu     sync.Mutex
	timers []*time.Timer // nil unless the last connection failed
	said   bool

	over context.Context // ends when the client gives up; its cause is the reason
	end  context.CancelCauseFunc
}

// dial is that of [http.Transport.DialContext].
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	began := time.Now()
	conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, network, address)
	if err == nil || ctx.Err() == nil {
		c.dialed(began, err)
	}
	return conn, err
}

// dialed notes the result of a connection.
func (c *Client) dialed(began time.Time, err error) {
	o := &c.outage
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		for _, t := range o.timers {
			t.Stop()
		}
		if o.timers = nil; o.said {
			o.said = false
			c.Say(fmt.Sprintf("the server at %s answers again", c.URL))
		}
		return
	}
	if o.timers != nil || o.over.Err() != nil {
		return
	}
	o.timers = []*time.Timer{
		time.AfterFunc(min(sayAfter, c.patience/4)-time.Since(began), func() { c.lost(err) }),
		time.AfterFunc(c.patience-time.Since(began), func() { c.giveUp(err) }),
	}
}

// lost says that there is no server, unless it answers meanwhile.
func (c *Client) lost(err error) {
	c.outage.mu.Lock()
	defer c.outage.mu.Unlock()
	if c.outage.timers != nil && c.Say != nil {
		c.outage.said = true
		c.Say(fmt.Sprintf("no server at %s: %v; it is asked again for %v", c.URL, err, c.patience))
	}
}

// giveUp ends all requests, unless the server answers meanwhile.
func (c *Client) giveUp(err error) {
	o := &c.outage
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.timers != nil {
		o.end(fmt.Errorf("no server at %s for %v: %w", c.URL, c.patience, err))
	}
}

// again calls try again for a minute without progress, and until the client gives up the
// server.
func (c *Client) again(ctx context.Context, try func(ctx context.Context, progress func()) error) error {
	over := c.outage.over
	if over.Err() != nil {
		return context.Cause(over)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(over, func() { cancel(context.Cause(over)) })()
	err := again(ctx, c.patience, func(progress func()) error { return try(ctx, progress) })
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if dial, is := errors.AsType[*net.OpError](err); is && dial.Op == "dial" {
		c.giveUp(dial)
	}
	return err
}

// Upload sends the files of a folder that the server does not have; see
// [blob.Client.UploadTree]. It waits for a server as Do does.
func (c *Client) Upload(ctx context.Context, f *blob.Folder) error {
	return c.again(ctx, func(ctx context.Context, _ func()) error { return c.Blobs().UploadTree(ctx, f) })
}
