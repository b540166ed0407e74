//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
	"crucible/judge/serve/worker"
)

// A cluster is three NATS servers in processes of their own, which know nothing of the
// judge; two queues and three workers use them.
type cluster struct {
	dir       string
	nodes     []*exec.Cmd
	addresses []string   // for clients, then for the other servers
	before    [][]string // the command that starts each server in its network; nil has none
}

// node is the process of a NATS server: its number, its folder, and all addresses.
func node(args []string) error {
	i, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var addresses []string
	if err := json.Unmarshal([]byte(args[2]), &addresses); err != nil {
		return err
	}
	var routes []*url.URL
	for _, a := range addresses[3:] {
		routes = append(routes, &url.URL{Scheme: "nats", Host: a})
	}
	var ports [2]int
	for k, a := range []string{addresses[i], addresses[3+i]} {
		if _, port, err := net.SplitHostPort(a); err != nil {
			return err
		} else if ports[k], err = strconv.Atoi(port); err != nil {
			return err
		}
	}
	host, _, _ := net.SplitHostPort(addresses[i])
	s, err := server.NewServer(&server.Options{
		ServerName: "n" + args[0], Host: host, Port: ports[0], JetStream: true, StoreDir: args[1], NoLog: true,
		NoSigs: true, Cluster: server.ClusterOpts{Name: "faults", Host: host, Port: ports[1]}, Routes: routes,
	})
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// start starts a server, with the data that it had.
func (c *cluster) start(ctx context.Context, i int) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	addresses, err := json.Marshal(c.addresses)
	if err != nil {
		return err
	}
	var args []string
	if c.before != nil {
		args = slices.Clone(c.before[i])
	}
	args = append(args, own, "node", strconv.Itoa(i), filepath.Join(c.dir, "n"+strconv.Itoa(i)), string(addresses))
	c.nodes[i] = exec.CommandContext(ctx, args[0], args[1:]...)
	c.nodes[i].Stderr = os.Stderr
	return c.nodes[i].Start()
}

// stop kills a server.
func (c *cluster) stop(i int) {
	if c.nodes[i] != nil {
		c.nodes[i].Process.Kill()
		c.nodes[i].Wait()
	}
}

// url is that of all servers.
func (c *cluster) url() string {
	var all []string
	for _, a := range c.addresses[:3] {
		all = append(all, "nats://"+a)
	}
	return strings.Join(all, ",")
}

// answerTime is the longest wait for an answer of the cluster: while it has no leader,
// requests can be lost.
const answerTime = 3 * time.Second

// leader returns the number of the server that leads the stream of items.
func (c *cluster) leader(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := nats.Connect(c.url())
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return 0, err
	}
	s, err := js.Stream(ctx, "CRUCIBLE_ITEMS")
	if err != nil {
		return 0, err
	}
	of := s.CachedInfo().Cluster
	if of == nil || len(of.Leader) != 2 {
		return 0, fmt.Errorf("the stream of items is not on a cluster: %+v", of)
	}
	return int(of.Leader[1] - '0'), nil
}

// leaders stops the leader of three external servers while items are judged, count times,
// and starts it again. It returns how many items are wrong.
func leaders(ctx context.Context, dir string, count int, random *rand.Rand) (wrong int, err error) {
	began := time.Now()
	c := &cluster{dir: dir, nodes: make([]*exec.Cmd, 3)}
	var listeners []net.Listener // together, so that all ports differ
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		listeners = append(listeners, l)
		c.addresses = append(c.addresses, l.Addr().String())
	}
	for _, l := range listeners {
		l.Close()
	}
	defer func() {
		for i := range c.nodes {
			c.stop(i)
		}
	}()
	for i := range c.nodes {
		if err := c.start(ctx, i); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience+time.Duration(count)*time.Minute)
	defer cancel()
	var queues [2]*queue.Queue
	for i := range queues {
		if queues[i], err = startQueue(ctx, c.url(), fmt.Sprint("q", i)); err != nil {
			return 0, err
		}
		defer queues[i].Close()
	}
	q := queues[1]
	work, end := context.WithCancel(ctx)
	defer end()
	for i := range 3 {
		poll := queue.Poll{Worker: fmt.Sprint("w", i), Classes: []string{"any"}, Languages: []string{"none"}, Slots: 2}
		slots := worker.Slots{Source: &balanced{queues, poll}, Number: poll.Slots}
		go slots.Run(work, func(ctx context.Context, d *worker.Delivery) error {
			time.Sleep(20 * time.Millisecond)
			_, err := d.Verdict(ctx, d.Item)
			return err
		})
	}
	var submitted []string
	for f := range count {
		items, err := c.leaderStopped(ctx, q, f, random)
		submitted = append(submitted, items...)
		if err != nil {
			return wrong, err
		}
	}
	h, err := q.History(ctx)
	if err != nil {
		return wrong, err
	}
	bad := h.Check(submitted, nil)
	for _, one := range bad {
		fmt.Println("leader: queue:", one)
	}
	fmt.Printf("%-18s %d faults, %d wrong items; %.1f s each\n", "leader", count, len(bad),
		time.Since(began).Seconds()/float64(count))
	fmt.Printf("queue: %d items, %d verdicts, 0 cancelled; %d wrong\n", len(submitted), len(h.Stored), len(bad))
	return len(bad), nil
}

