package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// ownPrefix is that of the names of the packages of executions, which no token shows.
const ownPrefix = "execution/"

// View returns what a token shows of a problem, by its id or digest. A package that was
// sent is that of its senders.
func (k *Problems) View(t *Token, problem string) api.View {
	_, err := blob.Parse(problem)
	sent := err == nil
	switch {
	case strings.HasPrefix(problem, ownPrefix):
		return api.Hidden
	case t.JudgesAll(), slices.Contains(t.Scopes, Scope(jurysPrefix+problem)):
		return api.Whole
	case sent && t.Permits(Jury, Eval) && k.isFrom(problem, t.Name):
		return api.Whole
	case !sent && t.Permits(Student, Read):
		return api.Outline
	}
	return api.Hidden
}

// ViewOf returns what a token shows of a judgement that a client has asked for.
func (k *Problems) ViewOf(t *Token, owner, problem string) api.View {
	v := k.View(t, problem)
	switch {
	case v == api.Whole:
		return v
	case owner == t.Name:
		return api.Outline
	}
	return api.Hidden
}

// find returns an open package as Find does, and what a token shows of it. What
// it hides is not found.
func (k *Problems) find(ctx context.Context, t *Token, name string) (*pack, api.View, error) {
	v := k.View(t, name)
	if v == api.Hidden {
		return nil, v, blob.NewProblem(http.StatusNotFound, "problem %.200s: found none of that id or digest",
			terminal.QuoteName(name))
	}
	p, err := k.Find(ctx, name)
	if defect := new(blob.Problem); v == api.Outline && errors.As(err, &defect) &&
		defect.Status == http.StatusUnprocessableEntity {
		err = blob.NewProblem(defect.Status, "problem %.200s cannot be opened; the jury sees why", terminal.QuoteName(name))
	}
	return p, v, err
}

// mayAsk returns an error for what a request must not have that is of somebody who sees the
// outline of its problem. The error is a [*blob.Problem].
func mayAsk(r *api.Request) error {
	var bad string
	switch {
	case r.Own != "":
		bad = "submission"
	case len(r.Files) > 0:
		bad = "files"
	case r.Output:
		bad = "output"
	case r.Images:
		bad = "images"
	case r.Limits != nil:
		bad = "limits"
	case r.Case != "" && !api.IsSample(r.Case):
		bad = "case"
	default:
		return nil
	}
	return blob.NewProblem(http.StatusForbidden, "%s: expected none, or a token with scope jury of problem %.200s", bad,
		terminal.QuoteName(r.Problem))
}

// isFrom reports whether a client has sent a package.
func (k *Problems) isFrom(digest, name string) bool {
	one, err := k.sentAs(context.Background(), digest)
	return err == nil && slices.Contains(one.By, name)
}
