package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/html"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

const (
	maxShown   = 16 << 10        // bytes of a file on a page
	cellPause  = 8 * time.Second // the page of a cell waits so long for its new run
	maxRemarks = 400             // lines of an interaction on a page
)

// A cellPage is the data of the page of a cell.
type cellPage struct {
	Run          *run
	Row, Case    int
	Program      string
	CaseName     string
	Name         string // of the problem
	Known        bool   // the server has the problem
	Title        string // of the run
	Word, Class  string
	Text         string // of the verdict
	Why          string
	Team         string // what the output validator says to the team
	Facts        []fact
	Files        []excerpt // input, output, answer
	Diff         []string
	Stderr       string
	Spoken       bool        // the run is an interaction, whose log was kept
	Interactor   string      // its standard error
	Pictures     *pictureSet // of the output
	Drawable     bool        // the package draws outputs
	Dialogue     []remark
	DialogueCut  bool
	Command      string
	Missing      bool   // the case was not run
	Unrun        string // why it was not, if that is known
	NoOutput     bool   // the run has no output, but can be made again
	Again        string // "shown is a run made again at …"
	Pending      bool   // it is being made again
	Prev, Next   int    // cases; -1 for none
	Error        string
	CompileError string
}

// A fact is a name and a value.
type fact struct{ Name, Value string }

// An excerpt is the start of a file.
type excerpt struct {
	Title, Text string
	Note        string // how much is missing
	Whole       string // address of the file; "" for none
	Mark        int    // line to highlight, from 1; 0 for none
}

// A remark is a line of an interaction.
type remark struct {
	From, Text, At string
	Pass           int
	NewPass        bool
}

// rowOf returns the run and the row that a request names.
func (s *Site) rowOf(v *visit) (*run, int, error) {
	r, err := s.runOf(v, v.PathValue("run"))
	if err != nil {
		return nil, 0, err
	}
	i, err := strconv.Atoi(v.PathValue("row"))
	if err != nil || i < 0 || i >= len(r.Rows) {
		return nil, 0, blob.NewProblem(http.StatusNotFound, "run %s has no program %.20q: expected 0 to %d", r.ID,
			v.PathValue("row"), len(r.Rows)-1)
	}
	return r, i, nil
}

// cellOf returns the run, the row and the case that a request names.
func (s *Site) cellOf(v *visit) (r *run, i, c int, err error) {
	if r, i, err = s.rowOf(v); err != nil {
		return nil, 0, 0, err
	}
	if c, err = strconv.Atoi(v.PathValue("case")); err != nil || c < 0 || c >= len(r.Cases) {
		return nil, 0, 0, blob.NewProblem(http.StatusNotFound, "run %s has no case %.20q: expected 0 to %d", r.ID,
			v.PathValue("case"), len(r.Cases)-1)
	}
	return r, i, c, nil
}

// runIn returns the run of a case in a judgement of a run, and what was kept with it; nil if
// there is none.
func (s *Site) runIn(r *run, id, name string) (now *api.Judgement, one *judge.Run, kept api.KeptFiles, err error) {
	now, runs, _, err := s.look(r.view, id, 0)
	if err != nil {
		return nil, nil, kept, err
	}
	for _, data := range slices.Backward(runs) {
		var l struct {
			Case string `json:"case"`
			api.KeptFiles
		}
		if json.Unmarshal(data, &l) != nil || l.Case != name {
			continue
		}
		one = new(judge.Run)
		return now, one, l.KeptFiles, record.Parse(data, one)
	}
	return now, nil, kept, nil
}

// imagesOf returns the pictures that were kept with a run.
func imagesOf(kept api.KeptFiles) (all []judge.Image) {
	for _, i := range kept.Images {
		all = append(all, judge.Image{Name: i.Name, Data: i.Data})
	}
	return all
}

// cell shows a program on a case.
func (s *Site) cell(v *visit) error {
	r, i, c, err := s.cellOf(v)
	if err != nil {
		return err
	}
	row := &r.Rows[i]
	d := &cellPage{Run: r, Title: r.title(), Row: i, Case: c, Program: row.Name, CaseName: r.Cases[c], Prev: c - 1,
		Next: c + 1, Missing: true, Error: row.Error}
	if d.Next == len(r.Cases) {
		d.Next = -1
	}
	if r.Whole() {
		d.Command = replay(r, row, d.CaseName)
	}
	if id := row.Details[c]; id != "" {
		now, one, kept, err := s.runIn(r, id, d.CaseName)
		if err == nil && one != nil {
			d.fill(one, kept.Output, r.Limit)
			d.addPictures(kept)
			d.Again = "This run was made again, with its output, " + ago(now.Created) + "."
		} else if err == nil && now.Ended == nil {
			d.Pending = true
		}
	}
	if d.Missing && row.Judgement != "" {
		now, one, kept, err := s.runIn(r, row.Judgement, d.CaseName)
		switch {
		case err != nil:
			d.Error = reason(err)
		case one != nil:
			d.fill(one, kept.Output, r.Limit)
		case now.Ended == nil:
			d.Pending = true
		case now.Verdict == string(problem.CompileError):
			d.CompileError, d.Unrun = compileMessage(now), "it does not compile"
		case now.Error != "":
			d.Error = now.Error
		case now.State == api.Cancelled:
			d.Unrun = "its judgement was cancelled"
		case now.Verdict != "":
			d.Unrun = "the result was known before"
		}
	}
	if p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, r.Problem); err == nil {
		d.Name, d.Known = nameOf(p), true
		if view == api.Whole || api.IsSample(d.CaseName) {
			d.addFiles(p, r.Problem)
		}
		d.Drawable = p.OutputVisualizer != nil && d.Pictures == nil
		done()
	} else {
		d.Name = r.Problem
	}
	return s.show(v, "cell", &view{Title: d.Program + " on " + d.CaseName, Area: "runs", Live: d.Pending, Data: d})
}

