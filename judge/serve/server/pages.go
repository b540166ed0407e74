package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// The methods of this file are the HTTP interface for the pages of the same process, see
// package page. By is the name of a token.

// Owner returns the name of the token with a secret, and whether there is one.
func (s *Server) Owner(secret string) (by string, ok bool) {
	if t := s.Tokens.find(secret); t != nil {
		return t.Name, t.Permits(Read)
	}
	return "", false
}

// Permitted reports whether there is a token of that name that permits to read, and
// whether it permits to submit, and everything.
func (s *Server) Permitted(by string) (read, submit, all bool) {
	t := s.Tokens.named(by)
	if t == nil {
		return false, false, false
	}
	return t.Permits(Read), t.Permits(Submit), t.Permits(Administer)
}

// ListProblems returns the problems; see [Problems.List].
func (s *Server) ListProblems() ([]api.Problem, error) { return s.Problems.List() }

// ListWorkers returns the workers; none if the pool has none that register.
func (s *Server) ListWorkers() []api.Worker {
	if s.Workers == nil {
		return nil
	}
	return s.Workers.List()
}

// OpenProblem returns a problem by its id or digest, and a function that ends its use. The
// error is a [*blob.Problem].
func (s *Server) OpenProblem(ctx context.Context, name string) (*problem.Problem, func(), error) {
	p, err := s.Problems.Find(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return p.p, p.close, nil
}

// Begin begins a judgement, as POST /v1/judgements does. The key is that of
// Idempotency-Key. The error is a [*blob.Problem].
func (s *Server) Begin(ctx context.Context, by, key string, r *api.Request) (*api.Judgement, error) {
	token := s.Tokens.named(by)
	if token == nil {
		return nil, blob.NewProblem(http.StatusUnauthorized, "token %.60q is not known to this server", by)
	}
	if err := s.stopping(); err != nil {
		return nil, err
	}
	t, err := s.check(ctx, r, new(choice))
	if err != nil {
		return nil, err
	}
	g, old, err := s.begin(ctx, token, key, t, true)
	if g != nil {
		now, _, _ := g.look(0)
		old = &now
	}
	return old, err
}

// Look returns a judgement as it is now, its runs after the first ones, and a channel that
// is closed at the next change; nil if it has ended. The error is a [*blob.Problem].
func (s *Server) Look(id string, after int) (now *api.Judgement, runs [][]byte, changed <-chan struct{}, err error) {
	g, now, runs, err := s.lookup(context.Background(), id)
	if g != nil {
		seen, runs, changed := g.look(after)
		if seen.Ended != nil {
			changed = nil
		}
		return &seen, runs, changed, nil
	}
	return now, runs[min(max(after, 0), len(runs)):], nil, err
}

// Cancel cancels a judgement of a token; one that has ended stays.
func (s *Server) Cancel(by, id string) error {
	g, _, _, err := s.lookup(context.Background(), id)
	if err != nil || g == nil {
		return err
	}
	return s.cancelAs(s.Tokens.named(by), g)
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
