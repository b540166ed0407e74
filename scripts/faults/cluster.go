//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
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

// A cluster is three NATS servers in processes of their own, which know nothing of the judge.
type cluster struct {
	dir       string
	nodes     [3]*exec.Cmd
	addresses []string    // for clients, then for the other servers
	before    [3][]string // the command that starts programs in the network of each; nil has none
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
	args := append(slices.Clone(c.before[i]), own, "node", strconv.Itoa(i), filepath.Join(c.dir, "n"+strconv.Itoa(i)),
		string(addresses))
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

// streams calls f with what each of some streams says of its servers, until it returns true
// for all.
func (c *cluster) streams(ctx context.Context, names []string, f func(*jetstream.ClusterInfo) bool) error {
	conn, err := nats.Connect(c.url())
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	for done := 0; err == nil && done < len(names); time.Sleep(100 * time.Millisecond) {
		one, cancel := context.WithTimeout(ctx, answerTime)
		s, streamErr := js.Stream(one, names[done])
		cancel()
		if streamErr == nil && s.CachedInfo().Cluster != nil && f(s.CachedInfo().Cluster) {
			done++
		}
		err = context.Cause(ctx)
	}
	return err
}

// leader returns the number of the server that leads the stream of items.
func (c *cluster) leader(ctx context.Context) (i int, err error) {
	return i, c.streams(ctx, []string{"CRUCIBLE_ITEMS"}, func(of *jetstream.ClusterInfo) bool {
		_, err := fmt.Sscanf(of.Leader, "n%d", &i)
		return err == nil
	})
}

// current waits until all servers have all items.
func (c *cluster) current(ctx context.Context) error {
	return c.streams(ctx, []string{"CRUCIBLE_ITEMS", "CRUCIBLE_RESULTS", "CRUCIBLE_ENTRIES", "KV_CRUCIBLE_STATES"},
		func(of *jetstream.ClusterInfo) bool {
			return of.Leader != "" && len(of.Replicas) == 2 &&
				!slices.ContainsFunc(of.Replicas, func(r *jetstream.PeerInfo) bool { return !r.Current || r.Offline })
		})
}

// startQueue starts a queue when the cluster is ready.
func startQueue(ctx context.Context, urls, name string) (q *queue.Queue, err error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end) &&
		ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		try, cancel := context.WithTimeout(ctx, 10*time.Second)
		q, err = queue.Start(try, queue.Options{Bytes: 1 << 29, URL: urls, Replicas: 3, Name: name})
		cancel()
		if err == nil {
			return q, nil
		}
	}
	return nil, fmt.Errorf("the cluster of three servers is not ready: %w", err)
}
