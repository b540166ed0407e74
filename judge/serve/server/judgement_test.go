package server

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// A pool executes items in this process.
type pool struct {
	remote.Here
	items atomic.Int64
	hold  chan struct{} // items wait until it is closed; nil does not
	began func(*remote.Item)

	mu    sync.Mutex
	names []string // of the judgements of the items
}

func (p *pool) Slots(context.Context) (int, error) { return 2, nil }

func (p *pool) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	p.items.Add(1)
	name, _ := ctx.Value(judgementKey{}).(string)
	p.mu.Lock()
	p.names = append(p.names, name)
	p.mu.Unlock()
	if p.began != nil {
		p.began(i)
	}
	if p.hold != nil {
		select {
		case <-p.hold:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return p.Here.Do(ctx, i, line)
}

// A site is a server with a problem echo in its folder.
type site struct {
	*httptest.Server
	t    *testing.T
	s    *Server
	pool *pool
	dir  string // of the problem

	store string // the folder of the files that were sent
}

const (
	submitSecret = "submit-0123456789abcdef"
	otherSecret  = "other-0123456789abcdef"
	readSecret   = "read-0123456789abcdef"
)

// newSite starts a server. Change sets more settings.
func newSite(t *testing.T, change func(*Server, *pool)) *site {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are of bash")
	}
	testkit.Needs(t, "bash")
	stored := t.TempDir()
	store, err := blob.Open(stored, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	root := t.TempDir()
	dir := filepath.Join(root, "echo")
	testkit.Lay(t, dir, testkit.Echo())
	j := &judge.Judge{Cache: testkit.Cache(t), Jobs: 2}
	t.Cleanup(func() { j.Close() })
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	unpacker := &remote.Unpacker{Judge: "test", Store: store, Dir: t.TempDir()}
	t.Cleanup(unpacker.Close)
	p := &pool{Here: remote.Here{Unpacker: unpacker, Executor: j, Name: "a1"}}
	tokens := new(Tokens)
	tokens.Add("ann", submitSecret, Submit)
	tokens.Add("bob", otherSecret, Submit)
	tokens.Add("eve", readSecret, Read)
	s := &Server{Judge: "test", Pool: p, Store: store, Tokens: tokens, Log: slog.New(slog.DiscardHandler),
		Problems: &Problems{Folder: root, Dir: t.TempDir(), Store: store, Judge: "test", Pool: p}}
	if change != nil {
		change(s, p)
	}
	if s.State == nil {
		s.State = stateIn(t, t.TempDir())
	}
	if s.Problems.Sent == nil {
		s.Problems.Sent = s.State.Bucket(PackageBucket)
	}
	if err := s.Problems.Open(); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		s.Drain(ctx)
		web.Close()
		s.Problems.Close()
	})
	return &site{web, t, s, p, dir, stored}
}

// stateIn starts the state of a server.
func stateIn(t *testing.T, dir string) *queue.Queue {
	t.Helper()
	q, err := queue.Start(t.Context(), queue.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// send sends a request with the token of ann and headers "name: value".
func (s *site) send(method, path string, body any, headers ...string) (status int, header http.Header, answer []byte) {
	s.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case io.Reader:
		in = b
	case string:
		in = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	r, err := http.NewRequest(method, s.URL+path, in)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+submitSecret)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, response.Header, answer
}

// judge sends a request that waits for its judgement.
func (s *site) judge(r *api.Request, headers ...string) (int, *api.Judgement) {
	s.t.Helper()
	status, _, answer := s.send("POST", "/v1/judgements", r, headers...)
	g := new(api.Judgement)
	if err := json.Unmarshal(answer, g); err != nil {
		s.t.Fatalf("%s: %v", answer, err)
	}
	return status, g
}

// program is a request for the judgement of a bash program.
func program(text string) *api.Request {
	return &api.Request{Problem: "echo", Language: "bash", Sources: map[string]string{"a.sh": text}, Wait: 60}
}

// zipped returns files as a zip.
func zipped(t *testing.T, files fstest.MapFS) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, f := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(f.Data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb returns a zip of few bytes with a file that claims to have 9 GiB.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "data/secret/1.in", Method: zip.Deflate, UncompressedSize64: 9 << 30, CompressedSize64: 4})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "bomb")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJudgement(t *testing.T) {
	s := newSite(t, nil)
	samples, all, shorter := program("echo 1"), program("echo 2"), program("sleep 3")
	samples.Cases, all.All = api.SampleCases, true
	shorter.Limits = &api.Limits{TimeLimit: 0.05}
	tests := []struct {
		name, verdict string
		r             *api.Request
		runs          int
	}{
		{"a right program is run on all cases", "AC", program("cat"), 3},
		{"a wrong program is stopped at its first failure", "WA", program("echo 2"), 1},
		{"all cases are run on request", "WA", all, 3},
		{"samples only", "AC", samples, 1},
		{"a crash", "RTE", program("exit 3"), 1},
		{"a shorter limit", "TLE", shorter, 1},
	}
	for _, tt := range tests {
		status, g := s.judge(tt.r)
		var p struct {
			ID          string `json:"id"`
			Submissions []struct {
				Verdict string `json:"verdict"`
				Runs    []struct {
					Worker string `json:"worker"`
				} `json:"runs"`
			} `json:"submissions"`
		}
		if status != 200 || g.State != api.Ended || g.Verdict != tt.verdict {
			t.Errorf("%s: status %d, %+v: expected 200 and %s", tt.name, status, g, tt.verdict)
			continue
		}
		if err := json.Unmarshal(g.Record, &p); err != nil || len(p.Submissions) != 1 || p.Submissions[0].Verdict != tt.verdict || len(p.Submissions[0].Runs) != tt.runs {
			t.Errorf("%s: record %s: expected %d runs", tt.name, g.Record, tt.runs)
		} else if p.Submissions[0].Runs[0].Worker != "a1" {
			t.Errorf("%s: worker %q: expected a1", tt.name, p.Submissions[0].Runs[0].Worker)
		}
	}
}

