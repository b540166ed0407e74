package server

import (
	"context"
	"fmt"
	"testing"

	"crucible/judge/serve/remote"
)

// An orderedPool sends the priority and the name of each item that begins.
type orderedPool struct {
	remote.Pool
	began chan string
}

func (p *orderedPool) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	p.began <- fmt.Sprint(ctx.Value(priorityKey{}), " ", i.Submission.Name)
	return p.Pool.Do(ctx, i, line)
}

// A judgement with a high priority begins before those of the same token that wait, and not
// before those of others.
func TestPriority(t *testing.T) {
	hold := make(chan struct{})
	ordered := &orderedPool{began: make(chan string, 2*atOnce)}
	s := newSite(t, func(s *Server, p *pool) {
		p.hold, ordered.Pool = hold, p
		s.Problems.Pool = ordered
	})
	post := func(name string, priority int, headers ...string) {
		t.Helper()
		r := program("cat # " + name)
		r.Sources = map[string]string{name + ".sh": r.Sources["a.sh"]}
		r.Case, r.Wait, r.Priority = "sample/1", 0, priority
		r.Output = true // so it has a judge of its own, which bounds no others
		if status, _, answer := s.send("POST", "/v1/judgements", r, headers...); status != 202 {
			t.Fatalf("%s: status %d: %s", name, status, answer)
		}
	}
	for i := range atOnce {
		post(fmt.Sprint("first", i), -1)
		<-ordered.began
	}
	const waiting = 8
	for i := range waiting {
		post(fmt.Sprint("waiting", i), 0)
	}
	post("urgent", 10)
	post("other", -10, "Authorization: Bearer "+otherSecret)
	if one := <-ordered.began; one != "-10 other.sh" {
		t.Errorf("%s begins: expected the one of another token", one)
	}
	defer close(hold)
	at := -1
	for i := range waiting + 1 {
		hold <- struct{}{} // one ends, so that one begins
		if one := <-ordered.began; one == "10 urgent.sh" {
			at = i
		}
	}
	if at < 0 || at > waiting/2 {
		t.Errorf("the urgent one begins as number %d of those that waited: expected that it is one of the first", at)
	}
}
