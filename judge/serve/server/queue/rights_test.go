package queue

import (
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"crucible/judge/internal/testnats"
)

// What an external NATS lacks is named at the start.
func TestRefused(t *testing.T) {
	user := func(p *server.Permissions) func(*server.Options) {
		return func(o *server.Options) { o.Users = []*server.User{{Username: "u", Password: "p", Permissions: p}} }
	}
	publish := func(deny ...string) func(*server.Options) {
		return user(&server.Permissions{Publish: &server.SubjectPermission{Deny: deny}})
	}
	for _, c := range []struct {
		name     string
		change   func(*server.Options)
		login    string
		replicas int
		want     []string
	}{
		{"no rights in the prefix", publish("crucible.item.>"), "u:p@", 1, []string{`Publish to "crucible.item.check"`, "--nats-creds", "crucible.>"}},
		{"no copies", publish("crucible.copy.>"), "u:p@", 1, []string{`Publish to "crucible.copy.check.check"`}},
		{"no bucket", publish("$KV.>"), "u:p@", 1, []string{`Publish to "$KV.CRUCIBLE_STATES.check"`}},
		{"no acknowledgements", publish("$JS.ACK.>"), "u:p@", 1, []string{`Publish to "$JS.ACK.CRUCIBLE_ITEMS.check"`}},
		{"no streams", publish("$JS.API.STREAM.CREATE.>"), "u:p@", 1, []string{`Publish to "$JS.API.STREAM.CREATE.CRUCIBLE_ITEMS"`, "$JS.API.>"}},
		{"no subscriptions", user(&server.Permissions{Subscribe: &server.SubjectPermission{Deny: []string{"crucible.say.>"}}}), "u:p@", 1,
			[]string{`Subscription to "crucible.say.check"`, "subscribe to crucible.> and _INBOX.>"}},
		{"another user", publish(), "u:q@", 1, []string{"Authorization Violation", "--nats-creds"}},
		{"one machine", publish(), "u:p@", 3, []string{"stream CRUCIBLE_ITEMS of 5 MiB on 3 machines", "expected a cluster of 3 machines or more, or --nats-replicas 1"}},
		{"no room", func(o *server.Options) { o.JetStreamMaxStore = 20 << 20 }, "", 1, []string{"stream KV_CRUCIBLE_STATES of 11 MiB on 1 machines", "a smaller --disk"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := strings.Replace(testnats.One(t, c.change), "nats://", "nats://"+c.login, 1)
			q, err := Start(t.Context(), Options{URL: url, Replicas: c.replicas, Bytes: 64 << 20})
			if err == nil {
				q.Close()
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%v: expected %q", err, w)
				}
			}
		})
	}
}
