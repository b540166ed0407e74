package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

const (
	maxCells  = 6000 // of a page of a matrix
	maxWide   = 60   // cases, above which a row is one picture and no cells
	maxStrips = 200  // such rows of a page
	maxList   = 200  // runs in a list
)

// languages are the choices of a problem, after that by the names of the files.
func languages(p *problem.Problem) []choice {
	all := []choice{{"", "by its file name"}}
	for l := range language.Builtin.Each {
		if p.Languages == nil || slices.Contains(p.Languages, l.Code) {
			all = append(all, choice{l.Code, l.Name})
		}
	}
	return all
}

// submitted begins a run: of files, of the text in the editor, or of submissions of the
// package.
func (s *Site) submitted(v *visit) error {
	if err := v.mustSubmit(); err != nil {
		return err
	}
	name := v.PostFormValue("problem")
	p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, name)
	if err != nil {
		return err
	}
	defer done()
	if view != api.Whole && (v.PostForm.Has("submission") || v.PostForm.Has("submissions")) {
		return mustBeWhole(p.ID)
	}
	r := &run{Samples: v.PostFormValue("cases") == "samples", All: v.PostFormValue("all") != ""}
	code := v.PostFormValue("language")
	if text := v.PostFormValue("text"); strings.TrimSpace(text) != "" {
		file, err := fileName(cmp.Or(v.PostFormValue("name"), "Main"), code)
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, program{Name: file, Language: code,
			Sources: map[string]string{file: strings.ReplaceAll(text, "\r\n", "\n")}})
	}
	if v.MultipartForm != nil {
		more, err := uploaded(v.MultipartForm.File["file"], code, v.PostFormValue("together") != "")
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, more...)
	}
	for _, own := range v.PostForm["submission"] {
		r.Rows = append(r.Rows, program{Name: own, Own: own})
	}
	if v.PostFormValue("submissions") == "all" {
		for _, one := range p.Submissions {
			r.Rows = append(r.Rows, program{Name: one.Name, Own: one.Name})
		}
	}
	if len(r.Rows) == 0 {
		return blob.NewProblem(http.StatusUnprocessableEntity,
			"the form has no program: choose a file, or write one in the editor")
	}
	if r, err = s.begin(v.Context(), v.token, name, p, r); err != nil {
		return err
	}
	http.Redirect(v.w, v.Request, "/runs/"+r.ID, http.StatusSeeOther)
	return nil
}

// fileName returns the name of the text of an editor, with the extension of its language.
func fileName(name, code string) (string, error) {
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	if path.Ext(name) != "" {
		return name, nil
	}
	l := language.Builtin.ByCode(code)
	if l == nil {
		return "", blob.NewProblem(http.StatusUnprocessableEntity,
			"the program in the editor has no language: choose one, or a file name with an extension")
	}
	if len(l.Exts) == 0 {
		return name, nil
	}
	return name + "." + strings.TrimPrefix(l.Exts[0], "."), nil
}

// uploaded returns the programs of files: one each, or one of all together.
func uploaded(files []*multipart.FileHeader, code string, together bool) (all []program, err error) {
	for _, h := range files {
		f, err := h.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			return nil, err
		}
		name := path.Base(strings.ReplaceAll(h.Filename, "\\", "/"))
		if len(data) == 0 && (name == "." || name == "/") {
			continue // a form without a chosen file
		}
		if together && len(all) > 0 {
			all[0].Sources[name] = string(data)
			continue
		}
		all = append(all, program{Name: name, Language: code, Sources: map[string]string{name: string(data)}})
	}
	return all, nil
}

// A runItem is a run in a list.
type runItem struct {
	*run
	Name string // of the problem
	countedRun
}

// A countedRun is what lists show of a run.
type countedRun struct {
	Title  string
	Counts rowCounts
	size   int64 // of its log, if it is that of a call
}

// items returns runs for a list.
func (s *Site) items(v *visit, all []*run) []runItem {
	list, names := make([]runItem, len(all)), make(map[string]string)
	for i, r := range all {
		if names[r.Problem] == "" {
			names[r.Problem], _ = s.problemName(v, r.Problem)
		}
		list[i] = runItem{r, names[r.Problem], s.countsOf(r)}
	}
	return list
}

