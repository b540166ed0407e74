package server

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"crucible/judge/problem"
	"crucible/judge/serve/api"
)

// The methods of this file are the HTTP interface for the pages of the same process, see
// package page.

// Token returns the first token for which is holds, or nil.
func (s *Server) Token(is func(*Token) bool) *Token { return s.Tokens.First(is) }

// TokenOf returns the token that somebody shows, or nil.
func (s *Server) TokenOf(token string) *Token {
	secret, _, _ := api.SplitToken(token)
	return s.Tokens.Of(secret)
}

// ViewOf returns what a token shows; see [Problems.ViewOf].
func (s *Server) ViewOf(t *Token, owner, problem string) api.View {
	return s.Problems.ViewOf(t, owner, problem)
}

// ListProblems returns the problems that a token shows; see [Problems.List].
func (s *Server) ListProblems(t *Token) ([]api.Problem, error) {
	all, err := s.Problems.List(context.Background())
	return slices.DeleteFunc(all, func(p api.Problem) bool {
		return s.Problems.View(t, cmp.Or(p.Digest, p.ID)) == api.Hidden
	}), err
}

// ListWorkers returns the workers as a token shows them; none if the pool has none that
// register. Their errors name programs and cases.
func (s *Server) ListWorkers(t *Token) (all []api.Worker) {
	if s.Workers == nil {
		return nil
	}
	all = s.Workers.List()
	for i := range all {
		if t.JudgesAll() {
			break
		}
		if all[i].Err != "" {
			all[i].Err = "hidden: expected a token with scope jury of all problems"
		}
		for k := range all[i].Out {
			if all[i].Out[k].Cause == api.Differs {
				all[i].Out[k].Because = "its results differ from those of others"
			}
		}
	}
	return all
}

// OpenProblem returns a problem by its id or digest, what a token shows of it, and a
// function that ends its use. The error is a [*blob.Problem].
func (s *Server) OpenProblem(ctx context.Context, t *Token, name string) (*problem.Problem, api.View, func(), error) {
	p, v, err := s.Problems.find(ctx, t, name)
	if err != nil {
		return nil, v, nil, err
	}
	return p.p, v, p.close, nil
}

// Begin begins a judgement, as POST /v1/judgements does. The key is that of
// Idempotency-Key. The error is a [*blob.Problem].
func (s *Server) Begin(ctx context.Context, t *Token, key string, r *api.Request) (*api.Judgement, error) {
	if err := s.stopping(); err != nil {
		return nil, err
	}
	g, old, err := s.ask(ctx, t, key, r, new(choice))
	if g != nil {
		now, _, _ := g.look(0)
		old = &now
	}
	return old, err
}

// Look returns a judgement as it is now in a view, its runs after the first ones, and a
// channel that is closed at the next change; nil if it has ended. The error is a
// [*blob.Problem].
func (s *Server) Look(v api.View, id string, after int) (now *api.Judgement, runs [][]byte, changed <-chan struct{},
	err error) {
	g, now, runs, err := s.lookup(context.Background(), id)
	if e, is := errors.AsType[*elsewhere](err); is { // its runs come at the end
		soon := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(soon) })
		return v.Judgement(&e.now), nil, soon, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if g != nil {
		var seen api.Judgement
		seen, runs, changed = g.look(after)
		if now = &seen; seen.Ended != nil {
			changed = nil
		}
	} else {
		runs = runs[min(max(after, 0), len(runs)):]
	}
	return v.Judgement(now), v.Runs(runs), changed, nil
}

// Cancel cancels a judgement of a token; one that has ended stays.
func (s *Server) Cancel(t *Token, id string) error {
	g, _, _, _, err := s.lookupAs(context.Background(), t, id)
	if e, is := errors.AsType[*elsewhere](err); is {
		return cmp.Or(mayCancel(t, &e.now), s.State.Say("cancel", []byte(id)))
	}
	if err != nil || g == nil {
		return err
	}
	return s.cancelAs(t, g)
}

// Live returns the judgements that have not ended, those that began first at the front.
func (s *Server) Live() []api.Judgement {
	s.judging.Lock()
	all := make([]api.Judgement, 0, len(s.live))
	for _, g := range s.live {
		now, _, _ := g.look(0)
		all = append(all, now)
	}
	s.judging.Unlock()
	all = slices.DeleteFunc(all, func(g api.Judgement) bool { return g.Ended != nil })
	slices.SortFunc(all, func(a, b api.Judgement) int {
		return cmp.Or(a.Created.Compare(b.Created),
			cmp.Compare(a.ID, b.ID))
	})
	return all
}
