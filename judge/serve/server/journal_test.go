package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
)

// resumed starts a server that resumes what an earlier one left in dir.
func resumed(t *testing.T, dir string, durable bool, change func(*Server, *pool)) *site {
	t.Helper()
	s := newSite(t, func(s *Server, p *pool) {
		s.Problems.Dir = dir
		if change != nil {
			change(s, p)
		}
	})
	stop, err := s.s.Resume(t.Context(), durable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return s
}

// ofBatch is the judgement of the only line of the answer to a batch.
func ofBatch(t *testing.T, answer []byte) *api.Judgement {
	t.Helper()
	var l api.BatchLine
	if err := json.Unmarshal(bytes.TrimSpace(answer), &l); err != nil || l.Judgement == nil {
		t.Fatalf("%s: %v: expected a judgement", answer, err)
	}
	return l.Judgement
}

// until waits for something that happens in another goroutine.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("after 30 s not: ", what)
		}
	}
}

// The first server is never told to end, as if it was killed.
func TestKilled(t *testing.T) {
	for _, durable := range []bool{false, true} {
		t.Run(fmt.Sprintf("durable=%v", durable), func(t *testing.T) {
			dir, hold := t.TempDir(), make(chan struct{})
			defer close(hold)
			first := resumed(t, dir, durable, func(_ *Server, p *pool) { p.hold = hold })
			r := program("cat")
			r.Wait = 0
			_, g := first.judge(r, "Idempotency-Key: k")
			r.Key = "b"
			line, _ := json.Marshal(r)
			r.Key = ""
			free, _ := json.Marshal(r)
			ctx, gone := context.WithCancel(t.Context())
			defer gone()
			batch, err := http.NewRequestWithContext(ctx, "POST", first.URL+"/v1/judgements:batch", strings.NewReader(string(line)+"\n"+string(free)+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			batch.Header.Set("Authorization", "Bearer "+submitSecret)
			go http.DefaultClient.Do(batch) // its error is that of gone
			until(t, "three work items", func() bool { return first.pool.items.Load() == 3 })

			second := resumed(t, dir, durable, nil)
			events := "/v1/judgements/" + g.ID + "/events"
			_, _, all := second.send("GET", events, nil, "Last-Event-ID: 2")
			if !strings.HasPrefix(string(all), "id: 1-1\nevent: run\n") || strings.Count(string(all), "event: run\n") != 3 || !strings.Contains(string(all), `"verdict":"AC"`) {
				t.Errorf("events after a restart: %s: expected three runs with new ids, and AC", all)
			}
			if _, _, rest := second.send("GET", events, nil, "Last-Event-ID: 1-2"); !strings.HasPrefix(string(rest), "id: 1-3\n") || !bytes.HasSuffix(all, rest) {
				t.Errorf("events after 1-2: %s: expected the rest of %s", rest, all)
			}
			_, now := second.judge(r, "Idempotency-Key: k")
			if now.ID != g.ID || now.Restarts != 1 || now.Verdict != "AC" || !now.Created.Equal(g.Created) {
				t.Errorf("%+v: expected judgement %s with one restart", now, g.ID)
			}
			_, _, answer := second.send("POST", "/v1/judgements:batch", string(line))
			if b := ofBatch(t, answer); b.Restarts != 1 || b.Verdict != "AC" {
				t.Errorf("%+v: expected the judgement that was begun again", b)
			}
			if all, _ := filepath.Glob(filepath.Join(dir, "judgements", "*", "*")); len(all) != 2 {
				t.Errorf("found records %q: expected those of k and b", all)
			}
			third := resumed(t, dir, durable, nil)
			if data, err := os.ReadFile(third.s.journal.name); err != nil || len(data) != 0 {
				t.Errorf("the journal after all have ended: %q, %v: expected nothing", data, err)
			}
		})
	}
}

// A line with a key whose client is gone is begun again when it is sent again.
func TestBatchAgain(t *testing.T) {
	hold := make(chan struct{})
	s := resumed(t, t.TempDir(), false, func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Key = "b"
	line, _ := json.Marshal(r)
	ctx, gone := context.WithCancel(t.Context())
	batch, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/judgements:batch", bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	batch.Header.Set("Authorization", "Bearer "+submitSecret)
	ended := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(batch)
		if err == nil {
			_, err = response.Body.Read(make([]byte, 1))
			response.Body.Close()
		}
		ended <- err
	}()
	until(t, "a work item", func() bool { return s.pool.items.Load() == 1 })
	gone()
	if err := <-ended; err == nil {
		t.Error("the client that went away has an answer")
	}
	id := idOf("ann", "b")
	until(t, "the judgement is cancelled", func() bool { return s.s.isEnded(id) })
	close(hold)
	_, _, answer := s.send("POST", "/v1/judgements:batch", string(line))
	if g := ofBatch(t, answer); g.ID != id || g.Verdict != "AC" || g.Restarts != 0 {
		t.Errorf("%+v: expected AC for %s", g, id)
	}
	if status, _, _ := s.send("POST", "/v1/judgements", r); status != 422 {
		t.Errorf("a key outside of a batch: status %d: expected 422", status)
	}
}

// What cannot be judged again ends, with the reason.
func TestResumeFails(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	ids := []string{idOf("ann", "1"), idOf("ann", "2")}
	for _, a := range []journalLine{
		{ID: ids[0], Token: "ann", Restarts: mostRestarts, Request: program("cat")},
		{ID: ids[1], Token: "ann", Request: &api.Request{Problem: "removed", Sources: map[string]string{"a.sh": ""}}},
	} {
		line, _ := json.Marshal(&a)
		b.Write(seal(a.ID, line))
	}
	b.WriteString("0123 " + idOf("ann", "3")) // the machine lost power
	if err := os.WriteFile(filepath.Join(dir, "accepted.jsonl"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s := resumed(t, dir, false, nil)
	for i, want := range []string{"given up: the server has ended 4 times", `problem "removed": found none`} {
		until(t, "an end", func() bool { return s.s.isEnded(ids[i]) })
		_, _, answer := s.send("GET", "/v1/judgements/"+ids[i], nil)
		var g api.Judgement
		if err := json.Unmarshal(answer, &g); err != nil || !strings.Contains(g.Error, want) || g.Verdict != "" || g.State != api.Ended {
			t.Errorf("%s, %v: expected the error %q", answer, err, want)
		}
	}
}

// The journal loses the judgements that ended some time ago, and no others.
func TestCompact(t *testing.T) {
	name := filepath.Join(t.TempDir(), "accepted.jsonl")
	none := func(string) bool { return false }
	j, _, err := openJournal(name, false, none)
	if err != nil {
		t.Fatal(err)
	}
	add := func(key string) string {
		id := idOf("ann", key)
		if err := j.add(&journalLine{ID: id, Request: program(strings.Repeat("#", 1000))}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	old, recent, open := add("old"), add("recent"), add("open")
	j.mu.Lock()
	j.ended[old], j.most = time.Now().Add(-2*settleTime), 1
	j.mu.Unlock()
	if err := j.end(recent); err != nil {
		t.Fatal(err)
	}
	later := add("later")
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	_, left, err := openJournal(name, false, none)
	var ids []string
	for _, a := range left {
		ids = append(ids, a.ID)
	}
	if want := []string{recent, open, later}; err != nil || fmt.Sprint(ids) != fmt.Sprint(want) {
		t.Errorf("%v, %v: expected %v", ids, err, want)
	}
}

// Whatever byte of the journal changes or is missing, each judgement is made, or has an error
// that says why it is not. The damaged file stays.
func TestDamagedJournal(t *testing.T) {
	ids := []string{idOf("ann", "1"), idOf("ann", "2")}
	var whole []byte
	for _, id := range ids {
		line, err := json.Marshal(&journalLine{ID: id, Token: "ann", Request: program("cat # 1")})
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, seal(id, line)...)
	}
	none := func(string) bool { return false }
	name := filepath.Join(t.TempDir(), "accepted.jsonl")
	for at := range whole {
		if at%5 > 0 && whole[at] != '\n' && whole[max(at-1, 0)] != '\n' && at < len(whole)-2 {
			continue
		}
		for _, change := range []func() []byte{
			func() []byte { b := bytes.Clone(whole); b[at] ^= 1; return b },
			func() []byte { return append(bytes.Clone(whole[:at]), whole[at+1:]...) },
			func() []byte { return whole[:at] },
		} {
			data := change()
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			j, left, err := openJournal(name, false, none)
			if err != nil {
				t.Fatalf("byte %d: %v", at, err)
			}
			j.close()
			found, intact := make(map[string]bool), 0
			for _, a := range left {
				found[a.ID] = true
				if !a.damaged {
					if intact++; a.Request == nil || a.Request.Sources["a.sh"] != "cat # 1" {
						t.Errorf("byte %d: %+v passes as intact", at, a.Request)
					}
				}
			}
			kept, err := os.ReadFile(name + ".damaged")
			lost := len(data) < at+2 // what was cut off at the end was not written
			if !lost && (!found[ids[0]] || !found[ids[1]]) || intact == 2 && !lost && at < len(whole)-1 || err == nil && !bytes.Equal(kept, data) {
				t.Fatalf("byte %d: %v intact of %v, %v: expected both judgements, one of them damaged", at, intact, found, err)
			}
			os.Remove(name + ".damaged")
		}
	}
	// The client reads why.
	dir := t.TempDir()
	whole[bytes.Index(whole, []byte("cat # 1"))] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "accepted.jsonl"), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s := resumed(t, dir, false, nil)
	until(t, "an end", func() bool { return s.s.isEnded(ids[0]) && s.s.isEnded(ids[1]) })
	_, _, answer := s.send("GET", "/v1/judgements/"+ids[0], nil)
	if !strings.Contains(string(answer), "the disk of the server has changed what it kept of this judgement: send it again") {
		t.Errorf("%s: expected why it is not made", answer)
	}
	if _, _, answer = s.send("GET", "/v1/judgements/"+ids[1], nil); !strings.Contains(string(answer), `"verdict":"AC"`) {
		t.Errorf("%s: expected AC", answer)
	}
	// So it is with one that has ended.
	file := s.s.fileOf(ids[1])
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/100 {
		for _, data := range [][]byte{append(bytes.Clone(whole[:at]), whole[at+1:]...), whole[:at]} {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if status, _, answer := s.send("GET", "/v1/judgements/"+ids[1], nil); status != 500 || !strings.Contains(string(answer), "the disk of the server has changed") {
				t.Fatalf("byte %d: status %d: %s: expected an error", at, status, answer)
			}
		}
	}
}

// One client can use all workers of a large pool.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct{ slots, want int }{{1, 64}, {64, 64}, {1000, 1000}} {
		if got := atLeast(64, slotsOf(c.slots)); got != c.want {
			t.Errorf("%d free slots: %d, expected %d", c.slots, got, c.want)
		}
	}
}

// slotsOf is a pool with some free slots that executes nothing.
type slotsOf int

func (s slotsOf) Slots(context.Context) (int, error) { return int(s), nil }

func (s slotsOf) Do(context.Context, *remote.Item, func(*remote.Line) error) error { return nil }
