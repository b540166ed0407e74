package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// mostRestarts is how often a judgement is begun again: it may be what ends the server.
const mostRestarts = 3

// Resume begins again the judgements that were under way when an earlier server with the
// same state was killed. Call it after Handler and before the first request.
func (s *Server) Resume(ctx context.Context) error {
	left, err := s.State.Tails(ctx, ended)
	if err != nil {
		return fmt.Errorf("the judgements of the last server: %w", err)
	}
	if len(left) > 0 {
		s.Log.Warn("judgements that were under way when the server ended are begun again", "judgements", len(left))
	}
	all := make(map[string]*acceptance)
	calls := make(map[string]*choice)
	for id, last := range left {
		a, err := s.acceptanceOf(ctx, id, last)
		if err != nil {
			return fmt.Errorf("judgement %s: %w", id, err)
		}
		all[id] = a
		a.choose(calls)
	}
	for id, a := range all {
		s.resume(ctx, id, left[id].Number, a, calls[a.Call])
	}
	return nil
}

// choose adds the choice of the call of a judgement, with the class that the last server has
// chosen.
func (a *acceptance) choose(calls map[string]*choice) {
	call := calls[a.Call]
	if call == nil {
		call = &choice{id: a.Call}
		calls[a.Call] = call
	}
	if a.Class != "" {
		call.use(a.Class, a.Language)
	}
}

// resume begins a judgement of a call again, with so many entries in its log.
func (s *Server) resume(ctx context.Context, id string, entries int, a *acceptance, call *choice) {
	restarts := a.restarts + 1
	g, run := newJudgement(api.Judgement{
		ID: id, State: api.Queued, Problem: a.Request.Problem, Language: a.Language, Created: a.Created, Request: a.Hash,
		By: a.Token, Restarts: restarts,
	})
	g.entries = entries
	close(g.entered)
	s.judging.Lock()
	s.live[id] = g
	s.judging.Unlock()
	release := s.busy.add(a.Token)
	go func() {
		defer release()
		var t *task
		err := s.note(ctx, g, resumed, &resumption{restarts})
		switch {
		case err != nil:
		case a.damaged:
			err = fmt.Errorf("given up: %w: send it again", errDamaged)
		case restarts > mostRestarts:
			err = fmt.Errorf("given up: the server has ended %d times while it was under way", restarts)
		default:
			t, err = s.check(run, &Token{Name: a.Token, Scopes: []Scope{Admin}}, a.Request, call)
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