func TestProblemChanges(t *testing.T) {
	s := newSite(t, nil)
	if _, g := s.judge(program("cat")); g.Verdict != "AC" {
		t.Fatalf("%+v: expected AC", g)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "data", "secret", "2.ans"), []byte("22\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.s.Problems.mu.Lock()
	s.s.Problems.open["echo"].looked = time.Time{}
	s.s.Problems.mu.Unlock()
	if _, g := s.judge(program("cat")); g.Verdict != "WA" {
		t.Errorf("after a change of the answer: %+v: expected WA", g)
	}
}

func TestPackages(t *testing.T) {
	s := newSite(t, nil)
	data := zipped(t, testkit.Echo())
	d := blob.Of(data)
	if status, _, answer := s.send("PUT", "/v1/packages/"+d.String(), bytes.NewReader(data)); status != 201 || !strings.Contains(string(answer), `"secret/3"`) {
		t.Fatalf("status %d: %s", status, answer)
	}
	r := program("cat")
	r.Problem = d.String()
	if status, g := s.judge(r); status != 200 || g.Verdict != "AC" {
		t.Errorf("status %d, %+v: expected AC", status, g)
	}
	status, _, answer := s.send("GET", "/v1/problems", nil)
	if want := fmt.Sprintf(`[{"id":"echo"},{"id":"package-%s","digest":"%s"}]`, d.Hash[:12], d); status != 200 || strings.TrimSpace(string(answer)) != want {
		t.Errorf("status %d: %s: expected %s", status, answer, want)
	}
	tests := []struct {
		name   string
		data   []byte
		digest blob.Digest
		status int
		want   string
	}{
		{"a truncated zip", data[:len(data)/2], blob.Of(data[:len(data)/2]), 422, "not a zip"},
		{"not the bytes of the digest", append([]byte("x"), data[1:]...), d, 422, "the body has digest"},
		{"fewer bytes than the digest has", data[:len(data)/2], d, 422, "the body has digest"},
		{"a zip without problem.yaml", zipped(t, fstest.MapFS{"a": {}}), blob.Digest{}, 422, "problem.yaml"},
		{"a path out of the package", zipped(t, fstest.MapFS{"problem.yaml": {Data: []byte("name: a")}, "../a": {}}), blob.Digest{}, 422, "../a"},
		{"a defect", zipped(t, fstest.MapFS{"problem.yaml": {Data: []byte("name: [a")}}), blob.Digest{}, 422, "problem.yaml"},
		{"a bomb of 9 GiB", bomb(t), blob.Digest{}, 413, "more than 2 GiB of files"},
		{"too large", nil, blob.Digest{Hash: d.Hash, Size: maxZip + 1}, 413, "expected at most"},
	}
	for _, tt := range tests {
		if tt.digest == (blob.Digest{}) {
			tt.digest = blob.Of(tt.data)
		}
		status, _, answer := s.send("PUT", "/v1/packages/"+tt.digest.String(), bytes.NewReader(tt.data))
		if status != tt.status || !strings.Contains(string(answer), tt.want) || strings.Contains(string(answer), s.s.Problems.Dir) {
			t.Errorf("%s: status %d: %s: expected %d and a text with %q", tt.name, status, answer, tt.status, tt.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.s.Problems.Dir, "upload-*")); len(left) > 0 {
		t.Errorf("the uploads left %v: expected nothing", left)
	}
}

// A judgement is found by its id while it is under way, when it has ended, and by
// another server with the same folder.
func TestGetAndCancel(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Wait = 0
	status, header, answer := s.send("POST", "/v1/judgements", r)
	where := header.Get("Location")
	if status != 202 || !strings.HasPrefix(where, "/v1/judgements/") || header.Get("Retry-After") == "" {
		t.Fatalf("status %d, %v: %s", status, header, answer)
	}
	status, header, _ = s.send("GET", where, nil)
	tag := header.Get("ETag")
	if status != 200 || tag == "" {
		t.Fatalf("status %d, ETag %q", status, tag)
	}
	_, header2, _ := s.send("POST", "/v1/judgements", r)
	cancelled := header2.Get("Location")
	if status, _, answer := s.send("DELETE", cancelled, nil, "Authorization: Bearer "+otherSecret); status != 403 {
		t.Errorf("another client cancels: status %d: %s: expected 403", status, answer)
	}
	if status, _, answer := s.send("DELETE", cancelled, nil); status != 200 || !strings.Contains(string(answer), `"cancelled by a client"`) {
		t.Errorf("status %d: %s: expected cancelled", status, answer)
	}
	close(hold)
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		status, header, answer = s.send("GET", where, nil, "If-None-Match: "+tag)
		if strings.Contains(string(answer), `"ended"`) {
			break
		}
		if status != 304 && status != 200 || time.Since(began) > time.Minute {
			t.Fatalf("status %d: %s", status, answer)
		}
	}
	tag = header.Get("ETag")
	if status, _, _ := s.send("GET", where, nil, "If-None-Match: "+tag); status != 304 {
		t.Errorf("status %d: expected 304", status)
	}
	again := &Server{Judge: "test", Pool: s.pool, Store: s.s.Store, Tokens: s.s.Tokens, Problems: s.s.Problems, State: s.s.State}
	web := httptest.NewServer(again.Handler())
	defer web.Close()
	first := s.URL
	s.URL = web.URL
	if status, _, after := s.send("GET", where, nil); status != 200 || !bytes.Equal(after, answer) {
		t.Errorf("after a restart: status %d: %s: expected %s", status, after, answer)
	}
	s.URL = first
}

func TestIdempotency(t *testing.T) {
	s := newSite(t, nil)
	_, first := s.judge(program("cat"), "Idempotency-Key: k1")
	items := s.pool.items.Load()
	_, second := s.judge(program("cat"), "Idempotency-Key: k1")
	if second.ID != first.ID || s.pool.items.Load() != items || second.Verdict != "AC" {
		t.Errorf("the same request: %+v: expected the judgement %s", second, first.ID)
	}
	if status, _, answer := s.send("POST", "/v1/judgements", program("echo"), "Idempotency-Key: k1"); status != 422 {
		t.Errorf("another request: status %d: %s: expected 422", status, answer)
	}
	if _, other := s.judge(program("cat"), "Idempotency-Key: k1", "Authorization: Bearer "+otherSecret); other.ID == first.ID {
		t.Error("another client with this key got the same judgement")
	}
}

func TestEvents(t *testing.T) {
	s := newSite(t, nil)
	_, g := s.judge(program("cat"))
	_, header, answer := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil)
	if header.Get("Content-Type") != "text/event-stream" || strings.Count(string(answer), "event: run\n") != 3 || !strings.Contains(string(answer), "id: 4\nevent: judgement\n") {
		t.Errorf("%v: %s: expected three runs and the judgement", header, answer)
	}
	_, _, rest := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil, "Last-Event-ID: 2")
	if !strings.HasPrefix(string(rest), "id: 3\nevent: run\n") || !bytes.HasSuffix(answer, rest) {
		t.Errorf("after event 2: %s: expected the rest of %s", rest, answer)
	}
	// Live, from the first run on.
	r := program("cat; sleep 0.1")
	r.Wait = 0
	_, g = s.judge(r)
	_, _, live := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil)
	_, _, stored := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil)
	if !bytes.Equal(live, stored) || strings.Count(string(live), "event: run\n") != 3 {
		t.Errorf("live: %s\nstored: %s\nexpected the same three runs", live, stored)
	}
}

