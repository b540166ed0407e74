package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/queue"
)

// secret is that of the token that registers the workers.
const secret = "a token of scale"

// serve is the process of the server. It reads a line with the number of workers, and answers
// when they wait for items. It reads a line with the numbers of items, of cases of an item
// and of all cases, and the seed; it submits the items and waits for their
// verdicts, as judged does, and ends when its input does.
func serve(ctx context.Context, dir string, in io.Reader, out io.Writer) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	q, err := queue.Start(ctx, queue.Options{Dir: dir, Log: log})
	if err != nil {
		return err
	}
	defer q.Close()
	s := server.Server{Tokens: new(server.Tokens), Log: log, Workers: &server.Workers{Key: []byte(secret), Queue: q}}
	if err := s.Workers.Load(); err != nil {
		return err
	}
	s.Tokens.Add("scale", secret, server.Worker)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	http1 := &http.Server{Handler: s.Handler()}
	go http1.Serve(listener)
	defer http1.Close()
	to := json.NewEncoder(out)
	if err := to.Encode(&line{URL: "http://" + listener.Addr().String()}); err != nil {
		return err
	}
	var workers, items, per, cases int
	var seed uint64
	if _, err := fmt.Fscanln(in, &workers); err != nil {
		return fmt.Errorf("the number of workers: %w", err)
	}
	for polls, _ := q.Load(); polls < workers; polls, _ = q.Load() {
		time.Sleep(10 * time.Millisecond)
	}
	if err := to.Encode(&line{Ready: true}); err != nil {
		return err
	}
	if _, err := fmt.Fscanln(in, &items, &per, &cases, &seed); err != nil {
		return fmt.Errorf("the numbers of items, cases of an item and cases, and the seed: %w", err)
	}
	c := &counts{room: make(chan struct{}, 4*workers+32)} // the queue takes no more of one client
	for i := range items {
		c.room <- struct{}{}
		go c.judge(ctx, q, i, min(per, cases-i*per), seed)
	}
	for range cap(c.room) {
		c.room <- struct{}{}
	}
	c.Counts = q.Counts()
	if err := to.Encode(&line{Counts: c}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// judge submits an item of n cases and waits for its verdict.
func (c *counts) judge(ctx context.Context, q *queue.Queue, i, n int, seed uint64) {
	defer func() { <-c.room }()
	runs := 0
	var v queue.Verdict
	it, err := itemOf(i, n, seed)
	var p *queue.Pending
	if err == nil {
		p, err = q.Submit(ctx, *it)
	}
	if err == nil {
		for r := range p.Results(ctx) {
			if r.Number == 0 {
				runs = 0 // another worker begins again
			}
			runs += bytes.Count(r.Payload, []byte("\n"))
		}
		v, err = p.Verdict(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || v.Err != "" {
		fmt.Fprintln(os.Stderr, "scale: item", i, err, v.Err)
		c.Failed++
		return
	}
	c.Results += int64(runs + bytes.Count(v.Payload, []byte("\n")) - 1) // its last line is no run
}

// itemOf returns a work item as the server makes it.
func itemOf(i, n int, seed uint64) (*queue.Item, error) {
	of := &remote.Item{Judge: fmt.Sprint(seed, " ", i), Problem: remote.Package{ID: "sum", Path: "problems/sum",
		Tree: blob.Of(nil)},
		Submission: remote.Submission{Name: fmt.Sprint("submission", i), Path: "submission/a.py", Language: "python3",
			Expected: []problem.Expectation{},
			Files: map[string][]byte{"submission/a.py": []byte(strings.Repeat("# 40 bytes of a program of a usual size\n",
				25))}}}
	for k := range n {
		of.Cases = append(of.Cases, fmt.Sprintf("secret/%03d", k))
	}
	data, err := of.Encode()
	if err != nil {
		return nil, err
	}
	if len(data) > queue.MaxPayload {
		return nil, errors.New("the item is too large")
	}
	id := fmt.Sprintf("item%022d", i)
	return &queue.Item{ID: id, Class: "any", Language: "python3", Client: "scale", Payload: data}, nil
}
