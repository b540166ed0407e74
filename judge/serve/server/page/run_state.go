package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/report/html"
	"crucible/judge/serve/api"
	"crucible/judge/terminal"
)

// maxStates is how many states of runs that have ended are kept in memory.
const maxStates = 16

// A runState has the verdicts of a run as they arrive. Its history of changes lets a browser
// that was away continue.
type runState struct {
	run   *run
	epoch string // changes of another epoch have other numbers

	mu      sync.Mutex
	rows    []row
	changes []change
	changed chan struct{} // closed at the next change
	live    int           // judgements that have not ended
}

// A row is a program of the state of a run.
type row struct {
	State    api.State // "" if there is no judgement
	Verdict  string    // the final one; "" if there is none
	Score    string    // with the maximum; "" if not known
	Mark     string    // of the verdict: good, bad, doubt
	Note     string    // "not as expected", or why there is no verdict
	Lines    []string  // what the compiler wrote, or why the judge failed
	Slowest  time.Duration
	Language string
	cells    []cell
}

// A cell is a program on a case; the zero value is one that was not run.
type cell struct {
	word   string // the verdict, or JE
	cpu    time.Duration
	memory int64
}

// A change is what a script of the page shows: a cell, or the end of a row.
type change struct {
	Row   int    `json:"r"`
	Case  int    `json:"c"` // -1 for the row
	Class string `json:"k,omitempty"`
	Word  string `json:"v,omitempty"`
	Title string `json:"t,omitempty"`
	State string `json:"s,omitempty"` // of the row
	Note  string `json:"n,omitempty"`
	Mark  string `json:"m,omitempty"`
	Time  string `json:"x,omitempty"` // the slowest case
}

// stateOf returns the state of a run. It follows the judgements that have not ended.
func (s *Site) stateOf(r *run) *runState {
	s.mu.Lock()
	b := s.states[r.ID]
	if b != nil {
		at := slices.Index(s.used, r.ID)
		s.used = append(slices.Delete(s.used, at, at+1), r.ID)
		s.mu.Unlock()
		return b
	}
	b = &runState{run: r, epoch: strconv.FormatInt(time.Now().UnixNano(), 36), rows: make([]row, len(r.Rows)),
		changed: make(chan struct{})}
	if s.states == nil {
		s.states = make(map[string]*runState)
	}
	s.states[r.ID], s.used = b, append(s.used, r.ID)
	b.mu.Lock() // others wait until it is filled
	s.trimStates()
	s.mu.Unlock()
	defer b.mu.Unlock()
	at := make(map[string]int, len(r.Cases))
	for i, name := range r.Cases {
		at[name] = i
	}
	for i := range r.Rows {
		b.rows[i].cells = make([]cell, len(r.Cases))
		b.rows[i].Language = r.Rows[i].Language
		if r.Rows[i].Judgement == "" {
			b.rows[i].Note, b.rows[i].Mark = r.Rows[i].Error, "bad"
			continue
		}
		seen, changed := b.take(s.Judge, i, 0, at)
		if changed != nil {
			b.live++
			go b.follow(s.Judge, i, seen, at, changed)
		}
	}
	return b
}

// trimStates removes states that were not used for the longest time, except live ones. The
// caller holds s.mu.
func (s *Site) trimStates() {
	for i := 0; len(s.used) > maxStates && i < len(s.used)-1; {
		b := s.states[s.used[i]]
		if !b.mu.TryLock() {
			i++
			continue
		}
		live := b.live > 0
		b.mu.Unlock()
		if live {
			i++
			continue
		}
		delete(s.states, s.used[i])
		s.used = slices.Delete(s.used, i, i+1)
	}
}

// forget removes the state of a run, whose rows have other judgements now.
func (s *Site) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.states, id)
	s.used = slices.DeleteFunc(s.used, func(one string) bool { return one == id })
}

// follow adds the runs of a judgement until it ends.
func (b *runState) follow(j Judge, i, seen int, at map[string]int, changed <-chan struct{}) {
	for changed != nil {
		<-changed
		b.mu.Lock()
		seen, changed = b.take(j, i, seen, at)
		if changed == nil {
			b.live--
		}
		close(b.changed)
		b.changed = make(chan struct{})
		b.mu.Unlock()
	}
}

// A line is what the state of a run needs of a run in a judgement.
type line struct {
	Case    string          `json:"case"`
	Verdict string          `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"`
	Memory  int64           `json:"memory_bytes"`
	Error   json.RawMessage `json:"error"`
}

// take adds what is new in a judgement to its row, and returns how many runs it has. The
// caller holds b.mu.
func (b *runState) take(j Judge, i, after int, at map[string]int) (seen int, changed <-chan struct{}) {
	row := &b.rows[i]
	now, runs, changed, err := j.Look(b.run.Rows[i].Judgement, after)
	if err != nil {
		row.State, row.Note, row.Mark = "", "the server does not have its judgement any more", "doubt"
		b.changes = append(b.changes, b.ending(i))
		return after, nil
	}
	for _, data := range runs {
		var l line
		if json.Unmarshal(data, &l) != nil {
			continue
		}
		c, ok := at[l.Case]
		if !ok {
			continue
		}
		word := cmp.Or(l.Verdict, "JE")
		if s := string(l.Error); s != "" && s != "null" && s != `""` {
			word = "JE"
		}
		row.cells[c] = cell{word, l.CPU, l.Memory}
		if word != "JE" {
			row.Slowest = max(row.Slowest, l.CPU)
		}
		b.changes = append(b.changes, change{Row: i, Case: c, Word: word, Class: b.class(row.cells[c]),
			Title: row.cells[c].title()})
	}
	was := row.State
	row.State = now.State
	if row.Language == "" {
		row.Language = now.Language
	}
	if changed == nil {
		row.end(now, b.run.Rows[i].Own != "")
	}
	if changed == nil || was != row.State || len(runs) > 0 {
		b.changes = append(b.changes, b.ending(i))
	}
	return after + len(runs), changed
}