// startQueue starts a queue when the cluster is ready.
func startQueue(ctx context.Context, urls, name string) (q *queue.Queue, err error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end) &&
		ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		try, cancel := context.WithTimeout(ctx, 10*time.Second)
		q, err = queue.Start(try, queue.Options{URL: urls, Replicas: 3, Name: name, AckWait: 2 * time.Second,
			Sweep: time.Second})
		cancel()
		if err == nil {
			return q, nil
		}
	}
	return nil, fmt.Errorf("the cluster of three servers is not ready: %w", err)
}

// leaderStopped submits items, kills the leader at a random moment, waits for the
// verdicts, and starts the server again. It returns the items.
func (c *cluster) leaderStopped(ctx context.Context, q *queue.Queue, f int,
	random *rand.Rand) (submitted []string, err error) {
	leader, err := c.leader(ctx)
	for err != nil && ctx.Err() == nil {
		leader, err = c.leader(ctx)
	}
	if err != nil {
		return nil, err
	}
	ended := make(chan error)
	for i := range 60 {
		submitted = append(submitted, fmt.Sprintf("%d.%d", f, i))
		go func() { ended <- judged(ctx, q, submitted[i]) }()
	}
	time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
	c.stop(leader)
	for range submitted {
		err = errors.Join(err, <-ended)
	}
	if err != nil {
		return submitted, err
	}
	if err := c.start(ctx, leader); err != nil {
		return submitted, err
	}
	for ctx.Err() == nil { // the next leader must not be the only server with the data
		if ok, err := c.current(ctx); err == nil && ok {
			return submitted, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return submitted, context.Cause(ctx)
}

// judged submits an item and waits for its verdict.
func judged(ctx context.Context, q *queue.Queue, id string) error {
	p, err := q.Submit(ctx, queue.Item{ID: id, Class: "any", Language: "none", Client: "faults", Payload: []byte(id)})
	if err != nil {
		return err
	}
	v, err := p.Verdict(ctx)
	if err == nil && string(v.Payload) != id {
		err = fmt.Errorf("verdict %q, error %q: expected %q", v.Payload, v.Err, id)
	}
	if err != nil {
		return fmt.Errorf("item %s: %w", id, err)
	}
	return nil
}

// A balanced is the [worker.Source] of a worker whose requests go to one of two queues each,
// in this process.
type balanced struct {
	queues [2]*queue.Queue
	poll   queue.Poll
}

func (b *balanced) one() *queue.Queue { return b.queues[rand.IntN(2)] }

func (b *balanced) Lease(ctx context.Context) (*api.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // the other queue has items, too
	defer cancel()
	l, err := b.one().Lease(ctx, b.poll)
	if l == nil || err != nil {
		return nil, err
	}
	return &api.Lease{ID: l.ID, Delivery: l.Delivery, Alive: l.Alive.Seconds(), Stall: l.Stall.Seconds(),
		Item: l.Item.Payload}, nil
}

func (b *balanced) Leave(context.Context) error { return nil }

func (b *balanced) Alive(ctx context.Context, leases []string) (ended []string, err error) {
	return b.one().Alive(ctx, b.poll.Worker, leases)
}

func (b *balanced) Result(ctx context.Context, lease string, number int, lines []byte) error {
	return refused(b.one().Result(ctx, b.poll.Worker, lease, number, lines))
}

func (b *balanced) Verdict(ctx context.Context, lease string, results int, lines []byte) (counts bool, err error) {
	counts, err = b.one().Verdict(ctx, b.poll.Worker, lease, results, lines)
	return counts, refused(err)
}

func (b *balanced) Release(ctx context.Context, lease string, returned bool, why string) error {
	return refused(b.one().Release(ctx, b.poll.Worker, lease, returned, why))
}

// refused makes an error that does not pass one that the worker knows as such.
func refused(err error) error {
	if errors.Is(err, queue.ErrNoLease) {
		return blob.NewProblem(http.StatusGone, "%v", err)
	}
	return err
}

// current reports whether all servers have all items.
func (c *cluster) current(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := nats.Connect(c.url())
	if err != nil {
		return false, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return false, err
	}
	for _, name := range []string{"CRUCIBLE_ITEMS", "CRUCIBLE_RESULTS", "KV_CRUCIBLE_STATES"} {
		s, err := js.Stream(ctx, name)
		if err != nil {
			return false, err
		}
		of := s.CachedInfo().Cluster
		if of == nil || of.Leader == "" || len(of.Replicas) != 2 ||
			slices.ContainsFunc(of.Replicas, func(r *jetstream.PeerInfo) bool { return !r.Current || r.Offline }) {
			return false, nil
		}
	}
	return true, nil
}
