package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// mostRestarts is how often a judgement is begun again: it may be what ends the server.
const mostRestarts = 3

// Resume begins again the judgements that were under way when an earlier server with the
// same state, and the same name if there are others, was killed. Call it after Handler and
// before the first request.
func (s *Server) Resume(ctx context.Context) error {
	s.Cluster.begin()
	return s.takeOver(ctx, s.Cluster.isName)
}

// scanEach is the time between looks for judgements of servers that nobody has heard.
const scanEach = 5 * time.Minute

// Join begins the life of this server among the others, until ctx ends; then left is closed.
// Call it after Resume.
func (s *Server) Join(ctx context.Context) (left <-chan struct{}, err error) {
	c := s.Cluster
	say := func(ends bool) {
		data, err := json.Marshal(&sign{Peer: Peer{c.Name, c.URL}, Ends: ends})
		if err == nil {
			err = s.State.Say("server", data)
		}
		if err != nil {
			s.Log.Warn("the other servers do not hear this one", "error", err)
		}
	}
	err = s.State.Hear("server", func(message []byte) {
		if c.hear(message) {
			say(false) // so that it knows this one at once
		}
	})
	if err == nil {
		err = s.State.Hear("cancel", func(id []byte) {
			if g := s.underWay(string(id)); g != nil {
				g.cancel(errCancelled)
			}
		})
	}
	if err != nil {
		return nil, err
	}
	say(false)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(cmp.Or(c.each, signEach))
		defer tick.Stop()
		for next := time.Now().Add(c.silence()); ; {
			select {
			case <-tick.C:
			case <-ctx.Done():
				say(true)
				return
			}
			say(false)
			for _, id := range c.doubtful() {
				if s.adopt(ctx, id) {
					c.doubt(id, 0)
				}
			}
			if !c.lost() && time.Now().Before(next) {
				continue
			}
			next = time.Now().Add(scanEach)
			if err := s.takeOver(ctx, func(server string) bool { return server != c.Name && !c.lives(server) }); err != nil {
				s.Log.Error("the judgements of lost servers are looked for again", "error", err)
				next = time.Now().Add(signEach)
			}
		}
	}()
	return ended, nil
}

// takeOver begins again the judgements of servers for which is holds.
func (s *Server) takeOver(ctx context.Context, is func(server string) bool) error {
	left, err := s.State.Names(ctx, ended)
	if err != nil {
		return fmt.Errorf("the judgements of the last server: %w", err)
	}
	all := make(map[string]*acceptance)
	calls := make(map[string]*choice)
	servers := make(map[string]bool)
	for _, id := range left {
		a, err := s.acceptanceOf(ctx, id)
		if err != nil {
			return fmt.Errorf("judgement %s: %w", id, err)
		}
		if a != nil && is(a.Server) && s.underWay(id) == nil {
			all[id], servers[a.Server] = a, true
			a.choose(calls)
		}
	}
	if len(all) > 0 {
		s.Log.Warn("judgements that were under way when a server ended are begun again", "judgements", len(all))
	}
	for id, a := range all {
		s.resume(ctx, id, a, calls[a.Call])
	}
	for name := range servers {
		if s.Cluster != nil && name != s.Cluster.Name && name != "" {
			err = errors.Join(err, s.State.Abandon(ctx, name))
		}
	}
	return err
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

// adopt begins a judgement whose entry JetStream has stored without an answer: the other servers
// say that this one makes it. It reports whether the entry was found.
func (s *Server) adopt(ctx context.Context, id string) bool {
	a, err := s.acceptanceOf(ctx, id)
	if err != nil || a == nil || a.revision == 0 {
		return false // it may come
	}
	if a.Server == s.Cluster.Name && s.underWay(id) == nil {
		calls := make(map[string]*choice)
		a.choose(calls)
		s.resume(ctx, id, a, calls[a.Call])
	}
	return true
}

// checkAgain is check, which waits while another server that has the files does not answer, or
// there is no room for them.
func (s *Server) checkAgain(ctx context.Context, token *Token, r *api.Request, call *choice) (*task, error) {
	for pause := time.Second; ; pause = min(2*pause, 10*time.Second) {
		t, err := s.check(ctx, token, r, call)
		p, is := errors.AsType[*blob.Problem](err)
		if !is || p.Status != http.StatusServiceUnavailable && p.Status != http.StatusInsufficientStorage {
			return t, err
		}
		s.Log.Warn("a judgement waits for its files", "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// resume begins a judgement of a call again.
func (s *Server) resume(ctx context.Context, id string, a *acceptance, call *choice) {
	if a.Server = s.Cluster.name(); !a.Waits {
		a.Restarts++
	}
	a.Waits = false
	now := a.judgement(id)
	now.State = api.Queued
	g, run := newJudgement(now)
	g.stay()
	if g.revision = a.revision; s.enter(g) != g {
		return
	}
	if err := s.note(ctx, g, a); err != nil {
		s.Log.Warn("a judgement is not begun again", "id", id, "error", err) // another server has
		s.refuse(g)
		return
	}
	close(g.entered)
	release := s.busy.add(a.Token)
	go func() {
		defer release()
		var t *task
		var err error
		switch {
		case a.damaged:
			err = fmt.Errorf("given up: %w: send it again", errDamaged)
		case a.Restarts > mostRestarts:
			err = fmt.Errorf("given up: the server has ended %d times while it was under way", a.Restarts)
		default:
			t, err = s.checkAgain(run, &Token{Name: a.Token, Scopes: []Scope{Admin}}, a.Request, call)
		}
		if err == nil {
			g.change(func() { g.now.Copies = t.copies })
			s.senders.free(a.Token, -t.bytes)
			s.judge(run, g, t)
			return
		}
		if s.postpones(run, g, 0) {
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
