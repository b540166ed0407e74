//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"crucible/judge/serve/server/queue"
)

var (
	submittedLine = regexp.MustCompile(`msg="an item is submitted" item=(\S+) kept=(\S+)`)
	cancelledLine = regexp.MustCompile(`msg="an item is cancelled" item=(\S+)`)
)

// note notes the items in a line of the log of the server. The caller holds p.mu.
func (p *pool) note(line string) {
	if found := submittedLine.FindStringSubmatch(line); found != nil {
		p.submitted = append(p.submitted, found[1])
		if found[2] == "false" {
			p.mortal = append(p.mortal, found[1])
		}
	}
	if found := cancelledLine.FindStringSubmatch(line); found != nil {
		p.cancelled[found[1]] = true
	}
}

// empty waits until the queue has no items: the workers also execute those of a server
// that was killed.
func (p *pool) empty() error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		r, err := http.NewRequest("GET", p.url+"/metrics", nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+p.token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		none := false
		for in := bufio.NewScanner(response.Body); in.Scan(); {
			none = none || in.Text() == "crucible_queue_items 0"
		}
		response.Body.Close()
		if none {
			return nil
		}
	}
	return fmt.Errorf("the queue has items after a minute without requests: see %s", filepath.Join(p.dir, "server.log"))
}

// checkQueue compares the items that the log of the server names with what the queue has
// stored, after the server has ended. It returns how many items are wrong.
func (p *pool) checkQueue() (wrong int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// Under another name, it does not remove the items of the server that are left.
	q, err := queue.Start(ctx, queue.Options{Dir: filepath.Join(p.dir, "server", "queue"), Name: "faults"})
	if err != nil {
		return 0, err
	}
	defer q.Close()
	return p.check(ctx, q)
}

// check compares the items that the log names with what the queue has stored.
func (p *pool) check(ctx context.Context, q *queue.Queue) (wrong int, err error) {
	h, err := q.History(ctx)
	for again := 0; err != nil && again < 5; again++ { // a cluster that has lost a machine can fall silent
		time.Sleep(2 * time.Second)
		h, err = q.History(ctx)
	}
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.Sort(p.submitted)
	p.submitted = slices.Compact(p.submitted) // a server that is started again submits some again
	bad := h.Check(p.submitted, p.cancelled)
	maps.DeleteFunc(p.cancelled, func(id string, _ bool) bool { _, done := h.Stored[id]; return done })
	for _, one := range bad {
		fmt.Println("queue:", one)
	}
	fmt.Printf("queue: %d items, %d verdicts, %d cancelled or ended with their server; %d wrong\n",
		len(p.submitted), len(h.Stored), len(p.cancelled), len(bad))
	return len(bad), nil
}
