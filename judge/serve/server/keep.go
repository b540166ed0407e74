package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/server/queue"
)

// A judgement has an entry in JetStream, which is what a server knows of it that is started
// again. It is of one of these kinds.
const (
	accepted = "accepted" // an acceptance
	ended    = "ended"    // the runs in the order in which they ended, a line each, and the judgement
)

// An acceptance is what makes a judgement again if the server is killed.
type acceptance struct {
	Token    string       `json:"token"` // its name
	Created  time.Time    `json:"created_at"`
	Hash     string       `json:"hash"` // of the request
	Language string       `json:"language,omitempty"`
	Request  *api.Request `json:"request"`
	Call     string       `json:"call,omitempty"`   // the judgements of one call are in one class
	Class    string       `json:"class,omitempty"`  // "" if it was not chosen yet, or any worker may make the runs
	Server   string       `json:"server,omitempty"` // that makes it; "" without a cluster
	Restarts int          `json:"restarts,omitempty"`
	Waits    bool         `json:"waits,omitempty"` // for a server that begins it

	revision uint64 // of the entry
	damaged  bool   // the rest is not known
}

// judgementID matches the ids of judgements.
var judgementID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// errDamaged is the error of a judgement that is not kept as it was written.
var errDamaged = fmt.Errorf("%w of this judgement", queue.ErrDamaged)

// note writes the entry of a judgement that is under way.
func (s *Server) note(ctx context.Context, g *judgement, a *acceptance) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	g.revision, err = s.State.Write(ctx, g.now.ID, queue.Entry{Revision: g.revision, Kind: accepted, Data: data})
	return err
}

// keep writes the entry of a judgement that has ended. It waits while the disk is full.
func (s *Server) keep(g *judgement, end *api.Judgement) error {
	last, err := json.Marshal(end)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, one := range g.runs {
		b.Write(one)
		b.WriteByte('\n')
	}
	b.Write(last)
	e := queue.Entry{Revision: g.revision, Kind: ended, Data: b.Bytes()}
	_, err = s.State.Write(context.Background(), g.now.ID, e)
	return err
}

// A kept is what the entry of a judgement says.
type kept struct {
	revision uint64         // 0 if there is none
	end      *api.Judgement // nil if it has not ended
	runs     [][]byte       // of one that has ended
	other    *elsewhere     // who makes it or made it, of one that has not ended; nil without a cluster
}

// read returns what is kept of a judgement. The error is errDamaged if that is not what was
// written.
func (s *Server) read(ctx context.Context, id string) (k kept, err error) {
	if !judgementID.MatchString(id) {
		return k, nil
	}
	e, err := s.State.Entry(ctx, id)
	if errors.Is(err, queue.ErrDamaged) {
		err = errDamaged
	}
	if k.revision = e.Revision; err != nil || k.revision == 0 {
		return k, err
	}
	if e.Kind != ended {
		var a acceptance
		if err = json.Unmarshal(e.Data, &a); err == nil && s.Cluster != nil {
			k.other = &elsewhere{a.Server, a.judgement(id)}
		}
		return k, err
	}
	lines := bytes.Split(e.Data, []byte("\n"))
	k.end, k.runs = new(api.Judgement), lines[:len(lines)-1]
	return k, json.Unmarshal(lines[len(lines)-1], k.end)
}

// acceptanceOf returns the acceptance of a judgement; nil if it has ended.
func (s *Server) acceptanceOf(ctx context.Context, id string) (*acceptance, error) {
	e, err := s.State.Entry(ctx, id)
	a := &acceptance{Request: new(api.Request), revision: e.Revision}
	switch {
	case errors.Is(err, queue.ErrDamaged):
		a.damaged = true
		return a, nil
	case err != nil || e.Kind != accepted:
		return nil, err
	}
	return a, json.Unmarshal(e.Data, a)
}

// judgement returns the judgement of an acceptance, which runs.
func (a *acceptance) judgement(id string) api.Judgement {
	return api.Judgement{ID: id, State: api.Running, Problem: a.Request.Problem, Language: a.Language, Created: a.Created,
		Request: a.Hash, By: a.Token, Restarts: a.Restarts}
}
