package page

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// nameOf returns the name of a problem: in English if it has one.
func nameOf(p *problem.Problem) string {
	if name := p.Names["en"]; name != "" {
		return name
	}
	for _, code := range slices.Sorted(maps.Keys(p.Names)) {
		return p.Names[code]
	}
	return p.ID
}

// A problemItem is a problem in the list.
type problemItem struct {
	ID, Key  string // Key names it in addresses
	Name     string
	Limits   string
	Types    string
	Cases    int
	Samples  int
	Programs int
	Error    string // why it cannot be opened
	Whole    bool   // the fields below are known
	Warnings int
	Score    string // of its test data
	Checks   checks
	Last     *listItem // run on this server, or call on its machine
}

// problems shows the problems.
func (s *Site) problems(v *visit) error {
	all, err := s.Judge.ListProblems(v.token)
	if err != nil {
		return err
	}
	last, err := s.list(v, "", "")
	if err != nil {
		return err
	}
	var list []problemItem
	for _, one := range all {
		item := problemItem{ID: one.ID, Key: one.ID}
		if one.Digest != "" {
			item.Key = one.Digest
		}
		p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, item.Key)
		if err != nil {
			item.Error, _, _ = strings.Cut(reason(err), "\n")
			list = append(list, item)
			continue
		}
		item.Name, item.Limits, item.Types = nameOf(p), limitsOf(p), typesOf(p)
		item.Cases, item.Samples = len(p.Cases), len(p.Samples())
		if item.Whole = view == api.Whole; item.Whole {
			item.Programs, item.Warnings = len(p.Submissions), len(p.Warnings)+len(p.Doubts)
			measured, found := s.remembered(p)
			item.Score, item.Checks = measured.Text, found
		}
		done()
		if i := slices.IndexFunc(last, func(l listItem) bool {
			return l.Run != nil && l.Run.Problem == item.Key || l.Call != nil && slices.Contains(l.Call.Problems, item.ID)
		}); i >= 0 {
			item.Last = &last[i]
		}
		list = append(list, item)
	}
	return s.show(v, "problems", &view{Title: "Problems", Area: "problems", Data: list})
}

// limitsOf returns the limits in words.
func limitsOf(p *problem.Problem) string {
	l := report.LimitsText(p.Limits)
	if p.Limits.Time == 0 {
		l = strings.TrimSuffix("time limit inferred, "+l, ", ")
	}
	return l
}

func typesOf(p *problem.Problem) string {
	var words []string
	for _, t := range p.Types {
		words = append(words, string(t))
	}
	return strings.Join(words, ", ")
}

// A problemPage is the data of the pages of a problem.
type problemPage struct {
	Key, Tab  string
	Tabs      []choice
	Whole     bool // the visitor sees everything of the problem
	P         *problem.Problem
	Name      string
	Limits    string
	Types     string
	Languages []choice
	Facts     []fact

	statementView
	Samples  []sample
	Groups   []groupItem
	Cases    []caseItem
	Programs []programItem
	Sets     []validatorSet
	Items    []listItem // its runs and calls
	Editor   editor
	Warnings []string

	// Of one case or one submission.
	Case     *caseItem
	Files    []excerpt
	Pictures *pictureSet
	Source   []sourceFile
	One      *programItem
}

// A sample is a sample case.
type sample struct {
	Name  string
	Files []excerpt
}

// A groupItem is a group of cases.
type groupItem struct {
	Name, Score, Needs string
	Cases              int
}

// A caseItem is a case in a list.
type caseItem struct {
	Name, Input, Answer string // with sizes
	Command             string // that makes it
	Fails               []failing
	About               string
}

// A failing is a submission that a case rejects.
type failing struct {
	Name, Word, Class, Address string
}

// A programItem is a submission of the package.
type programItem struct {
	Name, Language, Expected, Note string
	Row                            *row // of the last run; nil if there is none
	Address                        string
}

// A validatorSet has the validators of one kind.
type validatorSet struct {
	Title    string
	Programs []validatorItem
}

// A validatorItem is a validator.
type validatorItem struct {
	Name  string
	Files []sourceFile
}

