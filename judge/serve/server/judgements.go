package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

const batchAtOnce = 1000 // judgements of one batch that are under way

// decode reads the JSON of a request. The error is a [*blob.Problem].
func (s *Server) decode(r *http.Request, to any) error {
	data, err := s.readBody(r, s.senders.Body)
	if err != nil {
		return err
	}
	return parse(data, to)
}

// readBody reads the body of a request, of at most so many bytes, which count as bytes in
// memory until the request has its answer. The error is a [*blob.Problem].
func (s *Server) readBody(r *http.Request, most int64) ([]byte, error) {
	kept := &keptReader{Reader: io.LimitReader(r.Body, most+1), of: &s.senders, name: clientOf(r)}
	data, err := io.ReadAll(kept)
	context.AfterFunc(r.Context(), func() { s.senders.free(kept.name, kept.bytes) })
	p := new(blob.Problem)
	switch {
	case errors.As(err, &p):
		return nil, p
	case err != nil:
		return nil, blob.NewProblem(http.StatusBadRequest, "the request ends early: %v", err)
	case int64(len(data)) > most:
		return nil, blob.NewProblem(http.StatusRequestEntityTooLarge, "the request has more than %d bytes", most)
	}
	return data, nil
}

// stopping returns the error of a server that takes no more work, or nil.
func (s *Server) stopping() error {
	if s.draining.Load() {
		return blob.NewProblem(http.StatusServiceUnavailable, "the server is about to stop")
	}
	if s.Workers == nil {
		return nil
	}
	if err := s.Workers.Queue.Ready(); errors.Is(err, queue.ErrAway) {
		return blob.NewProblem(http.StatusServiceUnavailable, "the cluster of NATS stores nothing: the server takes no "+
			"new work")
	} else if err != nil {
		return noRoom()
	}
	return nil
}

// noRoom returns the error of a server whose disk is full, or the part of it that it may use.
func noRoom() error {
	return blob.NewProblem(http.StatusInsufficientStorage, "the disk of the server, or its share of it, "+
		"is full: it takes no new work")
}

// putPackage stores a package.
func (s *Server) putPackage(w http.ResponseWriter, r *http.Request) {
	d, err := blob.Parse(r.PathValue("digest"))
	if err != nil {
		blob.WriteError(w, http.StatusBadRequest, err)
		return
	}
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(30 * time.Minute))
	if err := s.Problems.Put(r.Context(), tokenOf(r).Name, d, r.Body); err != nil {
		refuse(w, err)
		return
	}
	p, err := s.Problems.Find(r.Context(), d.String())
	if err != nil {
		refuse(w, err)
		return
	}
	defer p.close()
	found := p.describe()
	found.Digest = d.String()
	found.Copies = s.Peers.copied(r.Context(), s.Store, []blob.Digest{p.tree}, nil)
	writeJSON(w, http.StatusCreated, found)
}

// problems answers with the list of problems.
func (s *Server) problems(w http.ResponseWriter, r *http.Request) {
	all, err := s.ListProblems(tokenOf(r))
	if err != nil {
		refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, all)
}

// problem answers with the description of one problem.
func (s *Server) problem(w http.ResponseWriter, r *http.Request) {
	p, view, err := s.Problems.find(r.Context(), tokenOf(r), r.PathValue("problem"))
	if err != nil {
		refuse(w, err)
		return
	}
	defer p.close()
	writeJSON(w, http.StatusOK, view.Problem(p.describe()))
}

// postJudgement begins a judgement and waits for it as long as the request asks for.
func (s *Server) postJudgement(w http.ResponseWriter, r *http.Request) {
	var given api.Request
	key := r.Header.Get("Idempotency-Key")
	err := s.stopping()
	if err == nil {
		err = s.decode(r, &given)
	}
	if err == nil && len(key) > maxKeySize {
		err = blob.NewProblem(http.StatusBadRequest, "an Idempotency-Key of %d bytes: expected at most %d", len(key),
			maxKeySize)
	}
	if err == nil && given.Key != "" {
		err = blob.NewProblem(http.StatusUnprocessableEntity,
			"key %.60q: expected a key in lines of batches only; here it is the header Idempotency-Key", given.Key)
	}
	var g *judgement
	var now *api.Judgement
	if err == nil {
		g, now, err = s.ask(r.Context(), tokenOf(r), key, &given, newChoice())
	}
	if err != nil {
		refuse(w, err)
		return
	}
	if g != nil {
		wait := time.NewTimer(time.Duration(given.Wait * float64(time.Second)))
		defer wait.Stop()
		select {
		case <-g.done:
		case <-wait.C:
		case <-r.Context().Done():
			return
		}
		seen, _, _ := g.look(0)
		now = &seen
	}
	now = s.seen(tokenOf(r), now)
	w.Header().Set("Location", "/v1/judgements/"+now.ID)
	if now.Ended == nil {
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusAccepted, now)
		return
	}
	writeJSON(w, http.StatusOK, now)
}

