package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// authorise knows a submitter and two workers.
func authorise(token string) (Permissions, error) {
	switch token {
	case "submit":
		return Permissions{Submit: true}, nil
	case "worker-1":
		return Permissions{Worker: "w1", Classes: []string{"c"}, Languages: []string{"go"}}, nil
	case "worker-2":
		return Permissions{Worker: "w2", Classes: []string{"other"}}, nil
	case "worker-3":
		return Permissions{Worker: "w3", Slots: 3}, nil
	case "nothing":
		return Permissions{}, nil
	}
	return Permissions{}, errors.New("unknown token")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise})
	for _, token := range []string{"", "wrong", "nothing"} {
		if _, err := Connect(t.Context(), Connection{URL: s.URL(), Token: token}); err == nil || !strings.Contains(err.Error(), "Authorization Violation") {
			t.Errorf("token %q: %v, expected a refusal", token, err)
		}
	}
	q := connect(t, Connection{URL: s.URL(), Token: "submit"})
	startWorker(t, Connection{URL: s.URL(), Token: "worker-1"}, Worker{ID: "w1"}, echo)
	if v := verdict(t, submit(t, q, item("a"))[0]); v.Worker != "w1" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
	// A worker is no submitter.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if q, err := Connect(ctx, Connection{URL: s.URL(), Token: "worker-1"}); err == nil {
		q.Close()
		t.Error("a worker's token connects a submitter")
	}
}

func TestDisconnect(t *testing.T) {
	t.Parallel()
	var revoked atomic.Bool
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: func(token string) (Permissions, error) {
		if token == "worker-1" && revoked.Load() {
			return Permissions{}, errors.New("revoked")
		}
		return authorise(token)
	}})
	q := connect(t, Connection{URL: s.URL(), Token: "submit"})
	started := make(chan struct{})
	ended := make(chan bool, 1)
	startWorker(t, Connection{URL: s.URL(), Token: "worker-1"}, Worker{ID: "w1"}, func(ctx context.Context, d *Delivery) error {
		close(started)
		sleep(ctx, 2*testAckWait)
		call, cancel := context.WithTimeout(ctx, testAckWait)
		defer cancel()
		won, _ := d.Verdict(call, []byte("late"))
		ended <- won
		return nil
	})
	p := submit(t, q, item("a"))[0]
	<-started
	revoked.Store(true)
	if err := s.Disconnect("w1"); err != nil {
		t.Fatal(err)
	}
	startWorker(t, s.Connection(), Worker{ID: "other"}, echo)
	if v := verdict(t, p); v.Worker != "other" {
		t.Errorf("verdict %+v, expected that of another worker", v)
	}
	if <-ended {
		t.Error("a worker that was disconnected has settled an item")
	}
}

// A worker that asks for more classes than its token allows gets no item of them.
func TestClassesOfTokens(t *testing.T) {
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise})
	q := connect(t, Connection{URL: s.URL(), Token: "submit"})
	startWorker(t, Connection{URL: s.URL(), Token: "worker-2"}, Worker{ID: "w2", Classes: []string{"c", "other"}}, echo)
	mine, other := item("not allowed"), item("allowed")
	other.Class = "other"
	p := submit(t, q, mine, other)
	if v := verdict(t, p[1]); v.Worker != "w2" {
		t.Errorf("verdict %+v, expected that of w2", v)
	}
	waitReady(t, s, 1) // the other item waits, while the slot of w2 does too
	if slots, _ := s.Load(); slots != 1 {
		time.Sleep(100 * time.Millisecond)
	}
	if got := s.Counts().Given; got != 1 {
		t.Errorf("%d items were given out, expected 1", got)
	}
}

