//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
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

// Machines are three, with a NATS server, judged serve and a worker each. If they can be cut
// off, they are networks of their own: one cable each leads to the others, and one to this
// program.
type machines struct {
	*trial
	log     *pool // of the servers
	nats    *cluster
	hosts   []string // addresses
	cables  []string // that can be cut
	clients []*client.Client
	running []*exec.Cmd
}

// silent is more than the time after which the servers think that another one is lost.
const silent = 14 * time.Second

// lay lays the cables.
func (m *machines) lay() error {
	id := os.Getpid() % 10000
	hub, net := fmt.Sprintf("fh%d", id), fmt.Sprintf("10.%d.%d.", 64+id/100, id%100)
	m.log.undo = append(m.log.undo, func() error { return command("ip", "link", "delete", hub) })
	all := []string{"link add " + hub + " type bridge", "link set " + hub + " up"}
	for i := range 3 {
		space, data, own := fmt.Sprintf("faults%d-%d", id, i), fmt.Sprintf("fd%d-%d", id, i), fmt.Sprintf("fo%d-%d", id, i)
		host, near, far := fmt.Sprint(net, 11+i), fmt.Sprint(net, 100+2*i), fmt.Sprint(net, 101+2*i)
		m.log.undo = append(m.log.undo, func() error { return command("ip", "netns", "delete", space) })
		m.hosts, m.cables = append(m.hosts, host), append(m.cables, data)
		m.nats.before[i] = []string{"ip", "netns", "exec", space}
		m.nats.addresses = slices.Insert(append(m.nats.addresses, host+":6222"), i, host+":4222")
		in := "-n " + space
		all = append(all, "netns add "+space, in+" link set lo up",
			"link add "+data+" type veth peer name data netns "+space, "link set "+data+" master "+hub+" up",
			in+" address add "+host+"/27 dev data", in+" link set data up",
			"link add "+own+" type veth peer name own netns "+space, "address add "+near+"/31 dev "+own,
			"link set "+own+" up", in+" address add "+far+"/31 dev own", in+" link set own up", "route add "+host+" dev "+own)
	}
	for _, c := range all {
		if err := command("ip", strings.Fields(c)...); err != nil {
			return err
		}
	}
	return nil
}

// ports chooses addresses on this machine; together, so that all differ.
func (m *machines) ports() error {
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close()
		m.nats.addresses, m.hosts = append(m.nats.addresses, l.Addr().String()), append(m.hosts, "127.0.0.1")
	}
	return nil
}

// command returns a command of a machine.
func (m *machines) command(ctx context.Context, i int, args ...string) *exec.Cmd {
	args = append(slices.Clone(m.nats.before[i]), append([]string{m.judged}, args...)...)
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = m.environment()
	m.running = append(m.running, c)
	return c
}

// open starts all.
func (m *machines) open(ctx context.Context) (err error) {
	if m.kind.network {
		err = m.lay()
	} else {
		err = m.ports()
	}
	for i := range m.nats.nodes {
		if err == nil {
			err = m.nats.start(ctx, i)
		}
	}
	var urls []string
	for i := 0; i < 3 && err == nil; i++ {
		wait := "12s"
		if m.short {
			wait = "2s"
		}
		c := m.command(ctx, i, "serve", "-v", "--listen", m.hosts[i]+":0", "--plain", "--dir",
			filepath.Join(m.dir, fmt.Sprint("server", i)), "--local-worker=false", "--calibrate-every", "0", "--nats",
			m.nats.url(), "--disk", "1073741824", "--ack-wait", wait)
		log, err := c.StderrPipe()
		if err != nil {
			return err
		}
		go m.log.watch(log, make(chan struct{}))
		at, err := client.Start(c)
		if err != nil {
			return err
		}
		m.clients, urls = append(m.clients, at), append(urls, at.URL)
	}
	for i := 0; i < 3 && err == nil; i++ {
		// Each begins at the server of its machine.
		servers := strings.Join(append(slices.Clone(urls[i:]), urls[:i]...), ",")
		c := m.command(ctx, i, "worker", "--server", servers, "--name", fmt.Sprint("w", i), "--dir",
			filepath.Join(m.dir, fmt.Sprint("worker", i)), "--jobs", "1")
		c.Env = append(c.Env, "CRUCIBLE_TOKEN="+m.clients[0].Token)
		log, logErr := os.Create(filepath.Join(m.dir, fmt.Sprint("worker", i, ".log")))
		if logErr != nil {
			return logErr
		}
		c.Stderr = log
		err = c.Start()
		log.Close()
	}
	if err != nil {
		return err
	}
	return m.upload(ctx, m.clients[0])
}