// An editor is the form for a program.
type editor struct{ Name, Language, Text string }

// tabs are the pages of a problem, with the name of each in addresses.
var tabs = []struct {
	choice
	jury bool // those who see its outline do not see the page
}{{choice{"", "Statement"}, false}, {choice{"cases", "Cases"}, true}, {choice{"submissions", "Submissions"}, true},
	{choice{"validators", "Validators"}, true}, {choice{"history", "Runs"}, false},
	{choice{"submit", "Judge a program"}, false}}

// mustBeWhole is the error for those who do not see everything of a problem.
func mustBeWhole(problem string) error {
	return blob.NewProblem(http.StatusForbidden,
		"the page has secret data of problem %.100s: expected a token with scope jury", terminal.QuoteName(problem))
}

// problemOf opens the problem of a request and returns what all of its pages show, of which
// the request is for one. The caller must call done.
func (s *Site) problemOf(v *visit, tab string) (d *problemPage, done func(), err error) {
	key := v.PathValue("problem")
	p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, key)
	if err != nil {
		return nil, nil, err
	}
	d = &problemPage{Key: key, Tab: tab, Whole: view == api.Whole, P: p, Name: nameOf(p), Limits: limitsOf(p),
		Types: typesOf(p), Languages: languages(p)}
	for _, t := range tabs {
		switch {
		case !t.jury || d.Whole:
			d.Tabs = append(d.Tabs, t.choice)
		case t.Value == tab:
			done()
			return nil, nil, mustBeWhole(p.ID)
		}
	}
	if d.Whole {
		for _, w := range slices.Concat(p.Warnings, p.Doubts) {
			d.Warnings = append(d.Warnings, terminal.Clean(w.Error()))
		}
	}
	return d, done, nil
}

func (s *Site) showProblem(v *visit, name string, d *problemPage) error {
	return s.show(v, name, &view{Title: d.Name, Area: "problems", Data: d})
}

// statement shows the statement of a problem.
func (s *Site) statement(v *visit) error {
	d, done, err := s.problemOf(v, "statement")
	if err != nil {
		return err
	}
	defer done()
	p := d.P
	d.statementView = statementOf(p, v.FormValue("language"))
	if d.Whole {
		d.Warnings = append(d.Warnings, d.warnings...)
	} else if d.Statement == "" { // its source may have remarks
		d.Text, d.Reasons = nil, []string{"The statement cannot be shown here; the jury sees why."}
	}
	for _, c := range p.Samples() {
		if d.Statement != "" {
			break // it has the samples
		}
		one := sample{Name: strings.TrimPrefix(c.Name, "sample/")}
		for _, file := range []struct{ ext, title string }{{".in", "Input"}, {".ans", "Output"},
			{".interaction", "Interaction"}} {
			if file.ext == ".ans" && p.Answerless() {
				continue
			}
			if e := caseFile(c, d.Key, file.ext, file.title); e != nil && e.Text != "" {
				one.Files = append(one.Files, *e)
			}
		}
		d.Samples = append(d.Samples, one)
	}
	d.Facts = append(d.Facts, fact{"limits", d.Limits}, fact{"type", d.Types}, fact{"cases", fmt.Sprint(len(p.Cases))})
	if d.Whole {
		d.Facts = append(d.Facts, fact{"submissions", fmt.Sprint(len(p.Submissions))}, fact{"format", p.Version})
		measured, found := s.remembered(p)
		if measured.Text != "" {
			d.Facts = append(d.Facts, fact{"mutation score", measured.Text})
		}
		if found.Text != "" {
			d.Facts = append(d.Facts, fact{"checks", found.Text + ", " + ago(found.Time)})
		}
	}
	if p.License != "" && p.License != "unknown" {
		d.Facts = append(d.Facts, fact{"licence", p.License})
	}
	if p.Is(problem.Scoring) && p.Data != nil && d.Whole {
		d.addGroups(p.Data)
	}
	// The style attributes of the statement have passed the list of package statement.
	v.w.Header().Set("Content-Security-Policy", policy+"; style-src-attr 'unsafe-inline'")
	return s.showProblem(v, "statement", d)
}

