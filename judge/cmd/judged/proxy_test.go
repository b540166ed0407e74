package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
)

// A bufferingProxy reads whole requests, and whole answers, before it passes them on, and
// cuts what takes longer than a time.
type bufferingProxy struct {
	to      string
	longest time.Duration

	mu   sync.Mutex
	seen map[string]int // requests by protocol, method and the start of the path
	cut  []string
}

func (p *bufferingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), p.longest)
	defer cancel()
	body, err := io.ReadAll(r.Body)
	var answer *http.Response
	var data []byte
	if err == nil {
		var to *http.Request
		if to, err = http.NewRequestWithContext(ctx, r.Method, p.to+r.URL.RequestURI(), bytes.NewReader(body)); err == nil {
			to.Header = r.Header.Clone()
			to.Header.Del("Expect")
			answer, err = http.DefaultTransport.RoundTrip(to)
		}
	}
	if err == nil {
		data, err = io.ReadAll(answer.Body)
		answer.Body.Close()
	}
	p.mu.Lock()
	if p.seen == nil {
		p.seen = make(map[string]int)
	}
	parts := strings.SplitN(r.URL.Path, "/", 4)
	p.seen[r.Proto+" "+r.Method+" "+strings.Join(parts[:min(3, len(parts))], "/")]++
	if ctx.Err() != nil && r.Context().Err() == nil {
		p.cut = append(p.cut, r.Method+" "+r.URL.Path)
	}
	p.mu.Unlock()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), answer.Header)
	w.Header().Del("Connection")
	w.WriteHeader(answer.StatusCode)
	w.Write(data)
}

// wait waits until requests of a kind have passed.
func (p *bufferingProxy) wait(t *testing.T, kind string) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		p.mu.Lock()
		n, seen := p.seen[kind], maps.Clone(p.seen)
		p.mu.Unlock()
		if n > 0 {
			return
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("the proxy has seen %v: expected %s", seen, kind)
		}
	}
}

// Nothing depends on an open body, or on a proxy that passes on what it gets at once.
func TestBufferingProxy(t *testing.T) {
	t.Parallel()
	behindProxies(t, time.Second, 5*time.Second)
}

// So it is with the times as shipped.
func TestBufferingProxyAsShipped(t *testing.T) {
	testkit.InMatrix(t)
	t.Parallel()
	behindProxies(t, 0, 30*time.Second)
}

// progress is what judge eval says on a slow machine.
var progress = regexp.MustCompile(`(?m)^judge: \d of \d programs judged, .*\n`)

// behindProxies puts a worker and clients behind proxies that cut requests. Work waits, and
// then the worker does, for longer than that.
func behindProxies(t *testing.T, poll, longest time.Duration) {
	testkit.Needs(t, "bash")
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			dir := write(t)
			s := newServer(t, "--local-worker=false", "--poll-time", poll.String(), filepath.Dir(dir))
			p := &bufferingProxy{to: s.url, longest: longest}
			web := httptest.NewUnstartedServer(p)
			behind := &testServer{token: s.token}
			if protocol == "HTTP/2.0" {
				c, err := certificateIn(t.TempDir(), time.Now())
				if err != nil {
					t.Fatal(err)
				}
				behind.token = api.JoinToken(s.token, api.KeyFingerprint(c.Leaf))
				web.EnableHTTP2, web.TLS = true, &tls.Config{Certificates: []tls.Certificate{c}}
				web.StartTLS()
			} else {
				web.Start()
			}
			t.Cleanup(web.Close)
			behind.url = web.URL

			slow := filepath.Join(t.TempDir(), "slow.sh")
			if err := os.WriteFile(slow, []byte("sleep 2\ncat\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			var calls sync.WaitGroup
			call := func(want string, args ...string) {
				calls.Go(func() {
					out, complaint, status := ask(t, []string{"CRUCIBLE_TOKEN=" + behind.token, "CRUCIBLE_SERVER=" + behind.url}, args...)
					complaint = progress.ReplaceAllString(complaint, "")
					if status != 0 || !strings.Contains(out, want) || complaint != "" {
						t.Errorf("%v: status %d: %s%s: expected %s", args, status, out, complaint, want)
					}
				})
			}
			call("3 submissions as expected", "run", "--fresh", dir)
			call("AC", "submit", slow, "--problem", "echo")
			source, _ := json.Marshal("sleep 2\ncat\n")
			samples := filepath.Join(t.TempDir(), "samples.jsonl")
			lines := fmt.Appendf(nil, `{"problem": "echo", "language": "bash", "source": %s, "id": "slow"}`+"\n"+
				`{"problem": "echo", "language": "bash", "source": "exit 1", "id": "wrong"}`+"\n", source)
			if err := os.WriteFile(samples, lines, 0o644); err != nil {
				t.Fatal(err)
			}
			call("echo     2       1         50.0 %", "eval", samples)
			p.wait(t, protocol+" GET /v1/items")
			p.wait(t, protocol+" GET /v1/judgements")
			behind.work(t, "a", "")
			calls.Wait()
			time.Sleep(longest + longest/10) // the worker waits for work
			call("3 submissions as expected", "run", "--fresh", dir)
			calls.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.cut) > 0 {
				t.Errorf("requests that took longer than %v: %q: expected none; of %v", longest, p.cut, p.seen)
			}
			t.Log(p.seen)
		})
	}
}
