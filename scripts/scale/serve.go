package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// serve is the process of the server. It reads a line with the number of workers, and answers
// when they wait for items. It reads a line with the numbers of items, of cases of an item
// and of all cases, and the seed; it submits the items and waits for their
// verdicts, as judged does, and ends when its input does.
func serve(ctx context.Context, dir string, in io.Reader, out io.Writer) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := queue.Start(ctx, queue.Options{Dir: dir, Listen: "127.0.0.1:0", Log: log})
	if err != nil {
		return err
	}
	defer s.Close()
	q, err := queue.Connect(ctx, s.Connection())
	if err != nil {
		return err
	}
	defer q.Close()
	to := json.NewEncoder(out)
	if err := to.Encode(&line{URL: s.URL()}); err != nil {
		return err
	}
	var workers, items, per, cases int
	var seed uint64
	if _, err := fmt.Fscanln(in, &workers); err != nil {
		return fmt.Errorf("the number of workers: %w", err)
	}
	for slots, _ := s.Load(); slots < workers; slots, _ = s.Load() {
		time.Sleep(10 * time.Millisecond)
	}
	if err := to.Encode(&line{Ready: true}); err != nil {
		return err
	}
	if _, err := fmt.Fscanln(in, &items, &per, &cases, &seed); err != nil {
		return fmt.Errorf("the numbers of items, cases of an item and cases, and the seed: %w", err)
	}
	c, err := judge(ctx, q, items, per, cases, seed, func() error { return to.Encode(&line{Submitted: true}) })
	if err != nil {
		return err
	}
	n := s.Counts()
	c.Verdicts, c.Redelivered, c.Discarded, c.Quarantined, c.Given, c.Started = n.Verdicts, n.Redelivered, n.Discarded,
		n.Quarantined, n.Given, n.Started
	if err := to.Encode(&line{Counts: c}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// judge submits all items and waits for their verdicts.
func judge(ctx context.Context, q *queue.Queue, items, per, cases int, seed uint64,
	submitted func() error) (*counts, error) {
	const together = 1000
	var open []*queue.Pending
	for from := 0; from < items; from += together {
		var some []queue.Item
		for i := from; i < min(from+together, items); i++ {
			one, err := itemOf(i, min(per, cases-i*per), seed)
			if err != nil {
				return nil, err
			}
			some = append(some, *one)
		}
		pending, err := q.SubmitAll(ctx, some)
		if err != nil {
			return nil, err
		}
		open = append(open, pending...)
	}
	if err := submitted(); err != nil {
		return nil, err
	}
	c := new(counts)
	for i, p := range open {
		runs := 0
		count := func(message []byte) {
			for one := range bytes.Lines(message) {
				if !remote.IsLast(one) {
					runs++
				}
			}
		}
		for r := range p.Results(ctx) {
			if r.Seq == 0 {
				runs = 0 // another worker begins again
			}
			count(r.Payload)
		}
		v, err := p.Verdict(ctx)
		if err != nil {
			return nil, err
		}
		count(v.Payload)
		c.Results += int64(runs)
		if v.Err != "" {
			c.Failed++
		}
		open[i] = nil
	}
	return c, nil
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
	return &queue.Item{ID: id, Cell: id, Class: "any", Language: "python3", Client: "scale", Payload: data}, nil
}
