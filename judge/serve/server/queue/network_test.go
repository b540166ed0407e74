package queue

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// A cable is a connection to a server that can be cut. While it is cut, nothing
// arrives and neither end learns of it, like in a network that loses all packets.
type cable struct {
	mu     sync.Mutex
	whole  chan struct{} // closed while the cable is whole
	listen net.Listener
}

func newCable(t *testing.T, url string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{whole: make(chan struct{}), listen: l}
	close(c.whole)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
			if err != nil {
				near.Close()
				continue
			}
			go c.copy(near, far)
			go c.copy(far, near)
		}
	}()
	return c
}

func (c *cable) url() string { return "nats://" + c.listen.Addr().String() }

func (c *cable) copy(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		c.mu.Lock()
		whole := c.whole
		c.mu.Unlock()
		<-whole
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (c *cable) cut() (join func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole := make(chan struct{})
	c.whole = whole
	return func() { close(whole) }
}

// A worker that loses the network loses its item, and its late verdict is discarded.
func TestNetworkCut(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: "127.0.0.1:0"})
	q := connect(t, s.Connection())
	c := newCable(t, s.URL())
	started := make(chan struct{})
	late := make(chan bool, 1)
	proceed := make(chan struct{})
	startWorker(t, Connection{URL: c.url()}, Worker{ID: "cut"}, func(ctx context.Context, d *Delivery) error {
		close(started)
		<-proceed
		won, err := d.Verdict(ctx, []byte("late"))
		late <- won
		return err
	})
	p := submit(t, q, item("a"))[0]
	<-started
	join := c.cut()
	startWorker(t, s.Connection(), Worker{ID: "second"}, echo)
	if v := verdict(t, p); v.Worker != "second" || v.Attempt != 2 {
		t.Errorf("verdict %+v, expected attempt 2 of the second worker", v)
	}
	join()
	close(proceed)
	select {
	case won := <-late:
		if won {
			t.Error("the late verdict of the worker counts")
		}
	case <-time.After(30 * time.Second):
		t.Error("the worker does not connect again")
	}
}
