package page

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/html"
	"crucible/judge/report/sheet"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/strength/adequacy"
	"crucible/judge/terminal"
)

// maxCalls is how many calls of the history are looked at for scores of test data.
const maxCalls = 300

// A callItem is a call of the judge in a list.
type callItem struct {
	ID, Command, Took string
	Name              string // of the subcommand
	Problems          []string
	Time              time.Time
	State             string
	Status            int
	Runs              int
	Before            string // the call before it of the same command and problem, to compare it with
}

// calls returns the calls in the history of this machine, the newest first.
func (s *Site) calls(most int) (all []callItem) {
	if s.History == "" {
		return nil
	}
	entries, err := record.Calls(s.History)
	if err != nil {
		s.Log.Warn("the history cannot be read", "error", err)
	}
	for _, e := range entries[:min(len(entries), most)] {
		g, err := e.Summary()
		if err != nil {
			continue // it is damaged, or of another version
		}
		one := callItem{ID: e.ID, Name: g.Head.Command, Time: g.Head.Time, State: string(g.State), Status: g.End.Status,
			Runs: g.End.Runs}
		one.Command = terminal.Clip(terminal.Clean("judge "+
			strings.Join(slices.Concat([]string{g.Head.Command}, g.Head.Args, g.Head.Flags), " ")), 100)
		if g.State == record.Ended {
			one.Took = terminal.Duration(g.End.Elapsed)
		}
		for _, p := range g.Head.Problems {
			one.Problems = append(one.Problems, p.ID)
		}
		all = append(all, one)
	}
	for i := range all {
		for k := i + 1; k < len(all) && all[i].Runs > 0 && all[i].Before == ""; k++ {
			if all[k].Runs > 0 && slices.Equal(all[k].Problems, all[i].Problems) && all[k].Name == all[i].Name {
				all[i].Before = all[k].ID
			}
		}
	}
	return all
}

// A memory has what the calls that were read say of each problem, by its id.
type memory struct {
	sync.Mutex
	seen   map[string]bool // calls
	scores map[string]score
	checks map[string]checks
	keys   map[string]keys // of packages, by the ids of their problems
	looked time.Time
}

// A score is the newest mutation score of the test data of a problem.
type score struct {
	Text, Key string
	Time      time.Time
}

// A checks is what the newest judge verify found about a problem.
type checks struct {
	Text, Mark string
	Key        string // of the package
	Call       string // its id
	Time       time.Time
}

// remembered returns what the history says of a problem: the score of its test data and the
// state of its checks, zero if there is none. Both say if they are of other files than the
// package has now.
func (s *Site) remembered(p *problem.Problem) (score, checks) {
	measured, found := s.recall(p.ID)
	if found.Text == "" && measured.Text == "" {
		return measured, found
	}
	now := s.sheets.keysOf(p)
	if found.Text != "" {
		if since := changed(found.Key, now.all); since != "" {
			found.Text, found.Mark = found.Text+since, "doubt"
		}
	}
	if measured.Text != "" {
		measured.Text += changed(measured.Key, now.judged)
	}
	return measured, found
}

// changed says whether a package with the key now has changed since it had the key then.
func changed(then, now string) string {
	switch {
	case then == "" || now == "":
		return ", maybe changed since"
	case then != now:
		return ", changed since"
	}
	return ""
}

// keys are the hashes of the files of a package: of those on which results depend, and of
// all. They are kept as long as no name, size or time of a file changes.
type keys struct {
	files       [sha256.Size]byte // of names, sizes and times
	judged, all string
}

