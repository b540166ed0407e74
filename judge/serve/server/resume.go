package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// mostRestarts is how often a judgement is begun again: it may be what ends the server.
const mostRestarts = 3

// Resume begins again the judgements that were under way when an earlier server with the
// same folder was killed, and records those that begin from now on. Durable writes each to
// the disk before the client has its answer. Call Resume after Handler and before the first
// request, and stop after the last one.
func (s *Server) Resume(ctx context.Context, durable bool) (stop func(), err error) {
	needless := func(id string) bool { return !judgementID.MatchString(id) || s.isEnded(id) }
	j, left, err := openJournal(filepath.Join(s.Problems.Dir, "accepted.jsonl"), durable, needless)
	if err != nil {
		return nil, fmt.Errorf("the judgements of the last server: %w", err)
	}
	s.journal = j
	damaged := 0
	for i := range left {
		if left[i].damaged {
			damaged++
		}
	}
	if _, err := os.Stat(j.name + ".damaged"); err == nil {
		s.Log.Error("the file of judgements that were under way is damaged", "kept", j.name+".damaged", "judgements", damaged)
	}
	if len(left) > 0 {
		s.Log.Warn("judgements that were under way when the server ended are begun again", "judgements", len(left))
	}
	calls := choicesOf(left)
	for i := range left {
		s.resume(ctx, &left[i], calls[left[i].Call])
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(syncEach)
		defer tick.Stop()
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-tick.C:
				if err := j.sync(); err != nil {
					s.Log.Error("the journal of judgements is not written to the disk", "error", err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-ended
		if err := j.close(); err != nil {
			s.Log.Error("the journal of judgements", "error", err)
		}
	}, nil
}

// choicesOf returns the choices of the calls of some judgements, with the classes that the
// last server has chosen.
func choicesOf(all []journalLine) map[string]*choice {
	calls := make(map[string]*choice)
	for i := range all {
		a := &all[i]
		if calls[a.Call] == nil {
			calls[a.Call] = &choice{id: a.Call}
		}
		if a.Class != "" {
			calls[a.Call].use(a.Class, a.Language)
		}
	}
	return calls
}

// resume begins a judgement of a call again.
func (s *Server) resume(ctx context.Context, a *journalLine, call *choice) {
	if a.Request == nil {
		a.Request = new(api.Request)
	}
	s.judging.Lock()
	g, run := s.enter(api.Judgement{
		ID: a.ID, State: api.Queued, Problem: a.Request.Problem, Language: a.Language, Created: a.Created, Request: a.Hash,
		By: a.Token, Restarts: a.Restarts,
	})
	s.judging.Unlock()
	release := s.busy.add(a.Token)
	go func() {
		defer release()
		var t *task
		err := fmt.Errorf("given up: the server has ended %d times while it was under way", a.Restarts)
		if a.damaged {
			err = errors.New("given up: the disk of the server has changed what it kept of this judgement: send it again")
		} else if a.Restarts <= mostRestarts {
			t, err = s.check(run, a.Request, call)
		}
		if err == nil {
			s.senders.free(a.Token, -t.bytes)
			s.judge(run, g, t)
			return
		}
		if p := new(blob.Problem); errors.As(err, &p) {
			err = errors.New(p.Detail)
		}
		end := g.now // nothing but this function changes it
		end.Ended, end.State, end.Error = new(time.Now().UTC()), api.Ended, err.Error()
		s.end(g, end, 0)
	}()
}