// seen returns a judgement as a token shows it.
func (s *Server) seen(t *Token, g *api.Judgement) *api.Judgement {
	return s.Problems.ViewOf(t, g.By, g.Problem).Judgement(g)
}

// lookup returns a judgement that is under way, or one that has ended with its runs. The
// error is a [*blob.Problem].
func (s *Server) lookup(ctx context.Context, id string) (*judgement, *api.Judgement, [][]byte, error) {
	if g := s.underWay(id); g != nil {
		return g, nil, nil, nil
	}
	k, err := s.read(ctx, id)
	switch {
	case k.end == nil && k.other == nil && s.draining.Load():
		return nil, nil, nil, s.stopping() // it waits for the next start, or what is kept cannot be read any more
	case errors.Is(err, errDamaged):
		return nil, nil, nil, blob.NewProblem(http.StatusInternalServerError, "judgement %s: %v", id, err)
	case err != nil:
		return nil, nil, nil, err
	case k.other != nil:
		return nil, nil, nil, k.other
	case k.end == nil:
		return nil, nil, nil, noJudgement(id)
	}
	return nil, k.end, k.runs, nil
}

func noJudgement(id string) error {
	return blob.NewProblem(http.StatusNotFound,
		"judgement %.60q: found none of that id; those that ended long ago are removed", id)
}

// lookupAs is lookup for a token, and returns what the token shows. What it hides is not
// found.
func (s *Server) lookupAs(ctx context.Context, t *Token, id string) (*judgement, *api.Judgement, [][]byte, api.View,
	error) {
	g, now, runs, err := s.lookup(ctx, id)
	of := now
	if g != nil {
		seen, _, _ := g.look(0)
		of = &seen
	}
	if e, is := errors.AsType[*elsewhere](err); is {
		of = &e.now
	}
	if of == nil { // its disk may have changed whose it is
		if p, is := errors.AsType[*blob.Problem](err); is && p.Status != http.StatusServiceUnavailable && !t.JudgesAll() {
			err = noJudgement(id)
		}
		return nil, nil, nil, api.Hidden, err
	}
	v := s.Problems.ViewOf(t, of.By, of.Problem)
	if v == api.Hidden {
		return nil, nil, nil, v, noJudgement(id)
	}
	return g, now, runs, v, err
}

// answerError answers with the error of lookupAs.
func (s *Server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	if e, is := errors.AsType[*elsewhere](err); is {
		s.Cluster.forward(w, r, e, s.Log)
	} else {
		refuse(w, err)
	}
}

// getJudgement answers with a judgement as it is now.
func (s *Server) getJudgement(w http.ResponseWriter, r *http.Request) {
	g, now, runs, view, err := s.lookupAs(r.Context(), tokenOf(r), r.PathValue("id"))
	if err != nil {
		s.answerError(w, r, err)
		return
	}
	if g != nil {
		var seen api.Judgement
		seen, runs, _ = g.look(0)
		now = &seen
	}
	tag := fmt.Sprintf("%q", fmt.Sprintf("%s-%s", now.State, eventID(now, len(runs))))
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	writeJSON(w, http.StatusOK, view.Judgement(now))
}

// deleteJudgement cancels a judgement. One that has ended stays as it is.
func (s *Server) deleteJudgement(w http.ResponseWriter, r *http.Request) {
	g, now, _, view, err := s.lookupAs(r.Context(), tokenOf(r), r.PathValue("id"))
	if err != nil {
		s.answerError(w, r, err)
		return
	}
	if g != nil {
		if err := s.cancelAs(tokenOf(r), g); err != nil {
			refuse(w, err)
			return
		}
		select {
		case <-g.done:
		case <-r.Context().Done():
			return
		}
		seen, _, _ := g.look(0)
		now = &seen
	}
	writeJSON(w, http.StatusOK, view.Judgement(now))
}

// eventID returns the id of an event. Runs that are made again after a restart of the
// server may come in another order, so their events have other ids.
func eventID(g *api.Judgement, n int) string {
	if g.Restarts == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d-%d", g.Restarts, n)
}