// machines has faults of one kind on three machines.
func (t *trial) machines(ctx context.Context) error {
	began := time.Now()
	work, cancel := context.WithCancel(ctx)
	m := &machines{trial: t, log: &pool{trial: t, dir: t.dir, asked: make(map[string]int), names: make(map[string]int),
		cancelled: make(map[string]bool)}, nats: &cluster{dir: t.dir}}
	defer func() {
		cancel()
		for _, c := range m.running {
			c.Wait()
		}
		for i := range m.nats.nodes {
			m.nats.stop(i)
		}
		for _, f := range slices.Backward(m.log.undo) {
			f()
		}
	}()
	err := m.open(work)
	for i := 0; i < t.count && err == nil; i++ {
		err = m.round(work)
	}
	if err != nil {
		return err
	}
	fmt.Printf("%-18s %d faults, %d wrong records; %.1f s each\n%-18s %s\n", t.kind.name, t.count, t.wrong,
		time.Since(began).Seconds()/float64(t.count), "", t.load.said())
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	m.log.url, m.log.token = m.clients[0].URL, m.clients[0].Token
	if err = m.log.empty(); err == nil { // of audits, too
		err = m.nats.current(ctx) // any of them can answer
	}
	if err != nil {
		return err
	}
	q, err := startQueue(ctx, m.nats.url(), "faults")
	if err != nil {
		return err
	}
	defer q.Close()
	wrong, err := m.log.check(ctx, q)
	t.wrong += wrong
	return err
}

// round submits judgements at all machines while one has a fault.
func (m *machines) round(life context.Context) error {
	ctx, cancel := context.WithTimeout(life, patience)
	defer cancel()
	m.calls++
	lost, err := m.nats.leader(ctx)
	if err != nil {
		return err
	}
	length, off := m.length(), func() error { m.nats.stop(lost); return nil }
	on := func() error { return errors.Join(m.nats.start(life, lost), m.nats.current(ctx)) }
	if m.kind.network {
		lost = m.random.IntN(3)
		length = silent + length/2
		off = func() error { return command("ip", "link", "set", m.cables[lost], "down") }
		on = func() error { return command("ip", "link", "set", m.cables[lost], "up") }
	}
	var all sync.WaitGroup
	for i := range 2 * batchSize {
		key := fmt.Sprintf("%s-%d-%d", []string{"AC", "WA", "RTE"}[i%3], m.calls, i)
		all.Go(func() {
			time.Sleep(length * time.Duration(max(0, i-6)) / (2*batchSize - 6))
			m.everywhere(ctx, key, []int{lost, (lost + 1 + i%2) % 3}[i/3%2:])
		})
	}
	time.Sleep(time.Duration(m.random.Int64N(int64(2 * time.Second))))
	if err := off(); err != nil {
		return err
	}
	time.Sleep(length)
	if status := ready(ctx, m.clients[lost].URL); m.kind.network && status == http.StatusOK {
		m.load.wrong(m.trial, "a machine that is cut off is ready")
	}
	healed := time.Now()
	if err := on(); err != nil {
		return err
	}
	all.Wait()
	for _, c := range m.clients {
		for ready(ctx, c.URL) != http.StatusOK && ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
	m.load.slowest = max(m.load.slowest, time.Since(healed))
	return context.Cause(ctx)
}

// everywhere submits a judgement at some machines at once, and compares what all have of it.
func (m *machines) everywhere(ctx context.Context, key string, at []int) {
	ids, errs := make([]string, len(at)), make([]error, len(at))
	var all sync.WaitGroup
	for k, i := range at {
		all.Go(func() { ids[k], errs[k] = m.submit(ctx, m.clients[i], key) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil || ids[0] != ids[len(ids)-1] {
		m.load.wrong(m.trial, fmt.Sprintf("%s is judgements %q: %v: expected one", key, ids, err))
		return
	}
	var records []string
	for _, c := range m.clients {
		if g := m.follow(ctx, c, key, ids[0]); g != nil {
			records = append(records, string(g.Record))
		}
	}
	if len(slices.Compact(records)) > 1 {
		m.load.wrong(m.trial, key+" has another record at another machine")
	}
}