func TestBatch(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Most = 3 })
	var in bytes.Buffer
	expected := make(map[string]string)
	for i := range 12 {
		r := program("cat")
		r.ID = fmt.Sprint("right", i)
		expected[r.ID] = "AC"
		if i%3 == 0 {
			r.ID, r.Sources["a.sh"] = fmt.Sprint("wrong", i), "echo 1"
			delete(expected, fmt.Sprint("right", i))
			expected[r.ID] = "WA"
		}
		data, _ := json.Marshal(r)
		in.Write(append(data, '\n', '\n'))
	}
	in.WriteString(`{"id": "bad", "problem": "none", "sources": {"a.sh": ""}}` + "\n" + `{"id": "json", ` + "\n")
	expected["bad"], expected["json"] = "404", "400"
	_, header, answer := s.send("POST", "/v1/judgements:batch", &in)
	if header.Get("Content-Type") != "application/x-ndjson" {
		t.Error(header)
	}
	lines := bufio.NewScanner(bytes.NewReader(answer))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var l api.BatchLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		found := ""
		if l.Error != nil {
			found = fmt.Sprint(l.Error.Status)
			if l.ID == "json" && !strings.HasPrefix(l.Error.Detail, "line 26: the request: ") {
				t.Errorf("%s: expected the number of the line", l.Error.Detail)
			}
		} else {
			found = l.Judgement.Verdict
		}
		if want, ok := expected[l.ID]; !ok || want != found {
			t.Errorf("%s: expected %q", lines.Text(), want)
		}
		delete(expected, l.ID)
	}
	if len(expected) > 0 {
		t.Errorf("no lines for %v", expected)
	}
}

