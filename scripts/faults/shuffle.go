//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"
)

const (
	longestDelay  = 50 * time.Millisecond
	longestRepeat = time.Second // a repeat also comes after later requests, even of other leases
	longest       = 30 * time.Second
)

// A relay passes on the requests of workers. Each has another way to make them go wrong.
type relay struct {
	next                          http.Handler
	on                            atomic.Bool
	requests, repeated, lost, cut atomic.Int64
}

// said is what the relay has done.
func (s *relay) said() string {
	return fmt.Sprintf("%d requests: %d repeated, %d without their answer, %d longer than %v", s.requests.Load(),
		s.repeated.Load(), s.lost.Load(), s.cut.Load(), longest)
}

// pass passes on a request with a body that was read before.
func (s *relay) pass(ctx context.Context, w http.ResponseWriter, r *http.Request, body []byte) {
	r = r.Clone(ctx)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	s.next.ServeHTTP(w, r)
}

// shuffle delays requests about leases while the relay is on. It repeats some of them, and
// instead of the answers to others, the connection ends: the worker sends these again.
func (s *relay) shuffle(w http.ResponseWriter, r *http.Request) {
	if !s.on.Load() || !strings.HasPrefix(r.URL.Path, "/v1/leases/") && !strings.HasSuffix(r.URL.Path, "/alive") {
		s.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	s.requests.Add(1)
	time.Sleep(rand.N(longestDelay))
	switch rand.IntN(4) {
	case 0:
		s.repeated.Add(1)
		go func() {
			time.Sleep(rand.N(longestRepeat))
			s.pass(context.Background(), httptest.NewRecorder(), r, body)
		}()
	case 1:
		s.lost.Add(1)
		s.pass(r.Context(), httptest.NewRecorder(), r, body)
		panic(http.ErrAbortHandler)
	}
	s.pass(r.Context(), w, r, body)
}

// buffer reads whole requests, and whole answers, before it passes them on, as some proxies
// do. It cuts what takes longer than they permit; so does http.Server.ReadTimeout.
func (s *relay) buffer(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	body, err := io.ReadAll(r.Body)
	answer := httptest.NewRecorder()
	if err == nil {
		s.pass(ctx, answer, r, body)
	}
	if err != nil || ctx.Err() != nil {
		if r.Context().Err() == nil {
			s.cut.Add(1)
		}
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes())
}
