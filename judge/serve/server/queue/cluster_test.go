package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testnats"
)

// Three external servers with the leader of the items' stream stopped, and two queues on
// them, one of which is stopped too.
func TestExternalCluster(t *testing.T) {
	t.Parallel()
	nodes := testnats.Cluster(t)
	var urls []string
	for _, n := range nodes {
		urls = append(urls, n.ClientURL())
	}
	o := Options{URL: strings.Join(urls, ","), Replicas: 3, AckWait: 2 * time.Second, Sweep: time.Second, Name: "first"}
	first := start(t, o)
	o.Name = "second"
	q := start(t, o)
	for i := range 3 {
		startWorker(t, q, crew{ID: fmt.Sprint("w", i), Slots: 2}, echo)
		startWorker(t, first, crew{ID: fmt.Sprint("v", i), Slots: 2}, echo)
	}
	var all []*Pending
	for i := range 120 {
		it := item(fmt.Sprint(i))
		it.Client, it.Payload = fmt.Sprint("client", i%4), fmt.Appendf(nil, "50 %d", i)
		all = append(all, submit(t, q, it)...)
	}
	verdict(t, all[10])
	first.Close()
	info, err := q.link().items.Info(t.Context())
	if err != nil || info.Cluster == nil {
		t.Fatalf("the stream of items: %+v, %v; expected one in a cluster", info, err)
	}
	if entries := q.link().entries.main.CachedInfo(); info.Config.AllowDirect || entries.Config.AllowDirect {
		t.Error("replicas that lack the last messages answer: expected the leader alone")
	}
	for _, n := range nodes {
		if n.Name() == info.Cluster.Leader {
			n.Shutdown()
			n.WaitForShutdown()
		}
	}
	for _, p := range all {
		if v := verdict(t, p); string(v.Payload) != "verdict of "+string(p.Item.Payload) {
			t.Errorf("verdict %+v of item %s", v, p.Item.ID)
		}
	}
}

// A second server in the same folder is refused, also in the same process.
func TestFolderInUse(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if other, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "in use by another server") {
		t.Errorf("a second server in the folder: %v, expected a refusal", err)
		if err == nil {
			other.Close()
		}
	}
	s.Close()
	again, err := Start(t.Context(), o)
	if err != nil {
		t.Fatalf("after the first server has closed: %v", err)
	}
	again.Close()
}

func TestStats(t *testing.T) {
	q := start(t, Options{})
	b := item("b")
	b.Client = "bob"
	submit(t, q, item("a0"), item("a1"), item("a2"), b)
	awaitReady(t, q, 4)
	got, err := q.Stats(t.Context())
	if err != nil || got.Depth != 4 || got.Consumers != 1 || got.Running != 4 || got.Age <= 0 || got.Age > time.Minute || got.Bytes == 0 {
		t.Errorf("Stats: %+v, %v; expected 4 items of one consumer, all of them ready", got, err)
	}
}

// A queue whose cluster has lost most servers takes nothing, and goes on when they are back.
func TestAway(t *testing.T) {
	testkit.InMatrix(t)
	nodes := testnats.Cluster(t)
	q := start(t, Options{URL: nodes[0].ClientURL(), Replicas: 3, Sweep: time.Hour})
	startWorker(t, q, crew{ID: "w", Slots: 2}, echo)
	verdict(t, submit(t, q, item("before"))[0])
	for _, n := range nodes[1:] {
		n.Shutdown()
		n.WaitForShutdown()
	}
	await(t, "a cluster that stores nothing", func() bool { return errors.Is(q.Ready(), ErrAway) })
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := q.Write(ctx, "name", Entry{0, "kind", nil}); !IsAway(err) {
		t.Errorf("an entry: %v: expected that NATS does not answer", err)
	}
	for _, n := range nodes[1:] {
		testnats.Restart(t, n)
	}
	await(t, "a cluster that stores", func() bool { return q.Ready() == nil })
	verdict(t, submit(t, q, item("after"))[0])
}

// What JetStream may take later is sent again; a wrong request is not.
func TestInsist(t *testing.T) {
	q := start(t, Options{Dir: t.TempDir()})
	for _, tt := range []struct {
		err   error
		tries int
	}{
		{nats.ErrReconnectBufExceeded, 2},
		{fmt.Errorf("state of an item: %w", nats.ErrDisconnected), 2},
		{&jetstream.APIError{Code: 503, ErrorCode: 10008}, 2}, // temporarily unavailable
		{&jetstream.APIError{Code: 500, ErrorCode: 10009}, 2}, // not the leader
		{&jetstream.APIError{Code: 400, ErrorCode: 10054}, 1}, // too large
		{nats.ErrMaxPayload, 1},
	} {
		tries := 0
		err := q.insist(t.Context(), "something", func(context.Context) error {
			if tries++; tries == 1 {
				return tt.err
			}
			return nil
		})
		if tries != tt.tries || (err == nil) != (tries == 2) {
			t.Errorf("%v: sent %d times, %v: expected %d", tt.err, tries, err, tt.tries)
		}
	}
}

// A NATS server that gives up is not waited for.
func TestNATSGivesUp(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	if err := errors.Join(os.Mkdir(filepath.Join(o.Dir, "nats"), 0o700), os.WriteFile(filepath.Join(o.Dir, "nats", "jetstream"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	q, err := Start(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "is not ready: Can't start JetStream") {
		t.Errorf("%v: expected that JetStream cannot start", err)
	}
	if err == nil {
		q.Close()
	}
}
