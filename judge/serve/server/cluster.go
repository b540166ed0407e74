package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

const (
	signEach   = 2 * time.Second  // a server says so often that it lives
	signSilent = 12 * time.Second // after which it counts as lost
)

// A Cluster is what a server knows of others that have the same state, on an external NATS.
// Each judgement is made by one server, which its entry names; those of a server that is lost
// are begun again by another one, and what the first one then writes is refused.
type Cluster struct {
	Name string       // of this server among them, a word
	URL  string       // at which the others reach it
	HTTP *http.Client // for requests to the others

	each, silent time.Duration // in place of signEach and signSilent, for tests

	mu    sync.Mutex
	since time.Time
	heard map[string]*sign // by name
	// Judgements that this server has refused though JetStream may store their entries, by id,
	// until when.
	doubts map[string]time.Time
}

// A sign is what a server says of itself.
type sign struct {
	Peer
	Ends bool `json:"ends,omitempty"` // it has ended by itself

	at   time.Time
	lost bool // its judgements were looked for
}

// doubt makes this server look for the entry of a judgement for a time, or no longer.
func (c *Cluster) doubt(id string, t time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.doubts == nil {
		c.doubts = make(map[string]time.Time)
	}
	c.doubts[id] = time.Now().Add(t)
}

// doubtful returns the judgements for whose entries this server looks.
func (c *Cluster) doubtful() (ids []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.doubts, func(_ string, until time.Time) bool { return time.Now().After(until) })
	return slices.Collect(maps.Keys(c.doubts))
}

// silence is the time without a sign of a server after which it counts as lost.
func (c *Cluster) silence() time.Duration { return cmp.Or(c.silent, signSilent) }

// begin begins the time in which servers that were not heard may live.
func (c *Cluster) begin() {
	if c != nil {
		c.mu.Lock()
		c.since = time.Now()
		c.mu.Unlock()
	}
}

// isName reports whether a server has the name of this one.
func (c *Cluster) isName(name string) bool { return c == nil || c.Name == name }

// name returns the name of this server; "" without a cluster.
func (c *Cluster) name() string {
	if c == nil {
		return ""
	}
	return c.Name
}

// Living returns the servers other than this one that live.
func (c *Cluster) Living() (all []Peer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.heard {
		if name != c.Name && time.Since(s.at) < c.silence() {
			all = append(all, s.Peer)
		}
	}
	return all
}

// lives reports whether a server lives. At first, one that was not heard may.
func (c *Cluster) lives(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.heard[name]; s != nil {
		return time.Since(s.at) < c.silence()
	}
	return time.Since(c.since) < c.silence()
}

// lost reports whether judgements of lost servers may have to be looked for.
func (c *Cluster) lost() (any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.heard {
		if silent := time.Since(s.at) >= c.silence(); silent != s.lost {
			s.lost = silent
			any = any || silent
		}
	}
	return any
}

// hear takes what a server says, and reports whether it was not known to live.
func (c *Cluster) hear(message []byte) (comes bool) {
	s := new(sign)
	if json.Unmarshal(message, s) != nil || s.Name == "" || len(s.Name) > 64 {
		return false
	}
	if !s.Ends {
		s.at = time.Now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard == nil {
		c.heard = make(map[string]*sign)
	}
	before := c.heard[s.Name]
	if before != nil {
		s.lost = before.lost
	}
	c.heard[s.Name] = s
	return !s.Ends && s.Name != c.Name && (before == nil || time.Since(before.at) >= c.silence())
}

// An elsewhere is the error of a judgement that another server makes.
type elsewhere struct {
	server string
	now    api.Judgement
}

func (e *elsewhere) Error() string {
	return fmt.Sprintf("judgement %s is made by server %s", e.now.ID, e.server)
}

// forwarded is the header of a request that another server has sent on.
const forwarded = "Crucible-Forwarded"

// forward has the server of a judgement answer a request.
func (c *Cluster) forward(w http.ResponseWriter, r *http.Request, e *elsewhere, log *slog.Logger) {
	for _, peer := range c.Living() {
		if peer.Name == e.server && r.Header.Get(forwarded) == "" {
			c.send(w, r, peer, func(w http.ResponseWriter, r *http.Request, err error) {
				log.Warn("a server does not answer", "server", e.server, "error", err)
				refuse(w, lostServer(e))
			})
			return
		}
	}
	refuse(w, lostServer(e))
}

// Elsewhere has another server answer a request about what has a page there. It reports whether
// one shows that page to the visitor. They have the same sessions.
func (c *Cluster) Elsewhere(w http.ResponseWriter, r *http.Request, page string) bool {
	once := &http.Client{Transport: c.HTTP.Transport, Timeout: peerStall,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, peer := range c.Living() {
		look, err := http.NewRequestWithContext(r.Context(), "HEAD", peer.URL+page, nil)
		if err != nil || r.Header.Get(forwarded) != "" {
			continue
		}
		look.Header.Set(forwarded, c.Name)
		look.Header["Cookie"] = r.Header["Cookie"]
		answer, err := once.Do(look)
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			c.send(w, r, peer, func(w http.ResponseWriter, _ *http.Request, _ error) {
				refuse(w, blob.NewProblem(http.StatusServiceUnavailable, "server %s does not answer: ask again", peer.Name))
			})
			return true
		}
	}
	return false
}

// send has another server answer a request. This one has found that it is of no other site.
func (c *Cluster) send(w http.ResponseWriter, r *http.Request, to Peer,
	fail func(http.ResponseWriter, *http.Request, error)) {
	at, err := url.Parse(to.URL)
	if err != nil {
		fail(w, r, err)
		return
	}
	(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(at)
			p.Out.Header.Set(forwarded, c.Name)
			p.Out.Header.Del("Origin") // of this server, not of that one
			p.Out.Header.Del("Sec-Fetch-Site")
		},
		ModifyResponse: func(answer *http.Response) error {
			for name := range answer.Header {
				w.Header().Del(name)
			}
			return nil
		},
		FlushInterval: -1,
		Transport:     c.HTTP.Transport,
		ErrorHandler:  fail,
	}).ServeHTTP(w, r)
}

func lostServer(e *elsewhere) error {
	return blob.NewProblem(http.StatusServiceUnavailable,
		"judgement %s: server %s does not answer; another one begins the judgement again: ask again", e.now.ID, e.server)
}
