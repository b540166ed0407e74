package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// conforms returns how a value departs from a schema of the document.
func conforms(doc, s map[string]any, v any, at string) (bad []string) {
	if ref, ok := s["$ref"].(string); ok {
		s = doc["components"].(map[string]any)["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
	}
	found := ""
	switch v := v.(type) {
	case string:
		found = "string"
	case bool:
		found = "boolean"
	case float64:
		if found = "number"; s["type"] == "integer" && v == math.Trunc(v) {
			found = "integer"
		}
	case []any:
		found = "array"
		items, _ := s["items"].(map[string]any)
		for i, one := range v {
			if items != nil {
				bad = append(bad, conforms(doc, items, one, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		found = "object"
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				bad = append(bad, fmt.Sprintf("%s: no key %q", at, name))
			}
		}
		for name, one := range v {
			if p, ok := properties[name].(map[string]any); ok {
				bad = append(bad, conforms(doc, p, one, at+"."+name)...)
			} else if more, ok := s["additionalProperties"].(map[string]any); ok {
				bad = append(bad, conforms(doc, more, one, at+"."+name)...)
			} else if s["additionalProperties"] == false {
				bad = append(bad, fmt.Sprintf("%s: key %q is not in the schema", at, name))
			}
		}
	}
	if s["type"] != nil && s["type"] != found {
		bad = append(bad, fmt.Sprintf("%s: found %T %s, expected %v", at, v, found, s["type"]))
	}
	return bad
}

// newSiteWithWorkers is newSite with all routes.
func newSiteWithWorkers(t *testing.T) *site {
	return newSite(t, func(s *Server, _ *pool) {
		s.Tokens.Add("root", "root-0123456789abcdef", Administer)
		s.Workers = newWorkers(t)
		if _, err := s.Workers.Admit("", &api.Registration{Name: "a1", Judge: "test", Level: "box", Languages: []string{"bash"}}); err != nil {
			t.Fatal(err)
		}
	})
}

// The answers of all routes that answer with JSON are as the document describes them.
func TestOpenAPI(t *testing.T) {
	s := newSiteWithWorkers(t)
	_, _, answer := s.send("GET", "/openapi.json", nil, "Authorization: none")
	var doc map[string]any
	if err := json.Unmarshal(answer, &doc); err != nil {
		t.Fatal(err)
	}
	_, g := s.judge(program("cat"))
	data := zipped(t, testkit.Echo())
	digest := blob.Of(data).String()
	batch, _ := json.Marshal(program("cat"))
	pending := program("sleep 1")
	pending.Wait = 0
	answered := func(method, path string, body any, headers ...string) {
		t.Helper()
		status, header, answer := s.send(method, path, body, append([]string{"Authorization: Bearer root-0123456789abcdef"}, headers...)...)
		template := regexp.MustCompile(`(/v1/(packages|problems|judgements|blobs|workers)/)[^/]+`).ReplaceAllStringFunc(path, func(one string) string {
			kind := strings.Split(one, "/")[2]
			return "/v1/" + kind + "/{" + map[string]string{"packages": "digest", "problems": "problem", "judgements": "id", "blobs": "digest", "workers": "worker"}[kind] + "}"
		})
		operation, ok := doc["paths"].(map[string]any)[template].(map[string]any)[strings.ToLower(method)].(map[string]any)
		if !ok {
			t.Errorf("%s %s is not in the document", method, template)
			return
		}
		responses := operation["responses"].(map[string]any)
		response, ok := responses[fmt.Sprint(status)].(map[string]any)
		if !ok {
			if status < 400 {
				t.Errorf("%s %s: status %d is not in the document: %s", method, path, status, answer)
			}
			response = doc["components"].(map[string]any)["responses"].(map[string]any)["Problem"].(map[string]any)
		}
		kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
		content, _ := response["content"].(map[string]any)
		body_, ok := content[kind].(map[string]any)
		if !ok && len(answer) > 0 {
			t.Errorf("%s %s: content %q is not in the document: expected one of %v", method, path, kind, content)
			return
		}
		of, _ := body_["schema"].(map[string]any)
		if of == nil {
			return
		}
		for _, line := range bytes.Split(bytes.TrimSpace(answer), []byte("\n")) {
			var v any
			if err := json.Unmarshal(line, &v); err != nil {
				t.Errorf("%s %s: %v: %s", method, path, err, line)
			}
			for _, bad := range conforms(doc, of, v, method+" "+path) {
				t.Error(bad)
			}
		}
	}
	answered("GET", "/healthz", nil)
	answered("GET", "/readyz", nil)
	answered("GET", "/openapi.json", nil)
	answered("GET", "/v1/server", nil)
	answered("PUT", "/v1/blobs/"+blob.Of([]byte("a")).String(), "a")
	answered("GET", "/v1/blobs/"+blob.Of([]byte("a")).String(), nil)
	answered("POST", "/v1/blobs:missing", `{}`)
	answered("POST", "/v1/items", `{}`)
	answered("GET", "/v1/workers", nil)
	answered("POST", "/v1/workers", api.Registration{Name: "a2", Judge: "test"})
	answered("PUT", "/v1/workers/a1/out", `{"because":"new memory"}`)
	answered("PUT", "/v1/workers/a1/out", `{"because":"\u001b"}`)
	answered("PUT", "/v1/workers/none/out", `{}`)
	answered("DELETE", "/v1/workers/a1/out", nil)
	answered("PUT", "/v1/packages/"+digest, bytes.NewReader(data))
	answered("PUT", "/v1/packages/none", "")
	answered("GET", "/v1/problems", nil)
	answered("GET", "/v1/problems/echo", nil)
	answered("GET", "/v1/problems/"+digest, nil)
	answered("GET", "/v1/problems/none", nil)
	answered("POST", "/v1/judgements", program("cat"))
	answered("POST", "/v1/judgements", program("exit 1"))
	answered("POST", "/v1/judgements", pending)
	answered("POST", "/v1/judgements:batch", string(batch)+"\n{}\n")
	answered("GET", "/v1/judgements/"+g.ID, nil)
	answered("GET", "/v1/judgements/"+g.ID, nil, `If-None-Match: "ended-3"`)
	answered("GET", "/v1/judgements/"+g.ID+"/events", nil)
	s.s.Tokens.Add("sam", "sam-0123456789abcdef", Student)
	for _, text := range []string{"cat", "echo 1", "exit 1", "if then"} {
		answered("POST", "/v1/judgements", program(text), "Authorization: Bearer sam-0123456789abcdef")
	}
	answered("DELETE", "/v1/judgements/"+g.ID, nil)
	answered("POST", "/v1/executions", &api.Execution{Language: "bash", Sources: map[string]string{"a.sh": "cat"}, Stdin: "a"})
	answered("POST", "/v1/executions", &api.Execution{Language: "bash", Sources: map[string]string{"a.sh": "kill -9 $$"}})
}

// Each route of the table is in the document and is answered by the mux, and the document
// has no other.
func TestOpenAPIRoutes(t *testing.T) {
	s := newSiteWithWorkers(t)
	_, _, answer := s.send("GET", "/openapi.json", nil)
	var doc struct {
		Paths map[string]map[string]struct {
			ID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(answer, &doc); err != nil {
		t.Fatal(err)
	}
	var described, ids []string
	for path, methods := range doc.Paths {
		for method, o := range methods {
			described, ids = append(described, strings.ToUpper(method)+" "+path), append(ids, o.ID)
			r, _ := http.NewRequest(strings.ToUpper(method), s.URL+strings.NewReplacer("{digest}", "x", "{problem}", "x", "{id}", "x", "{worker}", "x").Replace(path), nil)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode == 404 || response.StatusCode == 405 {
				t.Errorf("%s %s: status %d", method, path, response.StatusCode)
			}
		}
	}
	var routes []string
	for _, r := range s.s.routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	slices.Sort(described)
	slices.Sort(routes)
	if !slices.Equal(described, routes) {
		t.Errorf("the document has %v: expected %v", described, routes)
	}
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != len(routes) {
		t.Errorf("%d operation ids: expected %d", n, len(routes))
	}
}

func TestExecution(t *testing.T) {
	s := newSiteWithWorkers(t)
	right, wrong := "a b\n", "a c\n"
	tests := []struct {
		name string
		e    api.Execution
		want string // parts of the answer, with & between them
	}{
		{"the output of a program", api.Execution{Sources: map[string]string{"a.sh": "cat; echo oh >&2"}, Stdin: "hi\n"}, `"stdout":"hi\n"&"stderr":"oh\n"&"exit":0&"worker":"a1"&"sandbox":"box"`},
		{"a right answer", api.Execution{Sources: map[string]string{"a.sh": "echo a  b"}, Answer: &right}, `"verdict":"AC"`},
		{"a wrong answer", api.Execution{Sources: map[string]string{"a.sh": "echo a b"}, Answer: &wrong}, `"verdict":"WA"`},
		{"no answer, no verdict", api.Execution{Sources: map[string]string{"a.sh": "echo a b"}}, `{"compile"`},
		{"an exit status", api.Execution{Sources: map[string]string{"a.sh": "exit 3"}}, `"verdict":"RTE"&"exit":3`},
		{"a time limit", api.Execution{Sources: map[string]string{"a.sh": "while :; do :; done"}, Time: 0.05}, `"verdict":"TLE"&"exceeded":"cpu"`},
		{"an output limit", api.Execution{Sources: map[string]string{"a.sh": "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done"}, Output: 1}, `"verdict":"OLE"&"stdout_cut":true`},
		{"bytes that are not UTF-8", api.Execution{Sources: map[string]string{"a.sh": `printf '\xff'`}}, `"stdout":"\ufffd"`},
	}
	for _, tt := range tests {
		tt.e.Language = "bash"
		status, _, answer := s.send("POST", "/v1/executions", &tt.e)
		for part := range strings.SplitSeq(tt.want, "&") {
			if status != 200 || !strings.Contains(string(answer), part) {
				t.Errorf("%s: status %d: %s: expected %s", tt.name, status, answer, part)
			}
		}
	}
	// Its package is nobody's, or students could guess what is in it.
	s.s.Problems.mu.Lock()
	names := slices.Collect(maps.Keys(s.s.Problems.open))
	s.s.Problems.mu.Unlock()
	if len(names) == 0 {
		t.Error("no package is open")
	}
	for _, name := range names {
		if status, _, answer := s.send("GET", "/v1/problems/"+url.PathEscape(name), nil); status != 404 {
			t.Errorf("GET of %s: status %d: %s", name, status, answer)
		}
	}
}

// zeros is an endless JSON string.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n <= 0 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = '0'
	}
	z.n -= int64(len(p))
	return len(p), nil
}

func TestBadRequests(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Limits.Body = 8 << 20 })
	with := func(change func(*api.Request)) *api.Request {
		r := program("cat")
		change(r)
		return r
	}
	many := make(map[string]string)
	for i := range maxSources + 1 {
		many[fmt.Sprint(i, ".sh")] = ""
	}
	tests := []struct {
		name   string
		path   string
		body   any
		status int
		want   string
	}{
		{"JSON of 1 GiB", "/v1/judgements", io.MultiReader(strings.NewReader(`{"problem":"`), &zeros{1 << 30}), 413, "more than 8388608 bytes"},
		{"JSON of 1 GiB as an execution", "/v1/executions", io.MultiReader(strings.NewReader(`{"stdin":"`), &zeros{1 << 30}), 413, "more than 8388608 bytes"},
		{"no JSON", "/v1/judgements", `{"problem"`, 400, "unexpected"},
		{"two values", "/v1/judgements", `{} {}`, 400, "after top-level value"},
		{"an unknown key", "/v1/judgements", `{"limits": {"tiem": 1}}`, 400, `at \"/limits\": unknown key \"tiem\"`},
		{"a key twice", "/v1/judgements", `{"sources": {"a.sh": "1", "a.sh": "2"}}`, 400, `duplicate object member name \"a.sh\"`},
		{"half of a surrogate pair", "/v1/judgements", `{"problem": "\ud800"}`, 400, "surrogate pair"},
		{"a value of another kind", "/v1/judgements", `{"limits": 1}`, 400, `at \"/limits\": found a number, expected an object`},
		{"a fraction", "/v1/judgements", `{"priority": 1.5}`, 400, `found a number 1.5, expected an integer`},
		{"a list for a text", "/v1/executions", `{"stdin": []}`, 400, `found an array, expected a string`},
		{"an unknown problem", "/v1/judgements", with(func(r *api.Request) { r.Problem = "ecko" }), 404, "echo"},
		{"a path as a problem", "/v1/judgements", with(func(r *api.Request) { r.Problem = "../echo" }), 404, "found none"},
		{"a digest that was not sent", "/v1/judgements", with(func(r *api.Request) { r.Problem = blob.Of(nil).String() }), 404, "send it with PUT"},
		{"an unknown language", "/v1/judgements", with(func(r *api.Request) { r.Language = "basic" }), 422, "expected one of"},
		{"an unknown file name", "/v1/judgements", with(func(r *api.Request) { r.Language, r.Sources = "", map[string]string{"a.xyz": ""} }), 422, "name a language"},
		{"no sources", "/v1/judgements", with(func(r *api.Request) { r.Sources = nil }), 422, "found 0 sources"},
		{"too many sources", "/v1/judgements", with(func(r *api.Request) { r.Sources = many }), 422, "found 101 sources"},
		{"sources that are too large", "/v1/judgements", with(func(r *api.Request) { r.Sources["a.sh"] = strings.Repeat("a", maxSource+1) }), 422, "more than 1048576 bytes"},
		{"a source out of its folder", "/v1/judgements", with(func(r *api.Request) { r.Sources = map[string]string{"../a.sh": ""} }), 422, "../a.sh"},
		{"a file that is a folder, too", "/v1/judgements", with(func(r *api.Request) { r.Sources["a.sh/b/c.sh"] = "" }), 422, "found also the file a.sh"},
		{"several files without an entry point", "/v1/judgements", with(func(r *api.Request) {
			r.Language, r.Sources = "python3", map[string]string{"a.py": "", "b.py": ""}
		}), 422, "several files and no entry point"},
		{"a file that was not sent", "/v1/judgements", with(func(r *api.Request) {
			r.Sources, r.Files = nil, map[string]string{"a.sh": blob.Of([]byte("x")).String()}
		}), 422, "is not on the server"},
		{"a wrong digest", "/v1/judgements", with(func(r *api.Request) { r.Sources, r.Files = nil, map[string]string{"a.sh": "x"} }), 422, "64 lower-case hexadecimal digits"},
		{"other cases", "/v1/judgements", with(func(r *api.Request) { r.Cases = "some" }), 422, "expected all or samples"},
		{"a negative limit", "/v1/judgements", with(func(r *api.Request) { r.Limits = &api.Limits{TimeLimit: -1} }), 422, "time_limit -1"},
		{"a long wait", "/v1/judgements", with(func(r *api.Request) { r.Wait = 61 }), 422, "wait_s 61"},
		{"a high priority", "/v1/judgements", with(func(r *api.Request) { r.Priority = 11 }), 422, "priority 11: expected -10 to 10"},
		{"an execution with too much memory", "/v1/executions", `{"sources": {"a.sh": ""}, "memory_mib": 1000000}`, 422, "memory_mib"},
		{"another address", "/v1/nothing", "", 404, "no such address"},
		{"another method", "/v1/problems", "", 405, "expected GET"},
	}
	for _, tt := range tests {
		status, header, answer := s.send("POST", tt.path, tt.body)
		if status != tt.status || !strings.Contains(string(answer), tt.want) || header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: status %d, %s: %s: expected %d and a text with %q", tt.name, status, header.Get("Content-Type"), answer, tt.status, tt.want)
		}
	}
	if n := s.pool.items.Load(); n != 0 {
		t.Errorf("%d items were executed: expected none", n)
	}
	if status, _, _ := s.send("POST", "/v1/judgements", program("cat"), "Authorization: Bearer "+readSecret); status != 403 {
		t.Errorf("a token with scope read: status %d: expected 403", status)
	}
}

