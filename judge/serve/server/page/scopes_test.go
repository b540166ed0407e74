package page_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server"
)

// visitors are those of the tests, with the marks of what they may see: of the problems echo
// and other, of a package that eva has sent, and of the programs of sam.
var visitors = []struct {
	name   string
	scopes []server.Scope
	marks  string
}{
	{"nobody", nil, ""},
	{"sam", []server.Scope{server.Student}, "SAMS"},
	{"tom", []server.Scope{server.Student}, ""},
	{"joe", []server.Scope{server.Jury}, "HUSH OTHS EVAS SAMS"},
	{"eck", []server.Scope{"jury:echo"}, "HUSH SAMS"},
	{"oth", []server.Scope{"jury:other"}, "OTHS"},
	{"eva", []server.Scope{server.Eval}, "EVAS"},
	{"wes", []server.Scope{server.Worker}, ""},
	{"root", []server.Scope{server.Admin}, "HUSH OTHS EVAS SAMS"},
	{"ron", []server.Scope{server.Read}, ""},
}

// A guarded is a server with secrets and the visitors.
type guarded struct {
	*web
	vars    *strings.Replacer // of addresses and bodies
	cookies map[string]string // of sessions, by visitor
	forms   map[string]string // the tokens of forms
	first   string            // the judgement of sam
}

func secretOf(name string) string { return name + "-0123456789abcdef" }

// marked returns the files of a problem whose secret parts have a mark.
func marked(mark string) map[string]string {
	return map[string]string{
		"problem.yaml":                         "problem_format_version: 2025-09\nname: Marked\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 1}\n",
		"statement/problem.en.md":              "Repeat the input.\n",
		"data/sample/1.in":                     "1\n",
		"data/sample/1.ans":                    "1\n",
		"data/secret/" + mark + "-2.in":        mark + " 2\n",
		"data/secret/" + mark + "-2.ans":       mark + " 2\n",
		"data/secret/" + mark + "-2.yaml":      "hint: " + mark + "\ndescription: " + mark + "\n",
		"data/secret/" + mark + "-3.in":        mark + " 3\n",
		"data/secret/" + mark + "-3.ans":       mark + " 3\n",
		"submissions/accepted/" + mark + ".sh": "cat # " + mark + "\n",
		"submissions/wrong_answer/1.sh":        "echo " + mark + "\n",
		"input_validators/v/validate.sh":       "cat >/dev/null; exit 42 # " + mark + "\n",
	}
}

// wrong is a program of sam that fails on the first secret case, and prints its input.
const wrong = "# SAMS\nread -r x\necho \"$x\"\n[ \"$x\" = 1 ] || { echo more; echo \"$x\" >&2; }\n"

// newGuarded starts a server with the problems echo and other and the visitors.
func newGuarded(t *testing.T, more map[string]map[string]string) *guarded {
	root := t.TempDir()
	more["echo"], more["other"] = marked("HUSH"), marked("OTHS")
	for id, files := range more {
		for name, text := range files {
			write(t, filepath.Join(root, id, filepath.FromSlash(name)), text)
		}
	}
	w := newWebOf(t, root, t.TempDir(), nil, func(s *server.Server) {
		s.Workers = &server.Workers{Key: []byte("0123456789abcdef"), Queue: s.State}
		if err := s.Workers.Load(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Workers.Admit("", &api.Registration{Name: "a1", Judge: "test", Level: "box", Languages: []string{"bash"}}); err != nil {
			t.Fatal(err)
		}
		s.Metrics = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "slots 2\n") })
		s.Peers = &server.Peers{Living: func() []server.Peer { return nil }, Secret: "0123456789abcdef0123456789abcdef"}
		s.Backup = func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, "HUSH"); return err }
	})
	w.site.History = t.TempDir()
	call := stored(t, w.site.History, "HUSH")
	g := &guarded{web: w, cookies: make(map[string]string), forms: make(map[string]string), vars: strings.NewReplacer()}
	for _, v := range visitors {
		if v.scopes != nil {
			w.s.Tokens.Add(v.name, secretOf(v.name), v.scopes...)
			g.login(v.name)
		}
	}
	var pack bytes.Buffer
	z := zip.NewWriter(&pack)
	for name, text := range marked("EVAS") {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	digest := blob.Of(pack.Bytes()).String()
	g.must("eva", "PUT", "/v1/packages/"+digest, pack.String(), 201)
	file := blob.Of([]byte("HUSH")).String()
	g.must("root", "PUT", "/v1/blobs/"+file, "HUSH", 201)
	g.first = g.judged("sam", map[string]any{"problem": "echo", "language": "bash", "sources": map[string]string{"a.sh": wrong}})
	own := g.judged("eva", map[string]any{"problem": digest, "language": "bash", "sources": map[string]string{"a.sh": "cat # EVAS"}})
	run := g.submits("sam", url.Values{"problem": {"echo"}, "text": {wrong}, "name": {"SAMS"}, "language": {"bash"}})
	ofJury := g.submits("root", url.Values{"problem": {"echo"}, "submissions": {"all"}})
	g.vars = strings.NewReplacer("{sam}", g.first, "{eva}", own, "{run}", run, "{jury}", ofJury, "{package}", digest, "{file}", file, "{call}", call,
		"{program}", `{"problem":"echo","language":"bash","wait_s":60,"sources":{"a.sh":"cat"}}`)
	return g
}

