package page

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server"
)

// maxOutputs is the number of cells of a run up to which their outputs are kept. The
// output of a cell of a larger run is made again when it is asked for.
const maxOutputs = 2000

// A run is a set of programs that were submitted together on a page, a judgement each. It
// is a file, so its address survives a restart of the server.
type run struct {
	ID      string        `json:"id"`
	Problem string        `json:"problem"` // id or digest
	By      string        `json:"by"`
	Created time.Time     `json:"created_at"`
	Samples bool          `json:"samples,omitempty"` // on the samples alone
	All     bool          `json:"all,omitempty"`     // on all cases, also if the result is known
	Cases   []string      `json:"cases"`
	Limit   time.Duration `json:"limit_ns,omitempty"` // the time limit; 0 if it was not known
	Rows    []program     `json:"rows"`
	Call    string        `json:"call,omitempty"` // of judge run --on, as its client names it; its log has the rows

	log  []loggedRow // by row, of a call
	view api.View    // what the visitor sees of it; see runOf
}

// Whole reports whether the visitor sees everything of the run.
func (r *run) Whole() bool { return r.view == api.Whole }

// errNoRun is the error for a run that there is not, or that is hidden.
func errNoRun(id string) error {
	return blob.NewProblem(http.StatusNotFound, "run %.60q: found none of that id", id)
}

// runOf returns the run that a request names, as the visitor sees it. The error is a
// [*blob.Problem] if it is hidden.
func (s *Site) runOf(v *visit, id string) (*run, error) {
	r, err := s.readRun(id)
	if err != nil {
		return nil, err
	}
	if seen := s.viewed(v, r); seen != nil {
		return seen, nil
	}
	return nil, errNoRun(id)
}

// viewed returns a copy of a run as the visitor sees it, or nil. What a client of judge run
// --on calls the problem says nothing about whose it is.
func (s *Site) viewed(v *visit, r *run) *run {
	seen := *r
	switch {
	case r.Call == "":
		seen.view = s.Judge.ViewOf(v.token, r.By, r.Problem)
	case v.token.JudgesAll(), r.By == v.token.Name && v.token.Permits(server.Jury, server.Eval):
		seen.view = api.Whole
	}
	if seen.view == api.Hidden {
		return nil
	}
	seen.Cases = seen.view.Tests(r.Cases)
	return &seen
}

// A program is a row of a run.
type program struct {
	Name      string            `json:"name"`
	Own       string            `json:"submission,omitempty"` // the name of a submission of the package
	Language  string            `json:"language,omitempty"`
	Sources   map[string]string `json:"sources,omitempty"`
	Judgement string            `json:"judgement,omitempty"` // its id
	Error     string            `json:"error,omitempty"`     // why there is no judgement
	Details   map[int]string    `json:"details,omitempty"`   // by case: the judgement that made it again with its output
}