// Queue length and rate are bounded for each token, and other tokens are not affected.
func TestBounds(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(s *Server, p *pool) { s.Most, p.hold = 2, hold })
	r := program("cat")
	r.Wait = 0
	for range 2 {
		if status, _, answer := s.send("POST", "/v1/judgements", r); status != 202 {
			t.Fatalf("status %d: %s", status, answer)
		}
	}
	status, header, answer := s.send("POST", "/v1/judgements", r)
	if status != 429 || header.Get("Retry-After") == "" || !strings.Contains(string(answer), "2 judgements of this token") {
		t.Errorf("a third judgement: status %d, %v: %s: expected 429", status, header, answer)
	}
	if status, _, answer := s.send("POST", "/v1/judgements", r, "Authorization: Bearer "+otherSecret); status != 202 {
		t.Errorf("one of another token: status %d: %s: expected 202", status, answer)
	}
	close(hold)

	s = newSite(t, func(s *Server, _ *pool) { s.Rate = 0.001 })
	s.judge(program("cat"))
	if status, header, answer := s.send("POST", "/v1/judgements", r); status != 429 || header.Get("Retry-After") == "" {
		t.Errorf("the second request in 1000 s: status %d: %s: expected 429", status, answer)
	}
}

// The judgements of a batch end when its client does.
func TestBatchCut(t *testing.T) {
	s := newSite(t, func(_ *Server, p *pool) { p.hold = make(chan struct{}) })
	line, _ := json.Marshal(program("cat"))
	in, out := io.Pipe()
	r, _ := http.NewRequest("POST", s.URL+"/v1/judgements:batch", in)
	r.Header.Set("Authorization", "Bearer "+submitSecret)
	go fmt.Fprintf(out, "%s\n%s\n", line, line)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); s.pool.items.Load() < 2; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("two items are not executed")
		}
	}
	response.Body.Close()
	out.CloseWithError(io.ErrUnexpectedEOF)
	select {
	case <-s.s.busy.idle():
	case <-time.After(time.Minute):
		t.Error("the judgements go on after their client has gone")
	}
}

