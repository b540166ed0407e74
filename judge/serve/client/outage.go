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
// the longest time in which each server is dialled once: it is called within 5 s.
const (
	sayAfter = 2 * time.Second
	dialTime = 3 * time.Second
)

// An outage is the time in which no connection to any server could be made. All requests
// of a client share it, so that it is reported once and ends all of them at once.
type outage struct {
	mu     sync.Mutex
	failed map[int64]bool // the places of servers since the last connection that was made
	timers []*time.Timer  // nil unless all servers have failed
	said   bool

	over context.Context // ends when the client gives up; its cause is the reason
	end  context.CancelCauseFunc
}

// dial is that of [http.Transport.DialContext].
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	began := time.Now()
	each := dialTime / time.Duration(len(c.servers.all))
	conn, err := (&net.Dialer{Timeout: each}).DialContext(ctx, network, address)
	if err == nil || ctx.Err() == nil {
		place, _ := ctx.Value(serverKey{}).(int64)
		c.dialed(place, began, err)
	}
	return conn, err
}

// dialed notes the result of a connection to the server at a place.
func (c *Client) dialed(place int64, began time.Time, err error) {
	o := &c.outage
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		for _, t := range o.timers {
			t.Stop()
		}
		if o.failed, o.timers = nil, nil; o.said {
			o.said = false
			c.Say(fmt.Sprintf("the server at %s answers again", c.URL))
		}
		return
	}
	if o.failed == nil {
		o.failed = make(map[int64]bool)
	}
	if o.failed[place] = true; len(o.failed) < len(c.servers.all) || o.timers != nil || o.over.Err() != nil {
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
