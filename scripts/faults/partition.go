//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/client"
)

// Three machines have a NATS server, judged serve and a worker each. They are networks of
// their own: one cable each leads to the others, and can be cut; another one leads to this
// program.
type machines struct {
	*trial
	log     *pool // of the servers
	nats    *cluster
	cables  []string
	clients []*client.Client
	running []*exec.Cmd
}

// silent is more than the time after which the servers think that another one is lost.
const silent = 14 * time.Second

// address is that of a machine, for all.
func address(i int) string {
	return fmt.Sprintf("10.%d.%d.%d", 64+os.Getpid()/100%100, os.Getpid()%100, 11+i)
}

// lay lays the cables.
func (m *machines) lay() error {
	id := os.Getpid() % 10000
	hub := fmt.Sprintf("fh%d", id)
	m.log.undo = append(m.log.undo, func() error { return command("ip", "link", "delete", hub) })
	all := []string{"link add " + hub + " type bridge", "link set " + hub + " up"}
	for i := range 3 {
		space, data, own := fmt.Sprintf("faults%d-%d", id, i), fmt.Sprintf("fd%d-%d", id, i), fmt.Sprintf("fo%d-%d", id, i)
		net := fmt.Sprintf("10.%d.%d.%d", 64+id/100%100, id%100, 100+4*i)
		m.log.undo = append(m.log.undo, func() error { return command("ip", "netns", "delete", space) })
		m.cables = append(m.cables, data)
		m.nats.before = append(m.nats.before, []string{"ip", "netns", "exec", space})
		m.nats.addresses = slices.Insert(append(m.nats.addresses, address(i)+":6222"), i, address(i)+":4222")
		in := "-n " + space + " "
		all = append(all, "netns add "+space, in+"link set lo up",
			"link add "+data+" type veth peer name data netns "+space,
			"link set "+data+" master "+hub+" up", in+"address add "+address(i)+"/27 dev data", in+"link set data up",
			"link add "+own+" type veth peer name own netns "+space,
			"address add "+net+"/31 dev "+own, "link set "+own+" up",
			in+"address add "+strings.TrimSuffix(net, fmt.Sprint(100+4*i))+fmt.Sprint(101+4*i)+"/31 dev own",
			in+"link set own up", "route add "+address(i)+" dev "+own)
	}
	for _, c := range all {
		if err := command("ip", strings.Fields(c)...); err != nil {
			return err
		}
	}
	return nil
}

// start starts a program on a machine.
func (m *machines) command(ctx context.Context, i int, args ...string) *exec.Cmd {
	args = append(slices.Clone(m.nats.before[i]), args...)
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = m.environment()
	m.running = append(m.running, c)
	return c
}

// open starts all.
func (m *machines) open(ctx context.Context) error {
	if err := m.lay(); err != nil {
		return err
	}
	for i := range 3 {
		if err := m.nats.start(ctx, i); err != nil {
			return err
		}
	}
	var urls []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("http://%s:8520", address(i)))
		args := []string{"serve", "-v", "--listen", address(i) + ":8520", "--plain", "--dir",
			filepath.Join(m.dir, fmt.Sprint("server", i)), "--local-worker=false", "--calibrate-every", "0", "--nats",
			m.nats.url()}
		if m.short {
			args = append(args, "--ack-wait", "2s")
		}
		c := m.command(ctx, i, append([]string{m.judged}, args...)...)
		log, err := c.StderrPipe()
		if err != nil {
			return err
		}
		go m.log.watch(log, make(chan struct{}))
		at, err := client.Start(c)
		if err != nil {
			return err
		}
		m.clients = append(m.clients, at)
	}
	for i := range 3 {
		// Each begins at the server of its machine.
		servers := strings.Join(append(slices.Clone(urls[i:]), urls[:i]...), ",")
		c := m.command(ctx, i, m.judged, "worker", "-v", "--server", servers, "--name", fmt.Sprint("w", i), "--dir",
			filepath.Join(m.dir, fmt.Sprint("worker", i)), "--jobs", "1")
		c.Env = append(c.Env, "CRUCIBLE_TOKEN="+m.clients[0].Token)
		log, err := os.Create(filepath.Join(m.dir, fmt.Sprintf("w%d.log", i)))
		if err != nil {
			return err
		}
		c.Stderr = log
		err = c.Start()
		log.Close()
		if err != nil {
			return err
		}
	}
	return m.upload(ctx, m.clients[0])
}

