package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
)

// A lease of one server is settled at the other one when the first has ended, and the worker
// gets its next items there.
func TestNextServer(t *testing.T) {
	var mu sync.Mutex
	asked, number := make(map[string]int), 0
	settled := make(chan string, 2)
	servers := make([]*httptest.Server, 2)
	handler := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			asked[name+" "+r.URL.RequestURI()]++
			switch {
			case strings.HasSuffix(r.URL.Path, "/lease"):
				if number == 2 {
					w.WriteHeader(http.StatusNoContent)
					return
				}
				number++
				json.NewEncoder(w).Encode(&api.Lease{ID: fmt.Sprint("l.", number), Delivery: 1, Alive: 0.05, Stall: 60, Item: []byte(`"x"`)})
			case strings.HasSuffix(r.URL.Path, "/alive"):
				io.WriteString(w, "{}")
			case strings.HasSuffix(r.URL.Path, "/results"):
				if name == "a" { // it dies after it has stored them
					servers[0].Listener.Close()
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(http.StatusNoContent)
			case strings.HasSuffix(r.URL.Path, "/verdict"):
				settled <- name + " " + r.URL.RequestURI() + " " + string(data)
				json.NewEncoder(w).Encode(&api.Settlement{Counts: true})
			case strings.HasSuffix(r.URL.Path, "/leave"):
				w.WriteHeader(http.StatusNoContent)
			default:
				blob.NewProblem(404, "no").Write(w)
			}
		})
	}
	for i, name := range []string{"a", "b"} {
		servers[i] = httptest.NewServer(handler(name))
		defer servers[i].Close()
	}
	c, err := client.New(servers[0].URL+","+servers[1].URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	kept := make(chan bool)
	stop := run(t, Slots{Source: &client.Leases{Client: c, Worker: "w"}}, func(ctx context.Context, d *Delivery) error {
		if err := d.Result(ctx, []byte("one\n")); err != nil {
			return err
		}
		if d.ID == "l.1" {
			<-kept
		}
		_, err := d.Verdict(ctx, []byte("last\n"))
		return err
	})
	for alive := false; !alive; time.Sleep(10 * time.Millisecond) { // the other server hears of the lease
		mu.Lock()
		alive = asked["b /v1/workers/w/alive"] > 0
		mu.Unlock()
	}
	close(kept)
	got := []string{<-settled, <-settled} // in any order: the slot runs one while it sends the other
	slices.Sort(got)
	want := []string{"b /v1/leases/l.1/verdict?results=1 last\n", "b /v1/leases/l.2/verdict?results=1 last\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if a, b := asked["a /v1/leases/l.1/results?number=0"], asked["b /v1/leases/l.1/results?number=0"]; a != 1 || b != 1 {
		t.Errorf("result 0 is sent %d times to a and %d times to b: expected once to each", a, b)
	}
	if n := asked["b /v1/workers/w/lease"]; n == 0 {
		t.Error("server b is not asked for items")
	}
}

// A worker that the next server does not know ends: it registers again then.
func TestUnknownAtNextServer(t *testing.T) {
	first := httptest.NewServer(http.NotFoundHandler())
	first.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { blob.NewProblem(401, "no such worker").Write(w) }))
	defer s.Close()
	c, err := client.New(first.URL+","+s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	slots := Slots{Source: &client.Leases{Client: c, Worker: "w"}, Number: 2}
	if err := slots.Run(t.Context(), answer); !blob.IsRefusal(err) || !strings.HasPrefix(err.Error(), s.URL+": ") {
		t.Errorf("%v: expected the refusal of %s", err, s.URL)
	}
}