// What a hostile worker can send with its token changes nothing but its own items.
func TestHostileWorker(t *testing.T) {
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise, AckWait: DefaultAckWait})
	q := connect(t, Connection{URL: s.URL(), Token: "submit"})
	taken := make(chan string, 1)
	proceed := make(chan struct{})
	startWorker(t, Connection{URL: s.URL(), Token: "worker-1"}, Worker{ID: "w1"}, func(ctx context.Context, d *Delivery) error {
		taken <- d.ticket
		<-proceed
		return echo(ctx, d)
	})
	p := submit(t, q, item("a"))[0]
	stolen := <-taken

	refused := make(chan error, 100)
	evil, err := (Connection{URL: s.URL(), Token: "worker-2"}).dial(t.Context(), "w2", nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer evil.Close()
	own := ticket{Worker: "w2", Item: "a", Cell: p.Item.Cell, From: q.name, Ack: "crucible.cancel", Attempt: 1}
	forged := own.sign([]byte("guessed"))
	for _, verb := range []string{"verdict", "result", "release", "alive"} {
		for _, ticket := range []string{stolen, forged, "", "AAAA"} {
			r, _, err := request(t.Context(), evil, "w2", verb, ask{Ticket: ticket, Tickets: []string{ticket}}, []byte("AC"), 5*time.Second)
			if err != nil || r.Err == "" {
				t.Errorf("%s with the ticket %.8s…: %+v, %v; expected a refusal", verb, ticket, r, err)
			}
		}
	}
	if r, _, err := request(t.Context(), evil, "w2", "start."+s.dispatcher.id, ask{Ticket: stolen}, nil, 5*time.Second); err != nil || r.Err == "" {
		t.Errorf("start with a stolen ticket: %+v, %v; expected a refusal", r, err)
	}
	denied := []string{
		workSubject + "w1.verdict", workSubject + "w1.fetch", cancelSubject, laneSubject + "c.go.0.alice", laneOf(&p.Item).item("b"),
		resultSubject + subjectToken(q.name) + ".a", "$KV." + cellBucket + "." + subjectToken(p.Item.Cell),
		"$JS.API.STREAM.PURGE." + itemStream, "$JS.API.STREAM.DELETE." + itemStream, "$JS.API.STREAM.NAMES",
		"$JS.ACK." + itemStream + ".x.1.1.1.1.0", "$SYS.REQ.SERVER.PING", inbox("w1") + ".x",
	}
	for _, subject := range denied {
		if err := evil.Publish(subject, []byte(`{"done":true}`+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{">", inbox("w1") + ".>", itemSubject + ">", resultSubject + ">", "$KV.>", "_INBOX.>"} {
		if _, err := evil.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		denied = append(denied, subject)
	}
	if err := evil.Flush(); err != nil {
		t.Fatal(err)
	}
	for range denied {
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%v, expected a violation of permissions", err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("not all of %d subjects are denied", len(denied))
		}
	}
	close(proceed)
	if v := verdict(t, p); v.Worker != "w1" || string(v.Payload) != "verdict of 0 a" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
	if got := s.Counts(); got.Verdicts != 1 || got.Redelivered != 0 {
		t.Errorf("%+v, expected one verdict", got)
	}
}

// A worker cannot make the server publish elsewhere than to the worker.
func TestReplies(t *testing.T) {
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise})
	d := s.dispatcher
	for _, subject := range []string{
		"$KV." + stateBucket + ".secret", "$JS.API.STREAM.PURGE." + itemStream, "$JS.API.CONSUMER.CREATE." + itemStream,
		cancelSubject, laneSubject + "c.go.0.alice", itemSubject + "c.go.0.alice.x", resultSubject + "a.b", "$JS.ACK.a", "_INBOX.a", inbox("w1") + "x.a", inbox("w2") + ".a",
		workSubject + "w2.verdict",
	} {
		heard, err := s.conn.SubscribeSync(subject)
		if err != nil {
			t.Fatal(err)
		}
		for verb, f := range map[string]func(*nats.Msg){
			"fetch": d.fetch, "alive": func(m *nats.Msg) { d.handle(m, d.alive) }, "result": func(m *nats.Msg) { d.handle(m, d.result) },
			"verdict": func(m *nats.Msg) { d.handle(m, d.verdict) }, "release": func(m *nats.Msg) { d.handle(m, d.release) },
			"start." + d.id: func(m *nats.Msg) { d.handle(m, d.start) },
		} {
			for _, data := range []string{"{}\n", "no header"} {
				f(&nats.Msg{Subject: workSubject + "w1." + verb, Reply: subject, Data: []byte(data)})
			}
		}
		if err := s.conn.Flush(); err != nil {
			t.Fatal(err)
		}
		if n, _, _ := heard.Pending(); n != 0 {
			t.Errorf("%s: %d answers, expected none", subject, n)
		}
	}
	if slots, _ := s.Load(); slots != 0 {
		t.Errorf("%d slots wait for items that nobody gets", slots)
	}
	heard, err := s.conn.SubscribeSync(inbox("w1") + ".a")
	if err != nil {
		t.Fatal(err)
	}
	d.handle(&nats.Msg{Subject: workSubject + "w1.alive", Reply: inbox("w1") + ".a", Data: []byte("{}\n")}, d.alive)
	if _, err := heard.NextMsg(10 * time.Second); err != nil {
		t.Errorf("an answer to the worker: %v", err)
	}
}

