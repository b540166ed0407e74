//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
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

	"crucible/judge/serve/server/queue"
)

// A cluster is three NATS servers in processes of their own, which know nothing of the
// judge, and a queue on them, with two dispatchers and three workers.
type cluster struct {
	dir   string
	nodes []*exec.Cmd
	ports []int // of clients, then of the other servers
}

// node is the process of a NATS server: its number, its folder, and all ports.
func node(args []string) error {
	i, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var ports []int
	if err := json.Unmarshal([]byte(args[2]), &ports); err != nil {
		return err
	}
	var routes []*url.URL
	for _, p := range ports[3:] {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", p)})
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "n" + args[0], Host: "127.0.0.1", Port: ports[i], JetStream: true, StoreDir: args[1], NoLog: true,
		NoSigs:  true,
		Cluster: server.ClusterOpts{Name: "faults", Host: "127.0.0.1", Port: ports[3+i]}, Routes: routes,
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
	ports, err := json.Marshal(c.ports)
	if err != nil {
		return err
	}
	c.nodes[i] = exec.CommandContext(ctx, own, "node", strconv.Itoa(i), filepath.Join(c.dir, "n"+strconv.Itoa(i)),
		string(ports))
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
	for _, p := range c.ports[:3] {
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", p))
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
		c.ports = append(c.ports, l.Addr().(*net.TCPAddr).Port)
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
	first, err := startQueue(ctx, c.url())
	if err != nil {
		return 0, err
	}
	defer first.Close()
	second, err := startQueue(ctx, c.url())
	if err != nil {
		return 0, err
	}
	defer second.Close()
	connection := second.Connection()
	connection.Sweep = time.Second
	q, err := queue.Connect(ctx, connection)
	if err != nil {
		return 0, err
	}
	defer q.Close()
	work, end := context.WithCancel(ctx)
	defer end()
	for i := range 3 {
		go queue.Work(work, connection, queue.Worker{ID: fmt.Sprint("w", i), Classes: []string{"any"}, Slots: 2},
			func(ctx context.Context, d *queue.Delivery) error {
				time.Sleep(20 * time.Millisecond)
				_, err := d.Verdict(ctx, d.Item.Payload)
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

// startQueue starts a dispatcher when the cluster is ready.
func startQueue(ctx context.Context, urls string) (s *queue.Server, err error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end) &&
		ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		try, cancel := context.WithTimeout(ctx, 10*time.Second)
		s, err = queue.Start(try, queue.Options{URL: urls, Replicas: 3, AckWait: 2 * time.Second})
		cancel()
		if err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("the cluster of three servers is not ready: %w", err)
}

// leaderStopped submits items, kills the leader at a random moment, waits for the
// verdicts, and starts the server again. It returns the items.
func (c *cluster) leaderStopped(ctx context.Context, q *queue.Queue, f int,
	random *rand.Rand) (submitted []string, err error) {
	var items []queue.Item
	for i := range 60 {
		id := fmt.Sprintf("%d.%d", f, i)
		items = append(items, queue.Item{ID: id, Cell: id, Class: "any", Language: "none", Client: "faults",
			Payload: []byte(id)})
		submitted = append(submitted, id)
	}
	leader, err := c.leader(ctx)
	for err != nil && ctx.Err() == nil {
		leader, err = c.leader(ctx)
	}
	if err != nil {
		return nil, err
	}
	all, err := q.SubmitAll(ctx, items)
	if err != nil {
		return submitted, err
	}
	time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
	c.stop(leader)
	for _, p := range all {
		v, err := p.Verdict(ctx)
		if err == nil && string(v.Payload) != p.Item.ID {
			err = fmt.Errorf("verdict %q", v.Payload)
		}
		if err != nil {
			return submitted, fmt.Errorf("item %s: %w", p.Item.ID, err)
		}
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
	for _, name := range []string{"CRUCIBLE_ITEMS", "CRUCIBLE_RESULTS", "KV_CRUCIBLE_CELLS"} {
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