// lastEvent returns the number of events that a client has. After a restart of the
// server, all are sent again.
func lastEvent(g *api.Judgement, last string) (int, error) {
	if last == "" {
		return 0, nil
	}
	restarts, number := 0, last
	first, second, found := strings.Cut(last, "-")
	var err error
	if found {
		number = second
		restarts, err = strconv.Atoi(first)
	}
	n, bad := strconv.Atoi(number)
	if err != nil || bad != nil || n < 0 || restarts < 0 {
		return 0, blob.NewProblem(http.StatusBadRequest, "Last-Event-ID %.20q: expected the id of an event", last)
	}
	if restarts != g.Restarts {
		return 0, nil
	}
	return n, nil
}

// cancelAs cancels a judgement for a token. The error is a [*blob.Problem].
func (s *Server) cancelAs(token *Token, g *judgement) error {
	seen, _, _ := g.look(0)
	err := mayCancel(token, &seen)
	if err == nil {
		g.cancel(errCancelled)
	}
	return err
}

// mayCancel returns the error of a token that may not cancel a judgement.
func mayCancel(token *Token, seen *api.Judgement) error {
	if seen.By != token.Name && !token.Permits(Admin) {
		return blob.NewProblem(http.StatusForbidden,
			"judgement %s is of %s: expected the same token, or one with scope admin", seen.ID, seen.By)
	}
	return nil
}

// events sends the runs of a judgement as they end, and then the judgement, as
// server-sent events. Last-Event-ID continues after an event. With ?parts=1 the answer ends
// after the time of a poll, with the event more.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	g, now, runs, view, err := s.lookupAs(r.Context(), tokenOf(r), r.PathValue("id"))
	after := 0
	if err == nil {
		if g != nil {
			seen, _, _ := g.look(0)
			now = &seen
		}
		after, err = lastEvent(now, r.Header.Get("Last-Event-ID"))
	}
	if err != nil {
		s.answerError(w, r, err)
		return
	}
	out := newLines(w)
	defer out.stop()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	send := func(runs [][]byte) error {
		for _, one := range runs {
			after++
			if err := out.line(fmt.Appendf(nil, "id: %s\nevent: run\ndata: %s\n\n", eventID(now, after),
				view.Run(one))); err != nil {
				return err
			}
		}
		return nil
	}
	if g == nil {
		if send(runs[min(after, len(runs)):]) == nil {
			after = max(after, len(runs))
			sendEnd(out, after+1, view.Judgement(now))
		}
		return
	}
	var late <-chan time.Time
	if r.URL.Query().Get("parts") != "" {
		late = time.After(cmp.Or(s.Poll, queue.PollTime))
	}
	for {
		seen, more, changed := g.look(after)
		if g.isTaken() {
			return // the client asks again, and is sent to the other server
		}
		if seen.Restarts != now.Restarts { // it was begun again
			now, after = &seen, 0
			continue
		}
		if send(more) != nil {
			return // the client is gone
		}
		if seen.Ended != nil {
			sendEnd(out, after+1, view.Judgement(&seen))
			return
		}
		select {
		case <-changed:
		case <-late:
			out.line([]byte("event: more\ndata:\n\n"))
			return
		case <-r.Context().Done():
			return
		}
	}
}

// sendEnd sends the last event.
func sendEnd(out *lines, n int, g *api.Judgement) {
	if data, err := json.Marshal(g); err == nil {
		out.line(fmt.Appendf(nil, "id: %s\nevent: judgement\ndata: %s\n\n", eventID(g, n), data))
	}
}