// A client that stops reading is given up, and the server goes on.
func TestClientStopsReading(t *testing.T) {
	defer func(before time.Duration) { giveUp = before }(giveUp)
	giveUp = 100 * time.Millisecond
	s := newSite(t, nil)
	runs := make([][]byte, 64)
	for i := range runs {
		runs[i] = fmt.Appendf(nil, `"%s"`, strings.Repeat("a", 1<<20))
	}
	id := idOf("ann", "large")
	g, _ := newJudgement(api.Judgement{ID: id})
	g.runs = runs
	if err := s.s.keep(g, &api.Judgement{ID: id, State: api.Ended}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		s.Config.Handler.ServeHTTP(w, r)
	}))
	defer web.Close()
	c, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /v1/judgements/%s/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n\r\n", id, submitSecret)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the server still writes to a client that does not read")
	}
	if _, g := s.judge(program("cat")); g.Verdict != "AC" {
		t.Errorf("the next client: %+v: expected AC", g)
	}
}

// JSON whose texts would be changed by parsing is refused.
func TestTexts(t *testing.T) {
	s := newSiteWithWorkers(t)
	item := &remote.Item{Judge: "test", Problem: remote.Package{ID: "echo-XX", Tree: blob.Of(nil)}, Submission: remote.Submission{Name: "a", Path: "a", Tree: blob.Of(nil)}, Cases: []string{"secret/1"}}
	data, err := item.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"/v1/judgements": `{"problem":"echo","language":"bash","sources":{"a.sh":"cat #XX"}}`,
		"/v1/executions": `{"language":"bash","sources":{"a.sh":"cat #XX"}}`,
		"/v1/items":      string(data),
		"/v1/workers":    `{"name":"w","judge":"test","slots":1,"cpu":"XX"}`,
	} {
		for _, wrong := range []string{"\xff", `\ud800`, "\xed\xa0\x80"} {
			status, _, answer := s.send("POST", path, strings.ReplaceAll(text, "XX", wrong), "Authorization: Bearer root-0123456789abcdef")
			if status != 400 {
				t.Errorf("%s with %q: status %d: %s: expected 400", path, wrong, status, answer)
			}
		}
		if path == "/v1/judgements" {
			_, _, answer := s.send("POST", "/v1/judgements:batch", strings.ReplaceAll(text, "XX", "\xff"))
			if !strings.Contains(string(answer), `"status":400`) {
				t.Errorf("a batch: %s: expected 400", answer)
			}
		}
	}
	right := `{"language":"bash","sources":{"a.sh":"cat # \ud83d\ude00 é"}}`
	if status, _, answer := s.send("POST", "/v1/executions", right); status != 200 {
		t.Errorf("%s: status %d: %s", right, status, answer)
	}
}

