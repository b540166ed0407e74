package queue

import (
	"context"
	"slices"
	"sync"
)

// A Gate bounds how much of each client is inside, so that others are not behind all of it.
// What waits enters in the order of its priority, and then of its age.
type Gate struct {
	mu      sync.Mutex
	clients map[string]*clientGate
}

type clientGate struct {
	inside, most int
	waiting      []*turn // those that enter first come first
}

// A turn is what waits.
type turn struct {
	priority int
	comes    chan struct{} // closed when it is inside
}

// Enter waits until fewer than most of a client are inside. A high priority goes first.
func (g *Gate) Enter(ctx context.Context, client string, most, priority int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.clients == nil {
		g.clients = make(map[string]*clientGate)
	}
	c := g.clients[client]
	if c == nil {
		c = new(clientGate)
		g.clients[client] = c
	}
	own := &turn{priority, make(chan struct{})}
	at := slices.IndexFunc(c.waiting, func(t *turn) bool { return t.priority < priority })
	if at < 0 {
		at = len(c.waiting)
	}
	c.waiting = slices.Insert(c.waiting, at, own)
	c.most = most
	g.admit(client, c)
	g.mu.Unlock()
	var err error
	select {
	case <-own.comes:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	g.mu.Lock()
	if err == nil {
		return nil
	}
	if at := slices.Index(c.waiting, own); at >= 0 {
		c.waiting = slices.Delete(c.waiting, at, at+1)
	} else {
		c.inside--
	}
	g.admit(client, c)
	return err
}

// Leave makes room for another one of a client.
func (g *Gate) Leave(client string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.clients[client]
	c.inside--
	g.admit(client, c)
}

// admit lets enter what has room, and removes the gate of a client that needs none.
func (g *Gate) admit(client string, c *clientGate) {
	for len(c.waiting) > 0 && c.inside < c.most {
		close(c.waiting[0].comes)
		c.waiting = c.waiting[1:]
		c.inside++
	}
	if c.inside == 0 && len(c.waiting) == 0 {
		delete(g.clients, client)
	}
}