// countsOf counts a run. What has ended is counted once.
func (s *Site) countsOf(r *run) countedRun {
	c := countedRun{Title: r.title()}
	if info, err := os.Stat(s.logFile(r.ID)); r.Call != "" && err == nil {
		c.size = info.Size()
	}
	s.mu.Lock()
	old, ok := s.counted[r.key()]
	open := s.states[r.key()] != nil
	s.mu.Unlock()
	if ok && old.size == c.size {
		return old
	}
	if !open && len(r.Rows)*len(r.Cases) > 20*maxOutputs {
		return c // to read it takes a second
	}
	if r.Call != "" {
		full, err := s.readRun(r.ID)
		if err != nil {
			return c
		}
		full.view = r.view
		r, c.Title = full, full.title()
	}
	b := s.stateOf(r)
	b.mu.Lock()
	c.Counts = b.counts()
	b.mu.Unlock()
	if c.Counts.Live == 0 {
		s.mu.Lock()
		s.counted[r.key()] = c
		s.mu.Unlock()
	}
	return c
}

// A listItem is a run of this server or a call of the judge on this machine: one is nil.
type listItem struct {
	Run  *runItem
	Call *callItem
}

// Begun returns when the run or call began.
func (l listItem) Begun() time.Time {
	if l.Run != nil {
		return l.Run.Created
	}
	return l.Call.Time
}