// addGroups adds a group and those in it.
func (d *problemPage) addGroups(g *problem.Group) {
	if g.Name != "" {
		one := groupItem{Name: g.Name, Cases: len(g.Cases), Needs: strings.Join(g.RequirePass, ", ")}
		if g.MaxScore > 0 && g.MaxScore < 1e15 {
			one.Score = terminal.Score(g.MaxScore)
		}
		d.Groups = append(d.Groups, one)
	}
	for _, below := range g.Groups {
		d.addGroups(below)
	}
}

// cases shows the cases of a problem.
func (s *Site) cases(v *visit) error {
	d, done, err := s.problemOf(v, "cases")
	if err != nil {
		return err
	}
	defer done()
	plan, _ := generate.ReadPlan(d.P.FS) // without one, the column is empty
	b := s.lastState(v, d.Key, false)
	for _, c := range d.P.Cases {
		d.Cases = append(d.Cases, caseItemOf(c, plan, b))
	}
	return s.showProblem(v, "cases", d)
}

// lastState returns the state of the newest run with the most programs of a problem; if own,
// of those with programs of the package. It is nil if there is none.
func (s *Site) lastState(v *visit, key string, own bool) *runState {
	all, err := s.lastRuns(v, key, maxList)
	all = slices.DeleteFunc(all, func(r *run) bool {
		return !slices.ContainsFunc(r.Rows, func(p program) bool { return !own || p.Own != "" })
	})
	if err != nil || len(all) == 0 {
		return nil
	}
	return s.stateOf(slices.MaxFunc(all,
		func(a, b *run) int { return len(a.Rows)*len(a.Cases) - len(b.Rows)*len(b.Cases) }))
}

func caseItemOf(c *problem.Case, plan *generate.Plan, b *runState) caseItem {
	one := caseItem{Name: c.Name, Input: sizeOf(c, ".in"), Answer: sizeOf(c, ".ans"),
		About: strings.TrimSpace(c.Hint + " " + c.Description)}
	if plan != nil {
		one.Command = plan.Command(c.Name)
	}
	if b == nil {
		return one
	}
	one.Fails = b.failsOf(c.Name)
	return one
}

// sizeOf returns the size of a file of a case; "" if there is none.
func sizeOf(c *problem.Case, ext string) string {
	f, err := c.Open(ext)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	return terminal.Bytes(info.Size())
}

// oneCase shows a case.
func (s *Site) oneCase(v *visit) error {
	d, done, err := s.problemOf(v, "cases")
	if err != nil {
		return err
	}
	defer done()
	name := v.PathValue("case")
	i := slices.IndexFunc(d.P.Cases, func(c *problem.Case) bool { return c.Name == name })
	if i < 0 {
		return blob.NewProblem(http.StatusNotFound, "problem %s has no case %.100q", d.P.ID, name)
	}
	plan, _ := generate.ReadPlan(d.P.FS) // without one, there is no command
	d.Case = new(caseItemOf(d.P.Cases[i], plan, s.lastState(v, d.Key, false)))
	for _, file := range []struct{ ext, title string }{{".in", "Input"}, {".ans", "Answer"}} {
		if e := caseFile(d.P.Cases[i], d.Key, file.ext, file.title); e != nil {
			d.Files = append(d.Files, *e)
		}
	}
	d.Pictures = s.casePictures(v, d.Key, d.P, d.P.Cases[i])
	return s.showProblem(v, "case", d)
}

// fileAddress returns the address of a file of a package.
func fileAddress(key, name string) string {
	return "/problems/" + url.PathEscape(key) + "/files/" + (&url.URL{Path: name}).EscapedPath()
}

