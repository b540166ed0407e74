package server

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/remote"
)

// The answer to a work item comes in parts, to its own token; without a client that waits or
// comes for more, the item is cancelled.
func TestItemInParts(t *testing.T) {
	was := returnTime
	returnTime = 2 * time.Second
	defer func() { returnTime = was }()
	hold := make(chan struct{})
	s := newSite(t, func(s *Server, p *pool) { s.Poll, p.hold = 200*time.Millisecond, hold })
	i := itemOf("")
	i.Judge = "test"
	data, err := i.Encode()
	if err != nil {
		t.Fatal(err)
	}
	begin := func() (id string) {
		t.Helper()
		status, header, answer := s.send("POST", "/v1/items", bytes.NewReader(data))
		if id = header.Get(remote.ItemHeader); status != 200 || id == "" || strings.TrimSpace(string(answer)) != "" {
			t.Fatalf("status %d, id %q: %s: expected an id and no lines", status, id, answer)
		}
		return id
	}
	forgotten := func(what, id string, within time.Duration) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			waiting := 0
			s.s.senders.change("ann", func(one *sender) { waiting = int(one.waiting) })
			if _, is := s.s.answers.Load(id); !is && waiting == 0 {
				return
			}
			if time.Since(began) > within {
				t.Fatalf("%s: after %v the answer is kept, or %d bytes of it: expected none", what, within, waiting)
			}
		}
	}
	forgotten("nobody comes", begin(), time.Minute)
	gone := begin()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/v1/items/"+gone+"?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+submitSecret)
	if response, err := http.DefaultClient.Do(r); err == nil {
		response.Body.Close()
	}
	forgotten("the client is gone", gone, returnTime/2)

	id := begin()
	for _, tt := range []struct {
		path, token string
		status      int
	}{
		{id + "?after=0", submitSecret, 200},
		{id + "?after=0", otherSecret, 404},
		{id + "?after=0", readSecret, 403},
		{id, submitSecret, 400},
		{id + "?after=-1", submitSecret, 400},
		{"none?after=0", submitSecret, 404},
		{id + "?after=7", submitSecret, 200},
	} {
		if status, _, answer := s.send("GET", "/v1/items/"+tt.path, nil, "Authorization: Bearer "+tt.token); status != tt.status {
			t.Errorf("%s: status %d: %s: expected %d", tt.path, status, answer, tt.status)
		}
	}
	close(hold)
	for {
		status, _, answer := s.send("GET", "/v1/items/"+id+"?after=0", nil)
		if len(answer) == 0 && status == 200 {
			continue
		}
		if lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n")); status != 200 || len(lines) != 1 || !remote.IsLast(lines[0]) {
			t.Errorf("status %d: %s: expected the last line", status, answer)
		}
		break
	}
	forgotten("the client has the answer", id, time.Minute)
}
