// Package page is the web interface of a server: pages on which people read problems,
// submit programs, and watch and compare runs.
//
// Pages work without JavaScript; scripts only add to them. A page has nothing from
// another host, no text of a package or a program becomes markup, and the policy of
// each page forbids all scripts and styles but those of this package.
package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server"
)

// A Judge is a server in the same process: package server has its implementation, which
// needs a queue. The errors are [*blob.Problem].
type Judge interface {
	// TokenOf returns the token of a secret; Token the first one for which is holds.
	TokenOf(secret string) *server.Token
	Token(is func(*server.Token) bool) *server.Token

	// ViewOf returns what a token shows of what a client has had judged on a problem.
	ViewOf(t *server.Token, owner, problem string) api.View
	ListProblems(t *server.Token) ([]api.Problem, error)
	ListWorkers(t *server.Token) []api.Worker
	OpenProblem(ctx context.Context, t *server.Token, name string) (p *problem.Problem, v api.View, done func(), err error)

	// Begin begins a judgement. Of two with the same key there is one judgement.
	Begin(ctx context.Context, t *server.Token, key string, r *api.Request) (*api.Judgement, error)
	// Look returns a judgement and its runs after the first ones; changed is nil after its end.
	Look(v api.View, id string, after int) (now *api.Judgement, runs [][]byte, changed <-chan struct{}, err error)
	Cancel(t *server.Token, id string) error
	Live() []api.Judgement
}

// A Site serves the pages. Its fields are settings; Judge, Dir and Key are required.
type Site struct {
	Judge    Judge
	Dir      string        // keeps the runs that were begun on pages, and those of calls of judge run --on
	Keep     time.Duration // how long those of calls are kept; 0 is for ever
	MostLogs int64         // bytes of the logs of calls together; 0 is 1 GiB
	Key      []byte        // signs sessions; with the same key, sessions survive a restart
	Hosts    []string      // names of this server, besides localhost and IP addresses
	Secure   bool          // the pages are served by HTTPS
	Local    string        // name of the token of those who have a login link
	Version  string        // of the judge
	History  string        // folder of the history of this machine; "" for none
	Draw     *judge.Judge  // runs the visualizers of cases; nil runs none
	Log      *slog.Logger

	// Elsewhere has another server answer a request about what has a page there, and reports
	// whether one has; nil is a single server.
	Elsewhere func(w http.ResponseWriter, r *http.Request, page string) bool

	mu          sync.Mutex
	codes       map[string]time.Time // login links that were not used, with their ends
	states      map[string]*runState // by the key of the run
	delegations delegations
	counted     map[string]countedRun // of runs that have ended, by their keys
	owners      map[string]*run       // whose the runs are, of what, by id; without all else
	used        []string              // keys of states, the last used one at the end
	sheets      memory                // what was read of the history
	draws       drawings              // pictures of cases under way
}

// A visit is a request of somebody who has logged in.
type visit struct {
	*http.Request
	w     http.ResponseWriter
	token *server.Token
	csrf  string // that forms must have
}

// A view is what a template shows.
type view struct {
	Title  string // of the page, also of its window
	Area   string // entry of the main menu that is marked
	By     string
	Submit bool
	Areas  []choice // of the main menu
	CSRF   string
	Assets map[string]string // addresses, by name
	Live   bool              // the page changes: browsers without scripts load it again
	Data   any
}

// show writes a page: a template of the folder templates, in the layout.
func (s *Site) show(v *visit, name string, page *view) error {
	v.fill(page)
	page.Assets = assetAddresses()
	return render(v.w, http.StatusOK, name, page)
}

// fill adds what all pages show of a visit.
func (v *visit) fill(page *view) {
	page.By, page.Submit, page.CSRF = v.token.Name, v.submits(), v.csrf
	page.Areas = []choice{{"problems", "Problems"}, {"runs", "Runs"}, {"compare", "Compare"}}
	if v.seesWorkers() {
		page.Areas = append(page.Areas, choice{"workers", "Workers"})
	}
	page.Areas = append(page.Areas, choice{"queue", "Queue"})
}

func render(w http.ResponseWriter, status int, name string, page *view) error {
	var b bytes.Buffer
	t, ok := templates()[name]
	if !ok {
		return fmt.Errorf("there is no template %s", name)
	}
	if err := t.ExecuteTemplate(&b, "layout", page); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-cache")
	w.WriteHeader(status)
	w.Write(b.Bytes())
	return nil
}

// titles are those of pages of errors, by their status or its first digit.
var titles = map[int]string{500: "The server failed", 404: "Not found", 403: "Not permitted"}

// fail shows an error as a page.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, page *view, err error) {
	if r.Context().Err() != nil {
		return
	}
	p := blob.AsProblem(http.StatusInternalServerError, err)
	if !errors.As(err, new(*blob.Problem)) {
		s.Log.Error("a page cannot be shown", "path", r.URL.Path, "error", err)
	}
	page.Title, page.Data, page.Assets = cmp.Or(titles[p.Status/100*100], titles[p.Status], "Not possible"),
		struct{ Lines []string }{strings.Split(p.Detail, "\n")}, assetAddresses()
	if err := render(w, p.Status, "error", page); err != nil {
		s.Log.Error("the page of an error cannot be shown", "error", err)
	}
}