// login begins the session of a visitor, if the visitor may have one.
func (g *guarded) login(name string) {
	g.t.Helper()
	r := g.send("", "POST", "/login", url.Values{"token": {secretOf(name)}}.Encode(), false)
	if cookies := r.Cookies(); len(cookies) > 0 {
		g.cookies[name] = cookies[0].Name + "=" + cookies[0].Value
		_, text := g.ask(name, "GET", "/problems", "")
		g.forms[name] = csrf.FindStringSubmatch(text)[1]
	}
}

// send sends a request of a visitor, with a token or with a session, and follows nothing.
func (g *guarded) send(name, method, path, body string, isAPI bool) *http.Response {
	g.t.Helper()
	path, body = g.vars.Replace(path), g.vars.Replace(body)
	if !isAPI && method == "POST" {
		body = "csrf=" + g.forms[name] + "&" + body
	}
	r, err := http.NewRequest(method, g.URL+path, strings.NewReader(strings.ReplaceAll(body, "{who}", name)))
	if err != nil {
		g.t.Fatal(err)
	}
	if isAPI && name != "nobody" {
		r.Header.Set("Authorization", "Bearer "+secretOf(name))
	}
	if !isAPI {
		r.Header.Set("Cookie", g.cookies[name])
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	to := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := to.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { response.Body.Close() })
	return response
}

// isAPI reports whether an address is one of the HTTP interface.
func isAPI(path string) bool {
	return strings.HasPrefix(path, "/v1/") || slices.Contains([]string{"/healthz", "/readyz", "/openapi.json", "/metrics"}, path)
}