// file sends a file of the test data, as plain text that no browser interprets.
func (s *Site) file(v *visit) error {
	p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, v.PathValue("problem"))
	if err != nil {
		return err
	}
	defer done()
	name := v.PathValue("file")
	i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool {
		return (view == api.Whole || c.Sample()) && (name == c.Path(".in") || name == c.Path(".ans"))
	})
	if i < 0 {
		return blob.NewProblem(http.StatusNotFound, "problem %s has no test data %.100q", p.ID, name)
	}
	f, err := p.Cases[i].Open(path.Ext(name))
	if err != nil {
		return blob.NewProblem(http.StatusNotFound, "problem %s: %s cannot be read", p.ID, name)
	}
	defer f.Close()
	v.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	v.w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	io.Copy(v.w, f)
	return nil
}

// submissions shows the submissions of a package with the results of the last run.
func (s *Site) submissions(v *visit) error {
	d, done, err := s.problemOf(v, "submissions")
	if err != nil {
		return err
	}
	defer done()
	b := s.lastState(v, d.Key, true)
	for _, one := range d.P.Submissions {
		d.Programs = append(d.Programs, programItemOf(one, b))
	}
	return s.showProblem(v, "submissions", d)
}

func programItemOf(one *problem.Submission, b *runState) programItem {
	item := programItem{Name: one.Name, Expected: report.ExpectedText(one.Expected, func(s string) string { return s }),
		Note: one.Unusable}
	if one.Language != nil {
		item.Language = one.Language.Name
	}
	if b == nil {
		return item
	}
	if i := slices.IndexFunc(b.run.Rows, func(p program) bool { return p.Own == one.Name }); i >= 0 {
		b.mu.Lock()
		item.Row, item.Address = new(b.rows[i]), fmt.Sprintf("/runs/%s/%d", b.run.ID, i)
		b.mu.Unlock()
	}
	return item
}

// source shows a submission of a package.
func (s *Site) source(v *visit) error {
	d, done, err := s.problemOf(v, "submissions")
	if err != nil {
		return err
	}
	defer done()
	one := d.P.SubmissionNamed(v.PathValue("name"))
	if one == nil {
		return blob.NewProblem(http.StatusNotFound, "problem %s has no submission %.100q", d.P.ID, v.PathValue("name"))
	}
	code := ""
	if one.Language != nil {
		code = one.Language.Code
	}
	d.One, d.Source = new(programItemOf(one, s.lastState(v, d.Key, true))), sourcesOf(&one.Program, code)
	if len(d.Source) == 1 && d.Source[0].Note == "" {
		d.Editor = editor{d.Source[0].Name, code, d.Source[0].Text}
	}
	return s.showProblem(v, "source", d)
}

// validators shows the validators of a package.
func (s *Site) validators(v *visit) error {
	d, done, err := s.problemOf(v, "validators")
	if err != nil {
		return err
	}
	defer done()
	for _, set := range []struct {
		title string
		all   []*problem.Program
	}{{"Input validators", d.P.InputValidators}, {"Answer validators", d.P.AnswerValidators},
		{"Output validators", d.P.OutputValidators}} {
		one := validatorSet{Title: set.title}
		for _, p := range set.all {
			one.Programs = append(one.Programs, validatorItem{p.Path, sourcesOf(p, "")})
		}
		d.Sets = append(d.Sets, one)
	}
	return s.showProblem(v, "validators", d)
}

// problemHistory shows the runs and calls of a problem.
func (s *Site) problemHistory(v *visit) error {
	d, done, err := s.problemOf(v, "history")
	if err != nil {
		return err
	}
	defer done()
	if d.Items, err = s.list(v, d.Key, d.P.ID); err != nil {
		return err
	}
	return s.showProblem(v, "problem_history", d)
}

// submitForm shows the form for programs. With the name of a submission, the editor has
// its text.
func (s *Site) submitForm(v *visit) error {
	d, done, err := s.problemOf(v, "submit")
	if err != nil {
		return err
	}
	defer done()
	if name := v.FormValue("submission"); name != "" && d.Whole {
		if one := d.P.SubmissionNamed(name); one != nil && len(one.Files) == 1 {
			code := ""
			if one.Language != nil {
				code = one.Language.Code
			}
			if files := sourcesOf(&one.Program, code); files[0].Note == "" {
				d.Editor = editor{path.Base(files[0].Name), code, files[0].Text}
			}
		}
	}
	return s.showProblem(v, "submit", d)
}