// list returns the last runs and calls, the newest first; those of one problem if its name
// is not "". id is that of the problem in calls.
func (s *Site) list(v *visit, problem, id string) (all []listItem, err error) {
	runs, err := s.lastRuns(v, problem, maxList)
	if err != nil {
		return nil, err
	}
	items := s.items(v, runs)
	var calls []callItem
	if v.token.JudgesAll() {
		calls = s.calls(maxList)
	}
	for i := range items {
		if problem != "" { // the page has its name
			items[i].Name, items[i].Title = items[i].Title, ""
		}
		all = append(all, listItem{Run: &items[i]})
	}
	for i := range calls {
		if problem == "" || slices.Contains(calls[i].Problems, id) {
			all = append(all, listItem{Call: &calls[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b listItem) int { return b.Begun().Compare(a.Begun()) })
	return all[:min(len(all), maxList)], nil
}

// A listPage is the data of the page of all runs and calls.
type listPage struct {
	Items   []listItem
	Choices []choice // calls that can be compared
}

// runs shows the runs of this server and the calls of the judge on this machine.
func (s *Site) runs(v *visit) error {
	d := listPage{}
	var err error
	if d.Items, err = s.list(v, "", ""); err != nil {
		return err
	}
	for _, one := range d.Items {
		if c := one.Call; c != nil && c.Runs > 0 && len(d.Choices) < 60 {
			d.Choices = append(d.Choices, choice{c.ID, c.Time.Local().Format("2 Jan 15:04:05") + ", " + c.Command})
		}
	}
	return s.show(v, "runs", &view{Title: "Runs", Area: "runs", Data: d})
}

// A runView is the data of the page of a run.
type runView struct {
	*run
	Title   string
	Counts  rowCounts
	Rows    []rowView
	Heads   []head
	Filter  filter
	Total   int // rows that match the filter
	Pages   []pageLink
	Events  string // address of the events after those that the page shows; "" after the end
	Keys    []choice
	Name    string   // of the problem
	Known   bool     // the server has the problem
	One     *rowView // of a run of one program
	CanStop bool
	Lost    bool // judgements are missing
	Wide    bool // rows are pictures
	Scale   int  // pixels of a case in them
}

// A head is the head of a column: a case.
type head struct {
	Short, Name string
	Border      bool
}

// A rowView is a row of the matrix.
type rowView struct {
	Index int
	Name  string
	Row   *row
	Cells []cellView
	Strip []stripPart // of a wide row
	About string      // the strip in words
}

// A stripPart is the path of all cases of a row that have the same class.
type stripPart struct{ Class, Path string }

// stripOf returns the picture of the cells of a row. A run of equal cells is a rectangle.
func (b *runState) stripOf(cells []cell) (all []stripPart, about string) {
	paths, counts := make(map[string]*strings.Builder), make(map[string]int)
	for i := 0; i < len(cells); {
		class, k := b.class(cells[i]), i
		for ; k < len(cells) && b.class(cells[k]) == class; k++ {
			counts[cmp.Or(cells[k].word, "not run")]++
		}
		if paths[class] == nil {
			paths[class] = new(strings.Builder)
		}
		fmt.Fprintf(paths[class], "M%d 0h%dv1h%dz", i, k-i, i-k)
		i = k
	}
	for _, class := range slices.Sorted(maps.Keys(paths)) {
		all = append(all, stripPart{class, paths[class].String()})
	}
	var words []string
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%d %s", counts[word], word))
	}
	return all, strings.Join(words, ", ")
}

// A cellView is a cell of the matrix.
type cellView struct {
	Class, Word, Title string
	Case               int
}

// A pageLink is a link to a part of a list.
type pageLink struct {
	Text, Address string
	Here          bool
}

// A filter chooses and orders rows.
type filter struct {
	Text    string // in the name
	Verdict string // final one, or "unexpected"
	Sort    string // "name", "verdict", "time" or "" for the order of the run
	Page    int    // from 1
}

func filterOf(q url.Values) filter {
	page, _ := strconv.Atoi(q.Get("page"))
	return filter{strings.TrimSpace(q.Get("q")), q.Get("verdict"), q.Get("sort"), max(page, 1)}
}

// address returns the address of a page of the list.
func (f filter) address(page int) string {
	q := url.Values{}
	for name, value := range map[string]string{"q": f.Text, "verdict": f.Verdict, "sort": f.Sort} {
		if value != "" {
			q.Set(name, value)
		}
	}
	q.Set("page", strconv.Itoa(page))
	return "?" + q.Encode()
}

// rows returns the indexes of the rows that match, in order. The caller holds b.mu.
func (f filter) rows(b *runState) []int {
	var all []int
	for i := range b.rows {
		r := &b.rows[i]
		if !strings.Contains(strings.ToLower(b.run.Rows[i].Name), strings.ToLower(f.Text)) {
			continue
		}
		if f.Verdict == "" || f.Verdict == "unexpected" && r.Mark == "bad" || f.Verdict == r.Verdict {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(i, k int) int {
		x, y := &b.rows[i], &b.rows[k]
		switch f.Sort {
		case "name":
			return cmp.Compare(b.run.Rows[i].Name, b.run.Rows[k].Name)
		case "verdict":
			return cmp.Compare(x.Word(), y.Word())
		case "time":
			return cmp.Compare(y.Slowest, x.Slowest)
		}
		return 0
	})
	return all
}

// run shows a run.
func (s *Site) run(v *visit) error {
	r, err := s.runOf(v, v.PathValue("run"))
	if err != nil {
		return err
	}
	b := s.stateOf(r)
	d := &runView{run: r, Title: r.title(), Filter: filterOf(v.URL.Query())}
	d.Name, d.Known = s.problemName(v, r.Problem)
	for i, name := range r.Cases {
		d.Heads = append(d.Heads, head{shortCase(name), name, i > 0 && path.Dir(r.Cases[i-1]) != path.Dir(name)})
	}
	b.mu.Lock()
	d.fill(b)
	live := b.live > 0
	b.mu.Unlock()
	d.CanStop = live && v.submits() && r.Call == ""
	return s.show(v, "run", &view{Title: d.Title, Area: "runs", Live: live, Data: d})
}

// fill adds the rows of a page of the matrix. The caller holds b.mu.
func (d *runView) fill(b *runState) {
	d.Counts = b.counts()
	if b.live > 0 && b.run.Call == "" {
		d.Events = fmt.Sprintf("/runs/%s/events?after=%s-%d", b.run.ID, b.epoch, len(b.changes))
	}
	rows := d.Filter.rows(b)
	d.Total = len(rows)
	each := min(max(maxCells/max(len(d.Cases), 1), 10), 200)
	if d.Wide = len(d.Cases) > maxWide; d.Wide {
		each, d.Scale = maxStrips, min(max(1000/len(d.Cases), 1), 12)
	}
	pages := max((len(rows)+each-1)/each, 1)
	d.Filter.Page = min(d.Filter.Page, pages)
	for n := 1; n <= pages && pages > 1; n++ {
		d.Pages = append(d.Pages, pageLink{strconv.Itoa(n), d.Filter.address(n), n == d.Filter.Page})
	}
	for _, i := range rows[min((d.Filter.Page-1)*each, len(rows)):min(d.Filter.Page*each, len(rows))] {
		one := rowView{Index: i, Name: d.run.Rows[i].Name, Row: new(b.rows[i])}
		if d.Wide {
			one.Strip, one.About = b.stripOf(b.rows[i].cells)
			d.Rows = append(d.Rows, one)
			continue
		}
		for c, cell := range b.rows[i].cells {
			class := b.class(cell)
			if d.Heads[c].Border {
				class += " edge"
			}
			one.Cells = append(one.Cells, cellView{class, cell.word, cell.title(), c})
		}
		d.Rows = append(d.Rows, one)
	}
	if len(b.rows) == 1 && len(d.Rows) == 1 {
		d.One = &d.Rows[0]
	}
	seen := map[string]bool{}
	for i := range b.rows {
		d.Lost = d.Lost || b.rows[i].State == "" && b.run.Rows[i].Error == ""
		if w := b.rows[i].Verdict; w != "" && !seen[w] {
			seen[w] = true
			d.Keys = append(d.Keys, choice{w, w})
		}
	}
	slices.SortFunc(d.Keys, func(x, y choice) int { return cmp.Compare(x.Value, y.Value) })
}

// shortCase returns the end of the name of a case, for the head of its column.
func shortCase(name string) string { return path.Base(name) }

// problemName returns the name of a problem, or its id if the server does not have it.
func (s *Site) problemName(v *visit, id string) (name string, known bool) {
	p, _, done, err := s.Judge.OpenProblem(v.Context(), v.token, id)
	if err != nil {
		return id, false
	}
	defer done()
	return nameOf(p), true
}

// events sends the changes of a run as server-sent events. The id of an event is the epoch
// of the state and a number; a browser that names one gets what came after it. After a
// restart of the server, all changes are sent again, which changes nothing that is shown.
func (s *Site) events(v *visit) error {
	r, err := s.runOf(v, v.PathValue("run"))
	if err != nil {
		return err
	}
	b := s.stateOf(r)
	epoch, number, _ := strings.Cut(cmp.Or(v.Header.Get("Last-Event-ID"), v.FormValue("after")), "-")
	after := 0
	if n, err := strconv.Atoi(number); err == nil && epoch == b.epoch {
		after = n
	}
	to := http.NewResponseController(v.w)
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.Header().Set("Cache-Control", "no-store")
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	for {
		news, all, changed := b.since(after)
		after = all
		b.mu.Lock()
		t := b.counts()
		b.mu.Unlock()
		if err := sendEvent(v.w, b.epoch, all, news, t); err != nil || to.Flush() != nil {
			return nil // the browser is gone
		}
		if changed == nil {
			return nil
		}
		select {
		case <-changed:
		case <-alive.C:
		case <-v.Context().Done():
			return nil
		}
	}
}

// sendEvent sends changes and the counts of a run.
func sendEvent(w io.Writer, epoch string, all int, news []change, t rowCounts) error {
	data, err := json.Marshal(struct {
		News []change `json:"news"`
		Runs int      `json:"runs"`
		Rows int      `json:"ended"`
		Bad  int      `json:"bad"`
		End  bool     `json:"end"`
	}{news, t.Runs, t.Ended, t.Bad, t.Live == 0})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "id: %s-%d\ndata: %s\n\n", epoch, all, bytes.TrimSpace(data))
	return err
}

// cancel cancels the judgements of a run.
func (s *Site) cancel(v *visit) error {
	r, err := s.runOf(v, v.PathValue("run"))
	if err == nil {
		err = v.mustSubmit()
	}
	if err != nil {
		return err
	}
	for i := range r.Rows {
		if id := r.Rows[i].Judgement; id != "" {
			if e := s.Judge.Cancel(v.token, id); e != nil {
				err = e
			}
		}
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.Request, "/runs/"+r.ID, http.StatusSeeOther)
	return nil
}

// again judges the programs of a run in a new one; or, with missing, those judgements in
// the same run that were lost with an earlier server.
func (s *Site) again(v *visit) error {
	r, err := s.runOf(v, v.PathValue("run"))
	if err == nil {
		err = v.mustSubmit()
	}
	if err != nil {
		return err
	}
	p, _, done, err := s.Judge.OpenProblem(v.Context(), v.token, r.Problem)
	if err != nil {
		return err
	}
	defer done()
	if v.PostFormValue("missing") != "" {
		err = s.beginLost(v, r)
	} else {
		next := &run{Samples: r.Samples, All: r.All}
		for _, one := range r.Rows {
			next.Rows = append(next.Rows, program{Name: one.Name, Own: one.Own, Language: one.Language, Sources: one.Sources})
		}
		r, err = s.begin(v.Context(), v.token, r.Problem, p, next)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.Request, "/runs/"+r.ID, http.StatusSeeOther)
	return nil
}

// beginLost begins the judgements of a run of the visitor that were lost with an earlier
// server.
func (s *Site) beginLost(v *visit, seen *run) error {
	if seen.By != v.token.Name {
		return blob.NewProblem(http.StatusForbidden, "run %s is of %s: expected a token of the same name", seen.ID, seen.By)
	}
	r, err := s.readRun(seen.ID)
	if err != nil {
		return err
	}
	r.view = seen.view
	for i := range r.Rows {
		if _, _, _, err := s.Judge.Look(r.view, r.Rows[i].Judgement, 0); err != nil {
			s.beginRow(v.Context(), v.token, r, i)
		}
	}
	s.forget(r.ID)
	return s.saveRun(r)
}