// ask returns the status and the text of an answer with its headers.
func (g *guarded) ask(name, method, path, body string) (int, string) {
	g.t.Helper()
	response := g.send(name, method, path, body, isAPI(path))
	text, err := io.ReadAll(response.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return response.StatusCode, fmt.Sprint(response.Header) + "\n" + string(text)
}

func (g *guarded) must(name, method, path, body string, status int) string {
	g.t.Helper()
	got, text := g.ask(name, method, path, body)
	if got != status {
		g.t.Fatalf("%s: %s %s: status %d: %s", name, method, path, got, text)
	}
	return text
}

// judged sends a program and returns the id of its judgement, which has ended.
func (g *guarded) judged(name string, r map[string]any) string {
	g.t.Helper()
	r["wait_s"] = 60
	data, err := json.Marshal(r)
	if err != nil {
		g.t.Fatal(err)
	}
	_, text, _ := strings.Cut(g.must(name, "POST", "/v1/judgements", string(data), 200), "\n")
	var done api.Judgement
	if err := json.Unmarshal([]byte(text), &done); err != nil || done.ID == "" {
		g.t.Fatalf("%v: %s", err, text)
	}
	return done.ID
}

// submits sends the form of a page and returns the id of the run, which has ended.
func (g *guarded) submits(name string, form url.Values) string {
	g.t.Helper()
	r := g.send(name, "POST", "/runs", form.Encode(), false)
	id := strings.TrimPrefix(r.Header.Get("Location"), "/runs/")
	if r.StatusCode != 303 || id == "" {
		g.t.Fatalf("POST /runs of %s: status %d", name, r.StatusCode)
	}
	g.must(name, "GET", "/runs/"+id+"/events", "", 200) // ends with the run
	return id
}

// leaks returns the marks in an answer that a visitor must not see, and whether there are
// others. A refusal may repeat what was asked for.
func leaks(visitor int, path string, status int, text string) (bad []string, seen bool) {
	if text = strings.ReplaceAll(text, url.QueryEscape(path), ""); status >= 300 {
		for rest, more := path, true; more; _, rest, more = strings.Cut(rest, "/") {
			text = strings.ReplaceAll(text, rest, "")
		}
	}
	text = randomName.ReplaceAllString(text, "")
	for _, mark := range []string{"HUSH", "OTHS", "EVAS", "SAMS"} {
		switch {
		case !strings.Contains(text, mark):
		case strings.Contains(visitors[visitor].marks, mark):
			seen = true
		default:
			bad = append(bad, mark)
		}
	}
	return bad, seen
}

// randomName finds random words, which may have a mark in them.
var randomName = regexp.MustCompile(`\b[A-Z2-7]{26}\b|-[A-Z2-7]{8}\b`)

// permitted has for each route what each visitor gets: a status, "ok" for success without
// anything that the visitor must not see, or "all" for success with what only some may see.
var permitted = []struct{ route, path, body, want string }{
	//                                                    nobody sam tom joe eck oth eva wes root ron
	{"GET /healthz", "/healthz", "", "ok ok ok ok ok ok ok ok ok ok"},
	{"GET /readyz", "/readyz", "", "ok ok ok ok ok ok ok ok ok ok"},
	{"GET /openapi.json", "/openapi.json", "", "ok ok ok ok ok ok ok ok ok ok"},
	{"GET /metrics", "/metrics", "", "401 403 403 ok ok ok ok 403 ok ok"},
	{"GET /v1/server", "/v1/server", "", "401 ok ok ok ok ok ok 403 ok ok"},
	{"GET /v1/blobs/{digest}", "/v1/blobs/{file}", "", "401 403 403 all 403 403 403 403 all 403"},
	{"PUT /v1/blobs/{digest}", "/v1/blobs/{file}", "HUSH", "401 403 403 ok ok ok ok 403 ok 403"},
	{"POST /v1/blobs:missing", "/v1/blobs:missing", `["{file}"]`, "401 403 403 ok ok ok ok 403 ok 403"},
	{"POST /v1/blobs:copy", "/v1/blobs:copy", `{"files":[]}`, "401 403 403 403 403 403 403 403 ok 403"},
	{"POST /v1/items", "/v1/items", "{}", "401 403 403 400 400 400 400 403 400 403"},
	{"GET /v1/items/{item}", "/v1/items/none?after=0", "", "401 403 403 404 404 404 404 403 404 403"},
	{"GET /v1/backup", "/v1/backup", "", "401 403 403 403 403 403 403 403 all 403"},
	{"GET /v1/workers", "/v1/workers", "", "401 403 403 ok ok ok ok 403 ok ok"},
	{"POST /v1/workers", "/v1/workers", `{"name":"{who}","judge":"test","slots":1}`, "401 403 403 403 403 403 403 ok ok 403"},
	{"PUT /v1/workers/{worker}/out", "/v1/workers/a1/out", "{}", "401 403 403 403 403 403 403 403 ok 403"},
	{"DELETE /v1/workers/{worker}/out", "/v1/workers/a1/out", "", "401 403 403 403 403 403 403 403 ok 403"},
	{"PUT /v1/workers/{worker}/calibration", "/v1/workers/a1/calibration", "{}", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/workers/{worker}/lease", "/v1/workers/a1/lease", "", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/workers/{worker}/leave", "/v1/workers/a1/leave", "", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/workers/{worker}/alive", "/v1/workers/a1/alive", "", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/leases/{lease}/results", "/v1/leases/a/results", "", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/leases/{lease}/verdict", "/v1/leases/a/verdict", "", "401 403 403 403 403 403 403 403 403 403"},
	{"POST /v1/leases/{lease}/release", "/v1/leases/a/release", "", "401 403 403 403 403 403 403 403 403 403"},
	{"PUT /v1/packages/{digest}", "/v1/packages/none", "", "401 403 403 400 400 400 400 403 400 403"},
	{"GET /v1/problems", "/v1/problems", "", "401 ok ok ok ok ok ok 403 ok ok"},
	{"GET /v1/problems/{problem}", "/v1/problems/echo", "", "401 ok ok all all 404 404 403 all ok"},
	{"GET /v1/problems/{problem}", "/v1/problems/{package}", "", "401 404 404 all 404 404 all 403 all 404"},
	{"GET /v1/problems/{problem}", "/v1/problems/none", "", "401 404 404 404 404 404 404 403 404 404"},
	{"POST /v1/judgements", "/v1/judgements", "{program}", "401 ok ok all all 404 404 403 all 403"},
	{"POST /v1/judgements", "/v1/judgements", `{"problem":"echo","submission":"accepted/HUSH.sh","wait_s":60}`, "401 403 403 all all 403 403 403 all 403"},
	{"POST /v1/judgements", "/v1/judgements", `{"problem":"echo","files":{"a.sh":"{file}"},"wait_s":60}`, "401 403 403 all all 403 403 403 all 403"},
	{"POST /v1/judgements", "/v1/judgements", `{"problem":"echo","sources":{"a.sh":"cat"},"output":true}`, "401 403 403 ok ok 403 403 403 ok 403"},
	{"POST /v1/judgements", "/v1/judgements", `{"problem":"echo","sources":{"a.sh":"cat"},"case":"secret/HUSH-2"}`, "401 403 403 ok ok 403 403 403 ok 403"},
	{"POST /v1/judgements", "/v1/judgements", `{"problem":"{package}","sources":{"a.sh":"cat"},"wait_s":60}`, "401 404 404 all 404 404 all 403 all 403"},
	{"POST /v1/judgements:batch", "/v1/judgements:batch", "{program}\n", "401 ok ok all all ok ok 403 all 403"},
	{"GET /v1/judgements/{id}", "/v1/judgements/{sam}", "", "401 ok 404 all all 404 404 403 all 403"},
	{"GET /v1/judgements/{id}", "/v1/judgements/{eva}", "", "401 404 404 all 404 404 all 403 all 403"},
	{"DELETE /v1/judgements/{id}", "/v1/judgements/{sam}", "", "401 ok 404 all all 404 404 403 all 403"},
	{"GET /v1/judgements/{id}/events", "/v1/judgements/{sam}/events", "", "401 ok 404 all all 404 404 403 all 403"},
	{"POST /v1/executions", "/v1/executions", `{"sources":{"a.sh":"cat"}}`, "401 403 403 ok ok ok ok 403 ok 403"},

	{"GET /login", "/login", "", "ok ok ok ok ok ok ok ok ok ok"},
	{"POST /login", "/login", "token=none", "403 403 403 403 403 403 403 403 403 403"},
	{"GET /assets/{name}", "/assets/none", "", "404 404 404 404 404 404 404 404 404 404"},
	{"/", "/nothing/at/all", "", "303 404 404 404 404 404 404 303 404 404"},
	{"GET /{$}", "/", "", "303 303 303 303 303 303 303 303 303 303"},
	{"POST /logout", "/logout", "", "401 303 303 303 303 303 303 401 303 303"},
	{"GET /problems", "/problems", "", "303 ok ok ok ok ok ok 303 ok ok"},
	{"GET /problems/{problem}", "/problems/echo", "", "303 ok ok ok ok 404 404 303 ok ok"},
	{"GET /problems/{problem}", "/problems/{package}", "", "303 404 404 ok 404 404 ok 303 ok 404"},
	{"GET /problems/{problem}/cases", "/problems/echo/cases", "", "303 403 403 all all 404 404 303 all 403"},
	{"GET /problems/{problem}/cases/{case...}", "/problems/echo/cases/secret/HUSH-2", "", "303 403 403 all all 404 404 303 all 403"},
	{"GET /problems/{problem}/files/{file...}", "/problems/echo/files/data/secret/HUSH-2.in", "", "303 404 404 all all 404 404 303 all 404"},
	{"GET /problems/{problem}/files/{file...}", "/problems/echo/files/data/sample/1.in", "", "303 ok ok ok ok 404 404 303 ok ok"},
	{"GET /problems/{problem}/pictures/{picture...}", "/problems/echo/pictures/secret/2/a.svg", "", "303 403 403 404 404 404 404 303 404 403"},
	{"GET /problems/{problem}/submissions", "/problems/echo/submissions", "", "303 403 403 all all 404 404 303 all 403"},
	{"GET /problems/{problem}/submissions/{name...}", "/problems/echo/submissions/accepted/HUSH.sh", "", "303 403 403 all all 404 404 303 all 403"},
	{"GET /problems/{problem}/validators", "/problems/echo/validators", "", "303 403 403 all all 404 404 303 all 403"},
	{"GET /problems/{problem}/history", "/problems/echo/history", "", "303 all ok all all 404 404 303 all ok"},
	{"GET /problems/{problem}/submit", "/problems/echo/submit?submission=accepted/HUSH.sh", "", "303 ok ok all all 404 404 303 all ok"},
	{"GET /runs", "/runs", "", "303 all ok all all ok ok 303 all ok"},
	{"POST /runs", "/runs", "problem=echo&language=bash&text=cat", "401 303 303 303 303 404 404 401 303 403"},
	{"POST /runs", "/runs", "problem=echo&submissions=all", "401 403 403 303 303 404 404 401 303 403"},
	{"POST /runs", "/runs", "problem=echo&submission=accepted/HUSH.sh", "401 403 403 303 303 404 404 401 303 403"},
	{"GET /runs/{run}", "/runs/{run}", "", "303 all 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}", "/runs/{jury}", "", "303 404 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}/events", "/runs/{run}/events", "", "303 ok 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}/report", "/runs/{run}/report", "", "303 403 404 all all 404 404 303 all 404"},
	{"POST /runs/{run}/cancel", "/runs/{run}/cancel", "", "401 303 404 303 303 404 404 401 303 404"},
	{"POST /runs/{run}/again", "/runs/{run}/again", "missing=1", "401 303 404 403 403 404 404 401 403 404"},
	{"POST /runs/{run}/again", "/runs/{run}/again", "", "401 303 404 303 303 404 404 401 303 404"},
	{"GET /runs/{run}/{row}", "/runs/{run}/0", "", "303 all 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}/{row}/{case}", "/runs/{run}/0/1", "", "303 all 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}/{row}/{case}", "/runs/{run}/0/0", "", "303 all 404 all all 404 404 303 all 404"},
	{"GET /runs/{run}/{row}/{case}/{picture}", "/runs/{run}/0/1/a.svg", "", "303 404 404 404 404 404 404 303 404 404"},
	{"POST /runs/{run}/{row}/{case}", "/runs/{run}/0/1", "", "401 403 404 303 303 404 404 401 303 404"},
	{"GET /compare", "/compare", "", "303 all ok all all ok ok 303 all ok"},
	{"GET /compare", "/compare?a={run}&b={run}/0", "", "303 all 404 all all 404 404 303 all 404"},
	{"GET /history", "/history", "", "303 303 303 303 303 303 303 303 303 303"},
	{"GET /history/compare", "/history/compare?a={call}&b={call}", "", "303 403 403 422 403 403 403 303 422 403"},
	{"GET /history/{call}", "/history/{call}", "", "303 403 403 ok 403 403 403 303 ok 403"},
	{"GET /workers", "/workers", "", "303 403 403 ok ok ok ok 303 ok ok"},
	{"GET /queue", "/queue", "", "303 ok ok ok ok ok ok 303 ok ok"},
	{"POST /queue/{judgement}/cancel", "/queue/{sam}/cancel", "", "401 303 404 303 303 404 404 401 303 403"},
}

// Each route answers each scope as the table says, and each has a row.
func TestScopesOfRoutes(t *testing.T) {
	g := newGuarded(t, map[string]map[string]string{})
	var doc struct {
		Paths map[string]map[string]any `json:"paths"` // of all routes: see TestOpenAPIRoutes of package server
	}
	_, text, _ := strings.Cut(g.must("nobody", "GET", "/openapi.json", "", 200), "\n")
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	routes := g.site.Patterns()
	for path, methods := range doc.Paths {
		for method := range methods {
			routes = append(routes, strings.ToUpper(method)+" "+path)
		}
	}
	var rows []string
	for _, row := range permitted {
		rows = append(rows, row.route)
	}
	slices.Sort(routes)
	slices.Sort(rows)
	if rows = slices.Compact(rows); !slices.Equal(routes, rows) {
		t.Fatalf("the routes are\n%s\nexpected those of the table\n%s", strings.Join(routes, "\n"), strings.Join(rows, "\n"))
	}
	for _, row := range permitted {
		want := strings.Fields(row.want)
		method, _, found := strings.Cut(row.route, " ")
		if !found {
			method = "GET"
		}
		var got []string
		for i, v := range visitors {
			status, text := g.ask(v.name, method, row.path, row.body)
			bad, seen := leaks(i, row.path, status, text)
			one := fmt.Sprint(status)
			if status < 300 {
				one = "ok"
			}
			if one == "ok" && seen && i < len(want) && want[i] == "all" {
				one = "all"
			}
			if got = append(got, one); len(bad) > 0 {
				t.Errorf("%s: %s %s %s: the answer has %v: %s", v.name, method, row.path, row.body, bad, text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s %s %s:\n%v, expected\n%v", method, row.path, row.body, got, want)
		}
	}
}