// No answer has a path of the server.
func TestNoPaths(t *testing.T) {
	s := newSite(t, nil)
	root := filepath.Dir(s.dir)
	clean := func(name string, answer []byte) {
		t.Helper()
		if strings.Contains(string(answer), root) || strings.Contains(string(answer), s.s.Problems.Dir) {
			t.Errorf("%s: %s: expected no path below %s", name, answer, root)
		}
	}
	r := program("cat")
	_, _, answer := s.send("POST", "/v1/judgements", r)
	clean("a judgement", answer)
	broken := filepath.Join(root, "broken")
	testkit.Lay(t, broken, testkit.Echo())
	if err := os.WriteFile(filepath.Join(broken, "problem.yaml"), []byte("name: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	s.s.Problems.looked = time.Time{}
	status, _, answer := s.send("GET", "/v1/problems/broken", nil)
	if clean("a problem with a defect", answer); status != 422 || !strings.Contains(string(answer), "problem.yaml:1") {
		t.Errorf("a problem with a defect: status %d: %s", status, answer)
	}
	wrong := fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: root + "/a", Err: fs.ErrPermission})
	for _, status := range []int{400, 500} {
		data, _ := json.Marshal(blob.AsProblem(status, wrong))
		clean("an error", data)
	}
}

// The name and the secret of a worker belong to the token that registered it, and slots are
// bounded.
func TestRegistration(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) {
		s.Tokens.Add("north", "north-0123456789abcdef", Worker)
		s.Tokens.Add("south", "south-0123456789abcdef", Worker)
		s.Workers = newWorkers(t)
		s.Workers.HasToken = s.Tokens.Has
	})
	for _, tt := range []struct {
		secret, name string
		slots        int
		status       int
	}{
		{"north", "a", 4, 200}, {"north", "a", 2, 200}, {"south", "a", 4, 409}, {"south", "b", 1024, 200}, {"north", "b", 1, 409},
		{"north", "c", 0, 400}, {"north", "c", -5, 400}, {"north", "c", 1025, 400}, {"north", "c", 1_000_000_000, 400},
	} {
		status, _, answer := s.send("POST", "/v1/workers", &api.Registration{Name: tt.name, Judge: "test", Slots: tt.slots}, "Authorization: Bearer "+tt.secret+"-0123456789abcdef")
		if status != tt.status || (status == 200) != strings.Contains(string(answer), tt.name+":") {
			t.Errorf("%s registers %s with %d slots: status %d: %s: expected %d", tt.secret, tt.name, tt.slots, status, answer, tt.status)
		}
	}
	if p := s.s.Workers.poll("a"); p.Slots != 2 {
		t.Errorf("the worker may have %d slots: expected those that it registered", p.Slots)
	}
	before := s.s.Workers.secret("a", "north")
	finds := func(secret string, want bool) {
		t.Helper()
		if _, ok, err := s.s.Workers.Find(secret); ok != want || err != nil {
			t.Errorf("the worker of a secret: %v, %v: expected %v", ok, err, want)
		}
	}
	finds(before, true)
	s.s.Workers.HasToken = func(name string) bool { return name != "north" } // it is removed
	finds(before, false)
	now, err := s.s.Workers.Admit("south", &api.Registration{Name: "a"})
	if err != nil {
		t.Errorf("the name of a worker whose token is gone: %v", err)
	}
	finds(now, true)
	finds(before, false)
}