// However often a worker asks, it has the slots that its token permits. Those that asked
// first are answered.
func TestSlotsOfTokens(t *testing.T) {
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise})
	c, err := (Connection{URL: s.URL(), Token: "worker-3"}).dial(t.Context(), "w3")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers, err := c.SubscribeSync(inbox("w3") + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		if err := c.PublishRequest(workSubject+"w3.fetch", fmt.Sprint(inbox("w3"), ".", n), pack(ask{Classes: []string{"c"}}, nil)); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 97 {
		m, err := answers.NextMsg(10 * time.Second)
		if err != nil || m.Subject != fmt.Sprint(inbox("w3"), ".", n) {
			t.Fatalf("answer %d: %+v, %v", n, m, err)
		}
	}
	for slots, end := 0, time.Now().Add(10*time.Second); slots != 3; slots, _ = s.Load() {
		if time.Now().After(end) || slots > 3 {
			t.Fatalf("%d slots, expected 3", slots)
		}
	}
}

func TestSubjectTokens(t *testing.T) {
	seen := make(map[string]string)
	for _, s := range []string{"a", "A", "a.b", "a=2eb", "*", ">", " ", "ä", "a b", "=", "==", "\x00", "\xff", strings.Repeat("x.", 64)} {
		token := subjectToken(s)
		if strings.ContainsAny(token, ".*> \t\r\n\x00") {
			t.Errorf("subjectToken(%q) = %q, expected one token", s, token)
		}
		if other, ok := seen[token]; ok {
			t.Errorf("subjectToken(%q) = subjectToken(%q)", s, other)
		}
		seen[token] = s
		if back := fromToken(token); back != s {
			t.Errorf("fromToken(%q) = %q, expected %q", token, back, s)
		}
	}
	for _, s := range []string{"=", "=z", "a=4", "==41"} {
		_ = fromToken(s) // no panic
	}
}

func TestTickets(t *testing.T) {
	secret := []byte("secret")
	good := ticket{Worker: "w", Item: "i", Cell: "c", From: "f", Ack: "a", Sequence: 7, Attempt: 2, Revision: 3}
	signed := good.sign(secret)
	if got, err := readTicket(signed, secret, "w"); err != nil || got != good {
		t.Errorf("readTicket: %+v, %v; expected %+v", got, err, good)
	}
	bad := map[string]string{"": "w", "?": "w", signed[:20]: "w", signed: "other", signed[1:]: "w"}
	for i := range signed {
		c := byte('A')
		if signed[i] == c {
			c = 'Q'
		}
		bad[signed[:i]+string(c)+signed[i+1:]] = "w"
	}
	last := fmt.Sprint(signed)
	for s, worker := range bad {
		// The last letter has bits that do not count.
		if s[:max(len(s)-1, 0)] == last[:len(last)-1] && worker == "w" {
			continue
		}
		if _, err := readTicket(s, secret, worker); err == nil {
			t.Errorf("readTicket(%.30q…, %q): accepted", s, worker)
		}
	}
}