// addPictures adds the pictures of the output.
func (d *cellPage) addPictures(kept api.KeptFiles) {
	if len(kept.Images) == 0 && kept.Undrawn == "" {
		return
	}
	d.Pictures = setOf("Picture of the output", "Picture of the output on case "+d.CaseName,
		fmt.Sprintf("/runs/%s/%d/%d", d.Run.ID, d.Row, d.Case), imagesOf(kept))
	d.Pictures.Failed = terminal.CleanText(kept.Undrawn)
}

// compileMessage returns what the compiler wrote.
func compileMessage(g *api.Judgement) string {
	p := new(record.Problem)
	if record.Parse(g.Record, p) != nil || len(p.Reports) == 0 {
		return ""
	}
	return clipText(p.Reports[0].Compile.Message)
}

// fill adds the facts of a run.
func (d *cellPage) fill(one *judge.Run, output *string, limit time.Duration) {
	d.Missing, d.NoOutput = false, output == nil && len(one.Dialogue.Lines) == 0
	d.Word = string(one.Verdict)
	if one.Err != nil || d.Word == "" {
		d.Word = "JE"
	}
	o := &one.Outcome
	d.Class, d.Text = html.VerdictClass(d.Word, o.CPU, limit), terminal.Capital(html.VerdictText(d.Word))
	d.Why, d.Team = report.Why(one), clipText(one.Team)
	add := func(name, value string) {
		if value != "" {
			d.Facts = append(d.Facts, fact{name, value})
		}
	}
	if one.Err == nil {
		add("CPU time", terminal.Duration(o.CPU))
	}
	if one.Err == nil && d.Run.Whole() {
		add("wall-clock time", terminal.Duration(o.Wall))
		add("peak memory", terminal.Memory(o.Memory))
		add("output", terminal.Bytes(o.Output-o.Stderr))
		if o.Signal != 0 {
			add("ended by", o.Signal.String())
		} else {
			add("exit status", strconv.Itoa(o.Exit))
		}
		add("limit exceeded", string(o.Exceeded))
	}
	if one.Passes > 0 {
		add("passes", strconv.Itoa(one.Passes))
	}
	if one.Earned != nil {
		add("score", terminal.Score(*one.Earned))
	}
	add("worker", one.Worker)
	add("run again", one.Retried)
	add("remarks", report.BesideText(one))
	if x := one.Diff; x != nil {
		d.Diff = []string{
			fmt.Sprintf("output, line %d, column %d: %s", x.Line, x.Column, shownToken(x.Got)),
			fmt.Sprintf("answer, line %d, column %d: %s", x.AnswerLine, x.AnswerColumn, shownToken(x.Want)),
		}
	}
	d.Stderr = clipText(one.Stderr)
	if output != nil {
		e := excerpt{Title: "Output", Text: clipText(*output)}
		if all := o.Output - o.Stderr; all > int64(len(*output)) {
			e.Note = "the first " + terminal.Bytes(int64(len(*output))) + " of " + terminal.Bytes(all)
		}
		d.Files = append(d.Files, e)
	}
	d.addDialogue(&one.Dialogue)
	d.Spoken, d.Interactor = len(one.Dialogue.Lines) > 0, clipText(one.Dialogue.Stderr)
}

func shownToken(s string) string {
	if s == "" {
		return "nothing"
	}
	return strconv.Quote(s)
}

// addDialogue adds the log of an interaction.
func (d *cellPage) addDialogue(log *judge.Dialogue) {
	d.DialogueCut = log.Cut || len(log.Lines) > maxRemarks
	several := len(log.Lines) > 0 && log.Lines[len(log.Lines)-1].Pass > 1
	for i, l := range log.Lines[:min(len(log.Lines), maxRemarks)] {
		from := "submission"
		if l.From == judge.FromJudge {
			from = "judge"
		}
		d.Dialogue = append(d.Dialogue, remark{from, terminal.Clean(l.Text), fmt.Sprintf("%.4f s", l.At.Seconds()), l.Pass,
			several && (i == 0 || log.Lines[i-1].Pass != l.Pass)})
	}
}

// addFiles adds the input before the output, and the answer after it.
func (d *cellPage) addFiles(p *problem.Problem, name string) {
	i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Name == d.CaseName })
	if i < 0 {
		return
	}
	in, ans := caseFile(p.Cases[i], name, ".in", "Input"), caseFile(p.Cases[i], name, ".ans", "Answer")
	if in != nil {
		d.Files = append([]excerpt{*in}, d.Files...)
	}
	if ans != nil && !p.Answerless() {
		d.Files = append(d.Files, *ans)
	}
}