// ending returns the change that shows the state of a row.
func (b *runState) ending(i int) change {
	r := &b.rows[i]
	return change{Row: i, Case: -1, Word: r.Word(), State: string(r.State), Note: r.Note, Mark: r.Mark, Time: r.Time()}
}

// end sets the result of a row. Own is whether the program is of the package, so that its
// author's expectations count; other programs are those of people who want them accepted.
func (r *row) end(g *api.Judgement, own bool) {
	r.Verdict, r.Note, r.Mark = g.Verdict, g.Error, "good"
	var p struct {
		Cases   []string `json:"cases"`
		Reports []struct {
			AsExpected *bool    `json:"as_expected"`
			Broken     string   `json:"broken"`
			Score      *float64 `json:"score"`
			MaxScore   *float64 `json:"max_score"`
			Skipped    string   `json:"skipped"`
			Runs       []struct {
				Case    string `json:"case"`
				Verdict string `json:"verdict"`
				Why     string `json:"why"`
			} `json:"runs"`
			Compile struct {
				Message string `json:"message"`
			} `json:"compile"`
		} `json:"submissions"`
	}
	if json.Unmarshal(g.Record, &p) != nil || len(p.Reports) == 0 {
		r.Mark = "doubt"
		return
	}
	report := &p.Reports[0]
	if report.Score != nil {
		r.Score = terminal.ScoreOf(report.Score, report.MaxScore)
	}
	if r.Verdict == string(problem.CompileError) {
		r.Lines = shownLines(report.Compile.Message)
	}
	switch {
	case g.State == api.Cancelled || report.Skipped != "":
		r.Mark = "doubt"
	case g.Error != "":
		r.Mark, r.Lines = "bad", shownLines(g.Error)
	case report.AsExpected != nil && !*report.AsExpected:
		if r.Mark, r.Note = "bad", cmp.Or(report.Broken, "not as expected"); own {
			break
		}
		r.Note = terminal.Capital(html.VerdictText(r.Verdict))
		for _, run := range report.Runs {
			if run.Verdict != string(problem.Accepted) {
				r.Note = fmt.Sprintf("%s on test %d of %d, %s: %s", terminal.Capital(html.VerdictText(run.Verdict)),
					slices.Index(p.Cases, run.Case)+1, len(p.Cases), run.Case, run.Why)
				break
			}
		}
	}
}

// shownLines returns the first lines of a text that the page of a run shows of a program.
func shownLines(s string) []string {
	return terminal.Texts(terminal.Lines(s, 12), func(line string) string { return terminal.Clip(line, 200) })
}

// Word is what the column of verdicts has.
func (r *row) Word() string {
	switch {
	case r.Verdict != "" && r.Score != "":
		return r.Verdict + " " + r.Score
	case r.Verdict != "":
		return r.Verdict
	case r.State == "":
		return "none"
	case r.State == api.Ended:
		return "JE"
	}
	return string(r.State)
}

// Time returns the time of the slowest case; "" if none ran.
func (r *row) Time() string {
	if r.Slowest == 0 {
		return ""
	}
	return terminal.Duration(r.Slowest)
}

// title describes a cell in words.
func (c cell) title() string {
	if c.word == "" {
		return "not run"
	}
	return html.VerdictText(c.word) + ", " + terminal.Duration(c.cpu) + ", " + terminal.Memory(c.memory)
}

// class returns the class of a cell in the style sheet.
func (b *runState) class(c cell) string {
	if c.word == "" {
		return "none"
	}
	return html.VerdictClass(c.word, c.cpu, b.run.Limit)
}

// since returns the changes after the first ones, how many there are of all, and a channel
// that is closed at the next change; nil if there will be none.
func (b *runState) since(after int) (news []change, done int, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.live > 0 {
		changed = b.changed
	}
	return b.changes[min(max(after, 0), len(b.changes)):], len(b.changes), changed
}

// rowCounts counts the rows of the state of a run.
type rowCounts struct {
	Runs, Cells     int // cells that have a verdict, and all
	Ended, Rows     int
	Bad             int // rows that are not as expected, or without a verdict
	Live, Undecided int
}

// counts counts the rows. The caller holds b.mu.
func (b *runState) counts() (t rowCounts) {
	t.Rows, t.Cells, t.Live = len(b.rows), len(b.rows)*len(b.run.Cases), b.live
	for i := range b.rows {
		r := &b.rows[i]
		if r.State == api.Ended || r.State == api.Cancelled || r.State == "" {
			t.Ended++
		}
		if r.Mark == "bad" {
			t.Bad++
		}
		if r.State == "" || r.State == api.Cancelled || r.State == api.Ended && r.Verdict == "" && r.Mark != "bad" {
			t.Undecided++
		}
		for _, c := range r.cells {
			if c.word != "" {
				t.Runs++
			}
		}
	}
	return t
}

// failsOf returns the rows that a case rejects.
func (b *runState) failsOf(name string) (all []failing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := slices.Index(b.run.Cases, name)
	for i := range b.rows {
		if c < 0 {
			continue
		}
		word := b.rows[i].cells[c].word
		if word == "" || word == string(problem.Accepted) || word == "JE" {
			continue
		}
		all = append(all, failing{b.run.Rows[i].Name, word, word, fmt.Sprintf("/runs/%s/%d/%d", b.run.ID, i, c)})
	}
	return all
}