// A judgement with runs of a worker that is taken out, because its results differ from those
// of others, is begun again by other workers.
func TestDistrusted(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(s *Server, p *pool) {
		p.hold = hold
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a1", "gcc 12", 1)
		s.Workers.enter(t, "b1", "gcc 12", 1)
	})
	items := 0
	s.pool.began = func(*remote.Item) {
		if items++; items == 2 {
			s.pool.Name = "b1"
		}
	}
	r := program("cat")
	r.Wait = 0
	_, g := s.judge(r)
	until(t, "a work item", func() bool { return s.pool.items.Load() == 1 })
	if err := s.s.Workers.TakeOut("a1", api.Differs, "a test"); err != nil {
		t.Fatal(err)
	}
	close(hold)
	_, _, all := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil)
	var end api.Judgement
	_, data, _ := strings.Cut(string(all), "event: judgement\ndata: ")
	if err := json.Unmarshal([]byte(data), &end); err != nil || end.Restarts != 1 || end.Verdict != "AC" || bytes.Contains(end.Record, []byte(`"worker":"a1"`)) || !bytes.Contains(end.Record, []byte(`"worker":"b1"`)) {
		t.Errorf("%v: %s: expected a judgement with one restart and runs of b1 only", err, data)
	}
	if n := strings.Count(string(all), "id: 1-1\nevent: run\n"); n != 1 {
		t.Errorf("events %s: expected those of the second time from the first one on", all)
	}
	if k, err := s.s.read(t.Context(), g.ID); err != nil || len(k.runs) != 3 {
		t.Errorf("%d runs are kept: expected 3", len(k.runs))
	}
	// Otherwise the queue would have the verdicts of a1 for them.
	if first, last := s.pool.names[0], s.pool.names[len(s.pool.names)-1]; first == "" || first == last {
		t.Errorf("the judgement has the names %q: expected another one for the second time", s.pool.names)
	}
}

// A verdict that is not stored because the server ends is told to nobody: the next start may come
// to another one.
func TestEndWithoutRoom(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Wait = 0
	_, g := s.judge(r, "Idempotency-Key: 1")
	until(t, "a work item", func() bool { return s.pool.items.Load() == 1 })
	events := make(chan string)
	go func() {
		_, _, all := s.send("GET", "/v1/judgements/"+g.ID+"/events", nil)
		events <- string(all)
	}()
	s.s.State.Close()
	close(hold)
	if all := <-events; strings.Contains(all, "event: judgement") {
		t.Errorf("events %s: expected no end", all)
	}
}