// caseFile returns the start of a file of a case; nil if there is none.
func caseFile(c *problem.Case, name, ext, title string) *excerpt {
	f, err := c.Open(ext)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxShown))
	if err != nil {
		return nil
	}
	e := &excerpt{Title: title, Text: clipText(string(data)), Whole: fileAddress(name, c.Path(ext))}
	if info, err := f.Stat(); err == nil && info.Size() > maxShown {
		e.Note = "the first " + terminal.Bytes(maxShown) + " of " + terminal.Bytes(info.Size())
	}
	return e
}

// clipText returns the start of a text that a program wrote, with control characters made
// visible.
func clipText(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return terminal.CleanText(strings.ToValidUTF8(s[:min(len(s), maxShown)], "\ufffd"))
}

// replay returns the command that makes the run again on a command line.
func replay(r *run, p *program, name string) string {
	if p.Own == "" {
		return fmt.Sprintf("judge run -v --problem %s %s %s", shellWord(r.Problem), shellWord(p.Name), shellWord(name))
	}
	return fmt.Sprintf("judge run -v %s %s %s", shellWord(r.Problem), shellWord(p.Own), shellWord(name))
}

// shellWord quotes a word for a shell if it needs that.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:@%") == "" &&
		s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(terminal.Clean(s), "'", `'\''`) + "'"
}

// cellAgain runs a case again with its output, and waits for it for a while.
func (s *Site) cellAgain(v *visit) error {
	r, i, c, err := s.cellOf(v)
	if err == nil {
		err = v.mustSubmit()
	}
	if err != nil {
		return err
	}
	if !r.Whole() {
		return mustBeWhole(r.Problem)
	}
	if r.Call != "" {
		return blob.NewProblem(http.StatusConflict, "run %s: expected that judge run --on makes its runs again", r.ID)
	}
	ask := r.request(i)
	ask.Cases, ask.Case, ask.Output, ask.Images, ask.All = "", r.Cases[c], true, true, true
	g, err := s.Judge.Begin(v.Context(), v.token, "", ask)
	if err != nil {
		return err
	}
	s.wait(v.Context(), r.view, g.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, err = s.readRun(r.ID); err != nil {
		return err
	}
	if r.Rows[i].Details == nil {
		r.Rows[i].Details = make(map[int]string)
	}
	r.Rows[i].Details[c] = g.ID
	if err := s.saveRun(r); err != nil {
		return err
	}
	http.Redirect(v.w, v.Request, fmt.Sprintf("/runs/%s/%d/%d", r.ID, i, c), http.StatusSeeOther)
	return nil
}

// wait waits until a judgement ends, for a while.
func (s *Site) wait(ctx context.Context, v api.View, id string) {
	ctx, cancel := context.WithTimeout(ctx, cellPause)
	defer cancel()
	for {
		_, _, changed, err := s.Judge.Look(v, id, 0)
		if err != nil || changed == nil {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// A rowPage is the data of the page of a program of a run.
type rowPage struct {
	Run     *run
	Index   int
	Program *program
	Row     *row
	Cells   []cellView
	Name    string
	Known   bool   // the server has the problem
	Title   string // of the run
	Files   []sourceFile
	Message string // of the compiler
	Facts   []fact
}

// row shows a program of a run: its result, its cases and its source.
func (s *Site) row(v *visit) error {
	r, i, err := s.rowOf(v)
	if err != nil {
		return err
	}
	b := s.stateOf(r)
	d := &rowPage{Run: r, Index: i, Program: &r.Rows[i], Title: r.title()}
	d.Name, d.Known = s.problemName(v, r.Problem)
	b.mu.Lock()
	d.Row = new(b.rows[i])
	for c, cell := range d.Row.cells {
		d.Cells = append(d.Cells, cellView{b.class(cell), cell.word, cell.title(), c})
	}
	b.mu.Unlock()
	if g, _, _, err := s.look(r.view, r.Rows[i].Judgement, 0); err == nil {
		d.Message = compileMessage(g)
		d.Facts = append(d.Facts, fact{"begun", ago(g.Created)})
		if g.Ended != nil && r.Call == "" {
			d.Facts = append(d.Facts, fact{"took", terminal.Duration(g.Ended.Sub(g.Created).Round(time.Millisecond))})
		}
	}
	if d.Program.Own == "" || r.Call != "" {
		d.Files = highlightAll(d.Program.Sources, d.Program.Language)
	} else if p, view, done, err := s.Judge.OpenProblem(v.Context(), v.token, r.Problem); err == nil {
		if own := p.SubmissionNamed(d.Program.Own); own != nil && view == api.Whole {
			d.Files = sourcesOf(&own.Program, d.Program.Language)
		}
		done()
	}
	return s.show(v, "row", &view{Title: d.Program.Name, Area: "runs", Live: d.Row.State == api.Queued ||
		d.Row.State == api.Running, Data: d})
}