// runID matches the ids of runs, which are names of files and sort by time.
var runID = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[A-Z2-7]{8}$`)

// runTime is the form of the time in the id of a run.
const runTime = "20060102-150405-"

// title returns the name of a run in lists.
func (r *run) title() string {
	switch {
	case len(r.Rows) == 0:
		return "judge run"
	case len(r.Rows) == 1:
		return r.Rows[0].Name
	case r.ofPackage():
		return "Submissions of the package"
	}
	return fmt.Sprintf("%s and %d more", r.Rows[0].Name, len(r.Rows)-1)
}

// ofPackage reports whether all programs are of the package.
func (r *run) ofPackage() bool {
	return !slices.ContainsFunc(r.Rows, func(p program) bool { return p.Own == "" })
}

func (s *Site) runFile(id string) string { return filepath.Join(s.Dir, "runs", id+".json") }

// hasRun reports whether a run was begun at this server.
func (s *Site) hasRun(id string) bool {
	_, err := os.Stat(s.runFile(id))
	return err == nil
}

func (s *Site) saveRun(r *run) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	name := s.runFile(r.ID)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return osfile.WriteSynced(name, data)
}

// headOf returns a run; that of a call without its rows. The error is a [*blob.Problem] if there is none.
func (s *Site) headOf(id string) (*run, error) {
	if !runID.MatchString(id) {
		return nil, errNoRun(id)
	}
	data, err := os.ReadFile(s.runFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoRun(id)
	} else if err != nil {
		return nil, err
	}
	r := new(run)
	return r, json.Unmarshal(data, r)
}

// readRun returns a run with all of its rows. The error is a [*blob.Problem] if there is none.
func (s *Site) readRun(id string) (*run, error) {
	r, err := s.headOf(id)
	if err == nil && r.Call != "" {
		s.readLog(r)
	}
	return r, err
}

// runIDs returns the ids of all runs, the newest first.
func (s *Site) runIDs() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(s.Dir, "runs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && runID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// lastRuns returns the newest runs that a visitor sees, those of calls without their rows; of
// one problem if its name is not "". A nil v sees all.
func (s *Site) lastRuns(v *visit, problem string, most int) ([]*run, error) {
	ids, err := s.runIDs()
	if err != nil {
		return nil, err
	}
	var all []*run
	for _, id := range ids {
		if len(all) == most {
			break
		}
		s.mu.Lock()
		r := s.owners[id]
		s.mu.Unlock()
		if r != nil && (problem != "" && r.Problem != problem || v != nil && s.viewed(v, r) == nil) {
			continue // its file need not be read
		}
		if r, err = s.headOf(id); err != nil {
			continue
		}
		s.mu.Lock()
		s.owners[id] = &run{By: r.By, Problem: r.Problem, Call: r.Call}
		s.mu.Unlock()
		if v != nil {
			r = s.viewed(v, r)
		}
		if r != nil && (problem == "" || r.Problem == problem) {
			all = append(all, r)
		}
	}
	return all, nil
}

// begin begins the judgements of a new run of programs, and stores it.
func (s *Site) begin(ctx context.Context, t *server.Token, name string, p *problem.Problem, r *run) (*run, error) {
	now := time.Now().UTC()
	r.ID, r.Problem, r.By, r.Created, r.Limit = now.Format(runTime)+rand.Text()[:8], name, t.Name, now,
		p.Limits.Time
	r.view = s.Judge.ViewOf(t, t.Name, name)
	for _, c := range p.Cases {
		if !r.Samples || c.Sample() {
			r.Cases = append(r.Cases, c.Name)
		}
	}
	for i := range r.Rows {
		s.beginRow(ctx, t, r, i)
	}
	return r, s.saveRun(r)
}

// request returns the request for the judgement of a row.
func (r *run) request(row int) *api.Request {
	p := &r.Rows[row]
	a := &api.Request{Problem: r.Problem, Own: p.Own, Sources: p.Sources, All: r.All,
		Output: r.Whole() && len(r.Rows)*len(r.Cases) <= maxOutputs}
	if p.Own == "" {
		a.Language = p.Language
	}
	if r.Samples {
		a.Cases = api.SampleCases
	}
	return a
}

// beginRow begins the judgement of a row. Its key names the row, so that a judgement that
// was lost with an earlier server begins again.
func (s *Site) beginRow(ctx context.Context, t *server.Token, r *run, row int) {
	p := &r.Rows[row]
	p.Judgement, p.Error = "", ""
	g, err := s.Judge.Begin(ctx, t, r.ID+"/"+strconv.Itoa(row), r.request(row))
	if err != nil {
		p.Error = reason(err)
		return
	}
	p.Judgement = g.ID
	if g.Language != "" {
		p.Language = g.Language
	}
}

// reason returns the text of an error for people.
func reason(err error) string {
	if p := new(blob.Problem); errors.As(err, &p) {
		return p.Detail
	}
	return err.Error()
}
