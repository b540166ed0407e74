package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
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
	Text     string    // the result for people: "Wrong answer on test 3 of 12"
	Note     string    // the reason, or why there is no verdict
	Case     int       // of the reason, from 1; 0 for none
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

// key names what is kept of a run as it is seen.
func (r *run) key() string { return fmt.Sprint(r.ID, " ", r.view) }

// stateOf returns the state of a run. It follows the judgements that have not ended.
func (s *Site) stateOf(r *run) *runState {
	b := &runState{run: r, epoch: strconv.FormatInt(time.Now().UnixNano(), 36), rows: make([]row, len(r.Rows)),
		changed: make(chan struct{})}
	if r.Call != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.fill(s)
		return b
	}
	key := r.key()
	s.mu.Lock()
	if b := s.states[key]; b != nil {
		at := slices.Index(s.used, key)
		s.used = append(slices.Delete(s.used, at, at+1), key)
		s.mu.Unlock()
		return b
	}
	if s.states == nil {
		s.states = make(map[string]*runState)
	}
	s.states[key], s.used = b, append(s.used, key)
	b.mu.Lock() // others wait until it is filled
	s.trimStates()
	s.mu.Unlock()
	defer b.mu.Unlock()
	b.fill(s)
	return b
}

// fill adds the rows, and follows the judgements that have not ended; those of the rows of a
// call are as they are now. The caller holds b.mu.
func (b *runState) fill(s *Site) {
	r, at := b.run, make(map[string]int, len(b.run.Cases))
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
		seen, changed := b.take(s, i, 0, at)
		if changed != nil {
			b.live++
			go b.follow(s, i, seen, at, changed)
		} else if r.Call != "" && b.rows[i].State == api.Running {
			b.live++
		}
	}
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

// forget removes what is known of a run, whose rows have other judgements now, or that is gone.
func (s *Site) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.owners, id)
	for _, view := range []api.View{api.Outline, api.Whole} {
		key := (&run{ID: id, view: view}).key()
		delete(s.states, key)
		delete(s.counted, key)
		s.used = slices.DeleteFunc(s.used, func(one string) bool { return one == key })
	}
}

// follow adds the runs of a judgement until it ends.
func (b *runState) follow(s *Site, i, seen int, at map[string]int, changed <-chan struct{}) {
	for changed != nil {
		<-changed
		b.mu.Lock()
		seen, changed = b.take(s, i, seen, at)
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
func (b *runState) take(s *Site, i, after int, at map[string]int) (seen int, changed <-chan struct{}) {
	row := &b.rows[i]
	now, runs, changed, err := s.look(b.run.view, b.run.Rows[i].Judgement, after)
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
	if now.Ended != nil {
		row.end(now, b.run, b.run.Rows[i].Own != "")
	}
	if now.Ended != nil || was != row.State || len(runs) > 0 {
		b.changes = append(b.changes, b.ending(i))
	}
	return after + len(runs), changed
}

// ending returns the change that shows the state of a row.
func (b *runState) ending(i int) change {
	r := &b.rows[i]
	return change{Row: i, Case: -1, Word: r.Word(), State: string(r.State), Note: r.Why(), Mark: r.Mark, Time: r.Time()}
}

// end sets the result of a row of a run. The expectations of its author count for a program of
// the package; other programs are those of people who want them accepted.
func (r *row) end(g *api.Judgement, of *run, own bool) {
	r.Verdict, r.Note, r.Mark = g.Verdict, g.Error, "good"
	var p struct {
		Cases   []string `json:"cases"`
		Reports []struct {
			Expected   []problem.Expectation `json:"expected"`
			AsExpected *bool                 `json:"as_expected"`
			BrokenBy   string                `json:"broken_by"`
			Score      *float64              `json:"score"`
			MaxScore   *float64              `json:"max_score"`
			Skipped    string                `json:"skipped"`
			Runs       []struct {
				Case    string `json:"case"`
				Verdict string `json:"verdict"`
				Why     string `json:"why"`
				Team    string `json:"teammessage"`
			} `json:"runs"`
			Compile struct {
				Message string `json:"message"`
			} `json:"compile"`
		} `json:"submissions"`
	}
	if r.Text = "Not judged"; g.State == api.Cancelled {
		r.Text = "Cancelled"
	}
	if record.Parse(g.Record, &p) != nil || len(p.Reports) == 0 {
		r.Mark = "doubt"
		return
	}
	a := &p.Reports[0]
	if a.Score != nil {
		r.Score = terminal.ScoreOf(a.Score, a.MaxScore)
	}
	if r.Verdict == string(problem.CompileError) {
		r.Lines = shownLines(a.Compile.Message)
	}
	bad := !own && r.Verdict != string(problem.Accepted)
	if a.AsExpected != nil { // a student does not see it
		bad = !*a.AsExpected
	}
	switch {
	case g.State == api.Cancelled || a.Skipped != "":
		r.Mark = "doubt"
		return
	case g.Error != "":
		r.Mark, r.Text, r.Lines = "bad", "Judge error", shownLines(g.Error)
		return
	case bad:
		r.Mark = "bad"
	}
	r.Text = terminal.Capital(html.VerdictText(r.Verdict))
	for _, run := range a.Runs {
		if run.Verdict == string(problem.Accepted) || own && bad && a.BrokenBy != "" && run.Case != a.BrokenBy {
			continue
		}
		r.Text, r.Note = terminal.Capital(html.VerdictText(run.Verdict)), run.Case
		r.Case = slices.Index(of.Cases, run.Case) + 1
		if at := slices.Index(p.Cases, run.Case); of.Call == "" { // or not all cases are known
			r.Text += fmt.Sprintf(" on test %d of %d", at+1, len(p.Cases))
		}
		if why := cmp.Or(run.Why, terminal.FirstLine(run.Team)); why != "" {
			r.Note += ": " + why
		}
		break
	}
	if own && bad {
		r.Text += ", expected " + report.ExpectedText(a.Expected, func(s string) string { return s })
	}
}

// At is the case of the reason in addresses.
func (r *row) At() int { return r.Case - 1 }

// Why is the result with its reason.
func (r *row) Why() string { return strings.Trim(r.Text+", "+r.Note, ", ") }

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
	text := html.VerdictText(c.word) + ", " + terminal.Duration(c.cpu)
	if c.memory > 0 { // it is known
		text += ", " + terminal.Memory(c.memory)
	}
	return text
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
	One             *row // of a run of one program
	OfPackage       bool // all programs are of the package
}

// counts counts the rows. The caller holds b.mu.
func (b *runState) counts() (t rowCounts) {
	t.Rows, t.Cells, t.Live = len(b.rows), len(b.rows)*len(b.run.Cases), b.live
	t.OfPackage = b.run.ofPackage()
	if t.Rows == 1 {
		t.One = new(b.rows[0])
		t.One.cells = nil // a list keeps it for long
	}
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