// postBatch judges the requests of NDJSON lines and answers each with a line, in the order
// in which they end. If the client goes away or reads nothing for a minute, the rest is
// cancelled; a line with a key that is sent again begins it again. If the server is killed,
// the judgements of lines with keys are made again.
func (s *Server) postBatch(w http.ResponseWriter, r *http.Request) {
	if err := s.stopping(); err != nil {
		refuse(w, err)
		return
	}
	to := http.NewResponseController(w)
	to.EnableFullDuplex() // HTTP/2 is always so
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close") // or a body that stalls would be taken for the next request
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := newLines(w)
	defer out.stop()
	to.Flush() // so that clients may read before they have sent everything
	answer := func(l *api.BatchLine) {
		data, err := json.Marshal(l)
		if err == nil {
			err = out.line(append(data, '\n'))
		}
		if err != nil {
			cancel()
		}
	}
	room, freed := make(chan struct{}, batchAtOnce), make(chan struct{}, 1)
	name, call := clientOf(r), newChoice()
	var wg sync.WaitGroup
	defer wg.Wait()
	read := s.whileJudging(r, room)
	defer read()
	// Lines that are not judged yet count as bytes in memory. If there are too many, the next
	// one waits for the end of another one.
	keep := func(bytes int) error {
		for {
			others := len(room) > 0
			if err := s.senders.keep(name, int64(bytes)); err == nil || !others {
				return err
			}
			select {
			case <-freed:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	in := bufio.NewReaderSize(r.Body, 64<<10)
	for n := 1; ctx.Err() == nil; n++ {
		line, kept, err := readLine(in, s.senders.Body, keep)
		free := func() { s.senders.free(name, int64(kept)) }
		if err != nil || len(bytes.TrimSpace(line)) == 0 {
			free()
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			p := new(blob.Problem)
			if !errors.As(err, &p) {
				p = blob.NewProblem(http.StatusBadRequest, "%v", err)
			}
			p.Detail = fmt.Sprintf("line %d: %s", n, p.Detail)
			answer(&api.BatchLine{Error: p})
			return
		}
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			free()
			return
		}
		wg.Go(func() {
			defer func() {
				free()
				<-room
				select {
				case freed <- struct{}{}:
				default:
				}
			}()
			answer(s.line(ctx, tokenOf(r), n, line, call))
		})
	}
}

// whileJudging keeps the body of a batch from being given up while a judgement of it is
// under way, whose answer the client may wait for before it sends more. It ends with the
// call of read.
func (s *Server) whileJudging(r *http.Request, room chan struct{}) (read func()) {
	body, ok := r.Body.(*intake)
	if !ok {
		return func() {}
	}
	tick, ended := time.NewTicker(s.senders.Stall/4), make(chan struct{})
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if len(room) > 0 {
					body.extend()
				}
			case <-ended:
				return
			}
		}
	}()
	return func() { close(ended) }
}

// readLine reads a line of at most some bytes, and calls keep before it takes memory for
// them; kept is their number. The error is [io.EOF] after the last line.
func readLine(in *bufio.Reader, most int64, keep func(bytes int) error) (line []byte, kept int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if int64(len(line)+len(part)) > most {
			return nil, kept, blob.NewProblem(http.StatusRequestEntityTooLarge, "expected at most %d bytes", most)
		}
		if full := keep(len(part)); full != nil {
			return nil, kept, full
		}
		kept += len(part)
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, kept, nil
		default:
			return line, kept, err
		}
	}
}

// line judges the line of a number of a batch, the call. It waits while there are too many
// judgements.
func (s *Server) line(ctx context.Context, token *Token, number int, line []byte, call *choice) *api.BatchLine {
	var given api.Request
	fail := func(err error) *api.BatchLine {
		p := blob.AsProblem(http.StatusInternalServerError, err)
		if p.Status >= 500 && !errors.As(err, new(*blob.Problem)) {
			s.Log.Error("a line of a batch", "error", err)
		}
		return &api.BatchLine{ID: given.ID, Error: p}
	}
	if err := parse(line, &given); err != nil {
		return fail(blob.NewProblem(http.StatusBadRequest, "line %d: %s", number, blob.AsProblem(0, err).Detail))
	}
	given.Wait = 0
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := s.stopping()
		var t *task
		if err == nil {
			t, err = s.check(ctx, token, &given, call)
		}
		if err != nil {
			return fail(err)
		}
		t.bytes = 0 // the line counts
		g, old, err := s.begin(ctx, token, given.Key, t, given.Key != "")
		busy := new(blob.Problem)
		switch {
		case errors.As(err, &busy) && busy.Status == http.StatusTooManyRequests:
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return fail(context.Cause(ctx))
			}
			continue
		case err != nil:
			return fail(err)
		}
		var now api.Judgement
		if g != nil {
			select {
			case <-g.done:
			case <-ctx.Done():
				if !g.leave() {
					return fail(context.Cause(ctx))
				}
				<-g.done
			}
			now, _, _ = g.look(0)
		} else {
			now = *old
		}
		if now.Ended == nil { // another server makes it
			if old, err = s.outcome(ctx, now.ID); err != nil {
				return fail(err)
			}
			now = *old
		}
		if given.Key != "" && now.State == api.Cancelled && now.Error == errGone.Error() && ctx.Err() == nil {
			continue // an earlier batch with this key, whose client is gone, has just cancelled it
		}
		return &api.BatchLine{ID: given.ID, Judgement: s.seen(token, &now)}
	}
}
