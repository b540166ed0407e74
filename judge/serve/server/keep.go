package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/server/queue"
)

// A judgement has a log in JetStream, which is what a server knows of it that is started
// again. Its entries are of these kinds; a judgement that is sent again after it was cancelled
// goes on with another acceptance.
const (
	accepted = "accepted" // the request, an acceptance
	resumed  = "resumed"  // it was begun again, a resumption
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

	restarts int  // how often it was begun again
	damaged  bool // the rest is not known
}

// A resumption is that of a judgement whose server was killed.
type resumption struct {
	Restarts int    `json:"restarts"`
	Server   string `json:"server,omitempty"`
}

// judgementID matches the ids of judgements.
var judgementID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// errDamaged is the error of a judgement that is not kept as it was written.
var errDamaged = fmt.Errorf("%w of this judgement", queue.ErrDamaged)

// note adds an entry to the log of a judgement. Value is its data, or is written as JSON.
func (s *Server) note(ctx context.Context, g *judgement, kind string, value any) error {
	data, ok := value.([]byte)
	var err error
	if !ok {
		data, err = json.Marshal(value)
	}
	if err == nil {
		err = s.State.Append(ctx, g.now.ID, queue.Entry{Number: g.entries + 1, Kind: kind, Data: data})
	}
	if err == nil {
		g.entries++
	}
	return err
}

// keep writes a judgement that has ended to its log. It waits while the disk is full.
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
	return s.note(context.Background(), g, ended, b.Bytes())
}

// A kept is what the log of a judgement says.
type kept struct {
	entries int            // 0 if there is none
	end     *api.Judgement // nil if it has not ended
	runs    [][]byte       // of one that has ended
	other   *elsewhere     // who makes it or made it, of one that has not ended; nil without a cluster
}

// read returns what is kept of a judgement. The error is errDamaged if that is not what was
// written.
func (s *Server) read(ctx context.Context, id string) (k kept, err error) {
	if !judgementID.MatchString(id) {
		return k, nil
	}
	e, err := s.State.Last(ctx, id)
	if k.entries = e.Number; err != nil {
		if errors.Is(err, queue.ErrDamaged) {
			err = errDamaged
		}
		return k, err
	}
	if e.Kind != ended {
		if s.Cluster == nil || k.entries == 0 {
			return k, nil
		}
		a, err := s.acceptanceOf(ctx, id, e)
		k.other = &elsewhere{a.Server, a.judgement(id)}
		return k, err
	}
	lines := bytes.Split(e.Data, []byte("\n"))
	k.end, k.runs = new(api.Judgement), lines[:len(lines)-1]
	return k, json.Unmarshal(lines[len(lines)-1], k.end)
}

// acceptanceOf returns the acceptance of a judgement that has not ended, whose log has that
// last entry.
func (s *Server) acceptanceOf(ctx context.Context, id string, last queue.Entry) (*acceptance, error) {
	a, server := &acceptance{Request: new(api.Request)}, ""
	for number := last.Number; number > 0; number-- {
		e, err := s.State.Entry(ctx, id, number)
		if errors.Is(err, queue.ErrDamaged) || err == nil && e.Kind != accepted && e.Kind != resumed {
			break
		}
		var r resumption
		if err == nil && e.Kind == accepted {
			err = json.Unmarshal(e.Data, a)
		} else if err == nil {
			err = json.Unmarshal(e.Data, &r)
		}
		if a.Server = cmp.Or(server, a.Server); err != nil || e.Kind == accepted {
			return a, err
		}
		a.restarts++
		server = cmp.Or(server, r.Server)
	}
	a.damaged = true
	return a, nil
}

// judgement returns the judgement of an acceptance, which runs.
func (a *acceptance) judgement(id string) api.Judgement {
	return api.Judgement{ID: id, State: api.Running, Problem: a.Request.Problem, Language: a.Language, Created: a.Created,
		Request: a.Hash, By: a.Token, Restarts: a.restarts}
}
