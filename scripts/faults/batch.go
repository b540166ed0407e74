//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
)

// programs of a batch, by verdict.
var programs = map[string]string{
	"AC":  "sleep 0.02\ncat\n",
	"WA":  "sleep 0.02\nread -r a\n[ $a -lt 1012 ] && echo $a || echo 0\n",
	"RTE": "sleep 0.02\nread -r a\n[ $a -lt 1009 ] && echo $a || exit 3\n",
}

// batchSize is the number of lines of a batch.
const batchSize = 12

// batchRound sends a batch whose lines have keys, and kills and starts the server in the
// meantime. The batch must end; sent again, each line must have the same judgement and record.
func (t *trial) batchRound(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := client.New(t.pool.url, t.pool.token)
	if err != nil {
		return err
	}
	if err := t.upload(ctx, c); err != nil {
		return err
	}
	t.calls++
	began := time.Now()
	first := make(map[string]*api.Judgement)
	ended := make(chan error, 1)
	go func() { ended <- t.batch(ctx, c, first) }()
	typical := t.typical
	if t.calls == 1 {
		typical = 2 * time.Second
	}
	select {
	case err := <-ended:
		ended <- err
	case <-time.After(time.Duration(t.random.Int64N(int64(typical)))):
	}
	if err := t.pool.server.Process.Kill(); err != nil {
		return err
	}
	t.pool.server.Wait()
	if err := t.pool.serve(); err != nil {
		return err
	}
	if err := <-ended; err != nil {
		t.report(fmt.Sprintf("the batch during which the server was killed: %v", err))
		return t.settled(ctx)
	}
	second := make(map[string]*api.Judgement)
	if err := t.batch(ctx, c, second); err != nil {
		t.report(fmt.Sprintf("the batch that was sent again: %v", err))
		return t.settled(ctx)
	}
	t.typical = max(time.Since(began)/2, time.Second)
	for id, g := range first {
		if s := second[id]; s == nil || s.ID != g.ID || s.Restarts != g.Restarts || !bytes.Equal(s.Record, g.Record) {
			t.report(fmt.Sprintf("line %s: %+v sent again, %+v before", id, s, g))
		}
	}
	if len(second) != batchSize {
		t.report(fmt.Sprintf("answers to %d lines: expected %d", len(second), batchSize))
	}
	for id, g := range second {
		t.again += min(g.Restarts, 1)
		if why, err := wrongJudgement(ctx, c, g, id); why != "" || err != nil {
			t.report(fmt.Sprintf("line %s: %s %v", id, why, err))
		}
	}
	return t.settled(ctx)
}

// upload sends the package of the problem, once.
func (t *trial) upload(ctx context.Context, c *client.Client) error {
	if t.digest != "" {
		return nil
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := errors.Join(z.AddFS(os.DirFS(t.problem)), z.Close()); err != nil {
		return err
	}
	p, err := c.PutPackage(ctx, b.Bytes())
	if err == nil {
		t.digest = p.Digest
	}
	return err
}

// request is that of a line or a judgement, whose id begins with its verdict.
func (t *trial) request(id string) *api.Request {
	verdict, _, _ := strings.Cut(id, "-")
	return &api.Request{Problem: t.digest, Language: "bash",
		Sources: map[string]string{"a.sh": fmt.Sprintf("# %s\n%s", id, programs[verdict])}}
}

// batch sends the lines of a round and adds the answers to those before.
func (t *trial) batch(ctx context.Context, c *client.Client, answers map[string]*api.Judgement) error {
	names := []string{"AC", "WA", "RTE"}
	sent := 0
	return c.Batch(ctx, func() *api.Request {
		if sent == batchSize {
			return nil
		}
		sent++
		verdict := names[sent%len(names)]
		id := fmt.Sprintf("%s-%d-%d", verdict, t.calls, sent)
		r := t.request(id)
		r.ID, r.Key = id, id
		return r
	}, func(l *api.BatchLine) error {
		switch {
		case l.Error != nil:
			return l.Error
		case answers[l.ID] != nil:
			return fmt.Errorf("line %s is answered twice", l.ID)
		}
		answers[l.ID] = l.Judgement
		return nil
	})
}

// wrongJudgement returns what is wrong with a judgement, its record or what is kept of it. The
// error is that of a server that does not answer.
func wrongJudgement(ctx context.Context, c *client.Client, g *api.Judgement, id string) (why string, err error) {
	var record struct {
		Submissions []struct {
			Runs []struct {
				Case string `json:"case"`
			} `json:"runs"`
		} `json:"submissions"`
	}
	if err := json.Unmarshal(g.Record, &record); err != nil || len(record.Submissions) != 1 {
		return fmt.Sprintf("%s %q: %v: expected a record of one submission", g.State, g.Error, err), nil
	}
	var names []string
	for _, r := range record.Submissions[0].Runs {
		names = append(names, r.Case)
	}
	// A wrong program is judged up to its first failure.
	want := map[string]int{"AC": cases, "WA": 13, "RTE": 10}[g.Verdict]
	switch {
	case !bytes.HasPrefix([]byte(id), []byte(g.Verdict+"-")):
		return fmt.Sprintf("verdict %q %s", g.Verdict, g.Error), nil
	case len(names) != want || !slices.IsSorted(names) || len(slices.Compact(names)) != want:
		return fmt.Sprintf("runs of cases %q: expected %d different ones in order", names, want), nil
	}
	runs := 0
	seen := make(map[string]bool)
	kept, err := c.Events(ctx, g.ID, 0, func(line json.RawMessage) error {
		var r struct {
			Case string `json:"case"`
		}
		runs++
		err := json.Unmarshal(line, &r)
		seen[r.Case] = true
		return err
	})
	if err != nil {
		return "", err
	}
	// Cases after the first failure are executed ahead of it.
	missing := slices.ContainsFunc(names, func(name string) bool { return !seen[name] })
	if runs != len(seen) || missing || kept.Verdict != g.Verdict || !bytes.Equal(kept.Record, g.Record) {
		return fmt.Sprintf("%d runs of %d cases and verdict %q are kept: expected those of %q once and %q", runs, len(seen),
			kept.Verdict, names, g.Verdict), nil
	}
	return "", nil
}