// keysOf returns the keys of a package as it is now.
func (m *memory) keysOf(p *problem.Problem) keys {
	h := sha256.New()
	_ = fs.WalkDir(p.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if info, statErr := fs.Stat(p.FS, name); err == nil && statErr == nil && !d.IsDir() {
			fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	files := [sha256.Size]byte(h.Sum(nil))
	m.Lock()
	k := m.keys[p.ID]
	m.Unlock()
	if k.files == files {
		return k
	}
	k = keys{files, record.PackageKey(p.FS), record.PackageDigest(p.FS)}
	m.Lock()
	defer m.Unlock()
	if m.keys == nil {
		m.keys = make(map[string]keys)
	}
	m.keys[p.ID] = k
	return k
}

func (s *Site) recall(id string) (score, checks) {
	m := &s.sheets
	m.Lock()
	defer m.Unlock()
	if s.History != "" && time.Since(m.looked) > 10*time.Second {
		m.looked = time.Now()
		m.look(s.History)
	}
	return m.scores[id], m.checks[id]
}

func (m *memory) look(folder string) {
	if m.seen == nil {
		m.seen, m.scores, m.checks = make(map[string]bool), make(map[string]score), make(map[string]checks)
	}
	entries, _ := record.Calls(folder) // without a history there is nothing to remember
	for _, e := range entries[:min(len(entries), maxCalls)] {
		if m.seen[e.ID] {
			continue
		}
		g, err := e.Summary()
		if err != nil || g.State == record.GoingOn {
			continue
		}
		m.seen[e.ID] = true
		if g.Head.Command != "adequacy" && g.Head.Command != "verify" {
			continue
		}
		c, err := e.Read()
		if err != nil {
			continue
		}
		for i, p := range g.Head.Problems {
			m.add(c, i, p.ID)
		}
	}
}

// add adds what a call says of its problem i.
func (m *memory) add(c *record.Call, i int, id string) {
	at := c.Head.Time
	var a struct {
		Key string `json:"key"`
		adequacy.Result
	}
	if c.Section(i, sheet.AdequacyKey, &a) && a.Mutation != nil && a.Mutation.Scores.Headline.Of > 0 &&
		at.After(m.scores[id].Time) {
		x := a.Mutation.Scores.Headline
		share := terminal.Percent(float64(x.Killed) / float64(x.Of))
		m.scores[id] = score{fmt.Sprintf("%s, %d of %d mutants killed", share, x.Killed, x.Of), a.Key, at}
	}
	var v struct {
		Key string `json:"key"`
		record.PromiseCounts
	}
	if !c.Section(i, record.PromisesKey, &v) || !at.After(m.checks[id].Time) {
		return
	}
	now := checks{Text: fmt.Sprintf("all %d hold", v.Checked), Mark: "good", Key: v.Key, Call: c.ID, Time: at}
	switch {
	case v.Broken > 0:
		now.Text, now.Mark = fmt.Sprintf("%d of %d broken", v.Broken, v.Checked), "bad"
	case v.Doubtful > 0:
		now.Text, now.Mark = fmt.Sprintf("%d hold, %d with doubts", v.Checked, v.Doubtful), "doubt"
	}
	m.checks[id] = now
}

// call shows a call as the HTML report. The report has a policy of its own, which names
// the hashes of its scripts; this one keeps it from the pages of the server.
func (s *Site) call(v *visit) error {
	if err := v.mustJudge(); err != nil {
		return err
	}
	if s.History == "" || !record.IsID(v.PathValue("call")) {
		return blob.NewProblem(http.StatusNotFound, "call %.60q: found none of that id", v.PathValue("call"))
	}
	e, err := record.FindCall(s.History, v.PathValue("call"))
	if err != nil {
		return blob.NewProblem(http.StatusNotFound, "%v", err)
	}
	c, err := e.Read()
	if err != nil {
		return err
	}
	d, err := c.Document(sheet.Sections...)
	if err != nil {
		return err
	}
	return writeReport(v, d)
}

// report shows a run as the HTML report.
func (s *Site) report(v *visit) error {
	r, err := s.runOf(v, v.PathValue("run"))
	if err == nil && !r.Whole() {
		err = mustBeWhole(r.Problem)
	}
	if err != nil {
		return err
	}
	d, err := s.documentOf(r, func(int) bool { return true })
	if err != nil {
		return err
	}
	return writeReport(v, d)
}

// documentOf returns the judgements of rows of a run that have ended as a document.
func (s *Site) documentOf(r *run, is func(row int) bool) (*record.Document, error) {
	d := new(record.Document)
	all := record.Problem{ID: r.Problem, Cases: r.Cases}
	for i := range r.Rows {
		if !is(i) || r.Rows[i].Judgement == "" {
			continue
		}
		g, _, _, err := s.look(r.view, r.Rows[i].Judgement, 0)
		if err != nil || g.Ended == nil || g.State != api.Ended || g.Record == nil {
			continue
		}
		var p record.Problem
		if err := record.Parse(g.Record, &p); err != nil {
			return nil, err
		}
		all.ID, all.Path, all.Limits = p.ID, p.Path, p.Limits
		for _, one := range p.Reports {
			one.Submission = cmp.Or(r.Rows[i].Name, one.Submission)
			all.Reports = append(all.Reports, one)
		}
	}
	if len(all.Reports) == 0 {
		return nil, blob.NewProblem(http.StatusNotFound, "run %s has no judgement that has ended", r.ID)
	}
	d.Problems = []record.Problem{all}
	return d, nil
}

// writeReport writes the HTML report, in a sandbox of its own origin.
func writeReport(v *visit, d *record.Document) error {
	v.w.Header().Set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'none'")
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Cache-Control", "private, no-cache")
	return html.Write(v.w, d)
}