// partitions cuts one of three machines off the others, and joins it again, many times.
func (t *trial) partitions(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	m := &machines{trial: t, log: &pool{trial: t, dir: t.dir, asked: make(map[string]int), names: make(map[string]int),
		cancelled: make(map[string]bool)}, nats: &cluster{dir: t.dir, nodes: make([]*exec.Cmd, 3)}}
	defer func() {
		cancel()
		for i, c := range m.running {
			c.Wait()
			m.nats.stop(i % 3)
		}
		for _, f := range slices.Backward(m.log.undo) {
			f()
		}
	}()
	if err := m.open(ctx); err != nil {
		return err
	}
	for range t.count {
		if err := m.round(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("%-18s %d faults, %d wrong records; %.1f s each\n%-18s %s\n", t.kind.name, t.count, t.wrong,
		time.Since(began).Seconds()/float64(t.count), "", t.load.said())
	return m.history(ctx)
}

// round cuts a machine off while judgements are submitted at all.
func (m *machines) round(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m.calls++
	lost := m.random.IntN(3)
	length := silent + m.length()/2
	var all sync.WaitGroup
	for i := range 2 * batchSize {
		key := fmt.Sprintf("%s-%d-%d", []string{"AC", "WA", "RTE"}[i%3], m.calls, i)
		all.Go(func() {
			time.Sleep(length * time.Duration(max(0, i-6)) / (2*batchSize - 6))
			m.everywhere(ctx, key, []int{lost, (lost + 1 + i%2) % 3}[i/3%2:])
		})
	}
	time.Sleep(time.Second + time.Duration(m.random.Int64N(int64(2*time.Second))))
	if err := command("ip", "link", "set", m.cables[lost], "down"); err != nil {
		return err
	}
	time.Sleep(length)
	if status := ready(ctx, m.clients[lost].URL); status == http.StatusOK {
		m.load.wrong(m.trial, fmt.Sprintf("readyz of the machine that is cut off: %d", status))
	}
	if err := command("ip", "link", "set", m.cables[lost], "up"); err != nil {
		return err
	}
	healed := time.Now()
	all.Wait()
	for i, c := range m.clients {
		for ready(ctx, c.URL) != http.StatusOK && ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
		}
		if ctx.Err() != nil {
			m.load.wrong(m.trial, fmt.Sprintf("machine %d is not ready", i))
		}
	}
	m.load.slowest = max(m.load.slowest, time.Since(healed))
	return nil
}

// everywhere submits a judgement at some machines at once, and compares what all have of it.
func (m *machines) everywhere(ctx context.Context, key string, at []int) {
	ids := make([]string, len(at))
	errs := make([]error, len(at))
	var all sync.WaitGroup
	for k, i := range at {
		all.Go(func() { ids[k], errs[k] = m.submit(ctx, m.clients[i], key) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil || len(slices.Compact(slices.Clone(ids))) != 1 {
		m.load.wrong(m.trial, fmt.Sprintf("%s is judgements %q: %v: expected one", key, ids, err))
		return
	}
	first := ""
	for i, c := range m.clients {
		g := m.follow(ctx, c, key, ids[0])
		if g == nil {
			return
		}
		if first == "" {
			first = string(g.Record)
		}
		if string(g.Record) != first {
			m.load.wrong(m.trial, fmt.Sprintf("%s has another record at machine %d", key, i))
		}
	}
}

// history checks the queue: each item has one verdict.
func (m *machines) history(ctx context.Context) error {
	q, err := startQueue(ctx, m.nats.url(), "faults")
	if err != nil {
		return err
	}
	defer q.Close()
	wrong, err := m.log.check(ctx, q)
	m.wrong += wrong
	return err
}
