package page

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/result"
	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
	"crucible/judge/terminal"
)

// maxLog is the size in bytes of the log of a call about one problem, and maxLogs that of all
// logs together.
const (
	maxLog  = 64 << 20
	maxLogs = 1 << 30
)

// A delegation is the part of a call of judge run --on that is about one problem. Its work
// items are a run on the pages, whose rows are the submissions. What the answers to the items
// say is appended to a log, so that it survives a restart of the server.
type delegation struct {
	run  string         // its id
	rows map[string]int // by the names of the submissions
	busy map[int]int    // work items under way, by row
	size int            // of what was appended to the log since the server began
}

// The delegations are those of calls under way, and the run of a call that was read last.
type delegations struct {
	sync.Mutex
	all map[string]*delegation // by submitter, call and problem

	reading sync.Mutex // guards the fields below; work items do not wait while a log is read
	read    *run
	size    int64 // of its log
}

// A logLine is a line of the log of a delegation: a submission, a run of it, or why there are
// no more runs.
type logLine struct {
	Row      int                   `json:"row"`
	Program  *program              `json:"program,omitzero"`
	Expected []problem.Expectation `json:"expected,omitempty"`
	Run      *judge.Run            `json:"run,omitzero"`
	Limit    time.Duration         `json:"limit_ns,omitzero"` // of the run; 0 if the run was made to find it
	Rejected *string               `json:"rejected,omitzero"` // what the compiler wrote
	Error    string                `json:"error,omitzero"`    // why the submission was not judged
}

// A loggedRow is what the log says of a submission.
type loggedRow struct {
	expected []problem.Expectation
	runs     map[string]*logLine // by the case, those that count
	end      logLine             // with Rejected or Error, if there is one
}

// Watch adds a work item that somebody sends to the run of its call, and returns a function
// for the lines of its answer; nil is its end.
func (s *Site) Watch(by, call string, i *remote.Item) func(*remote.Line) {
	s.delegations.Lock()
	defer s.delegations.Unlock()
	d, err := s.delegationOf(by, terminal.Clip(cmp.Or(call, "unnamed"), 60), i.Problem.ID)
	if err != nil {
		s.Log.Warn("a work item is not shown on the pages", "problem", i.Problem.ID, "by", by, "error", err)
		return func(*remote.Line) {}
	}
	row, old := d.rows[i.Submission.Name]
	if !old {
		row = len(d.rows)
		d.rows[i.Submission.Name] = row
		p := &program{Name: i.Submission.Name, Language: i.Submission.Language, Sources: make(map[string]string)}
		for name, data := range i.Submission.Files {
			p.Sources[name] = strings.ToValidUTF8(string(data), "\ufffd")
		}
		if i.Submission.Inside {
			p.Own = p.Name
		}
		s.appendLog(d, &logLine{Row: row, Program: p, Expected: i.Submission.Expected})
	}
	d.busy[row]++
	return func(l *remote.Line) {
		s.delegations.Lock()
		defer s.delegations.Unlock()
		if l == nil {
			if d.busy[row]--; d.busy[row] == 0 {
				delete(d.busy, row)
			}
			return
		}
		one := &logLine{Row: row}
		if !i.Settings.Measures {
			one.Limit = i.Settings.TimeLimit
		}
		if l.IsLast() {
			c, failed, err := l.End()
			if c.Rejected {
				one.Rejected = &c.Compile.Message
			} else if one.Error = c.Skipped; failed != judge.ErrNoOtherWorker && cmp.Or(err, failed, c.Err) != nil {
				one.Error = cmp.Or(err, failed, c.Err).Error()
			}
		} else if r, err := l.Run(); err == nil {
			one.Run = new(record.OfRun(r))
		}
		if one.Run != nil || one.Rejected != nil || one.Error != "" {
			s.appendLog(d, one)
		}
	}
}

// delegationOf returns the delegation of a call: a new one, unless the call began before the
// server was started again. The caller holds s.delegations.
func (s *Site) delegationOf(by, call, problem string) (*delegation, error) {
	key := by + "\x00" + call + "\x00" + problem
	if d := s.delegations.all[key]; d != nil {
		return d, nil
	}
	all, err := s.lastRuns(nil, "", 50)
	if err != nil {
		return nil, err
	}
	d := &delegation{rows: make(map[string]int), busy: make(map[int]int)}
	for _, r := range all {
		if r.Call == call && r.By == by && r.Problem == problem && time.Since(r.Created) < 24*time.Hour {
			s.readLog(r)
			d.run = r.ID
			for k := range r.Rows {
				d.rows[r.Rows[k].Name] = k
			}
			break
		}
	}
	if d.run == "" {
		now := time.Now().UTC()
		d.run = now.Format(runTime) + rand.Text()[:8]
		err = errors.Join(s.saveRun(&run{ID: d.run, Problem: problem, By: by, Created: now, Call: call}), s.sweep(now))
	}
	if len(s.delegations.all) >= 1000 { // those that go on are found above
		maps.DeleteFunc(s.delegations.all, func(_ string, d *delegation) bool { return len(d.busy) == 0 })
	}
	s.delegations.all[key] = d
	return d, err
}

// sweep removes the runs of old calls, and more of them if their logs are large together.
func (s *Site) sweep(now time.Time) error {
	ids, err := s.runIDs() // the newest first
	total := int64(0)
	for _, id := range ids {
		log, none := os.Stat(s.logFile(id))
		if none != nil {
			continue // it is no call
		}
		total += log.Size()
		if s.Keep > 0 && id < now.Add(-s.Keep).Format(runTime) || total > cmp.Or(s.MostLogs, maxLogs) {
			err = errors.Join(err, os.Remove(s.logFile(id)), os.Remove(s.runFile(id)))
			s.forget(id)
		}
	}
	return err
}

func (s *Site) logFile(id string) string { return s.runFile(id) + "l" }

// appendLog appends a line to the log of a delegation, unless that is very long. The caller
// holds s.delegations.
func (s *Site) appendLog(d *delegation, one *logLine) {
	data, _ := record.Append(nil, one, false) // of texts, numbers and a run that was read
	if d.size += len(data); d.size > maxLog {
		return
	}
	f, err := os.OpenFile(s.logFile(d.run), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		defer f.Close()
		_, err = f.Write(append(bytes.TrimSpace(data), '\n'))
	}
	if err != nil {
		s.Log.Warn("the pages do not show a part of a call of judge run", "run", d.run, "error", err)
	}
}

// readLog adds the rows and the cases of a delegation to its run. A case that was run again
// counts as it does for the client.
func (s *Site) readLog(r *run) {
	s.delegations.reading.Lock()
	defer s.delegations.reading.Unlock()
	data, _ := os.ReadFile(s.logFile(r.ID)) // without a log there is no row
	if last := s.delegations.read; last != nil && last.ID == r.ID && s.delegations.size == int64(len(data)) {
		*r = *last
		return
	}
	cases := make(map[string]bool)
	for text := range bytes.Lines(data) {
		one := new(logLine)
		if record.Parse(text, one) != nil || one.Row > len(r.Rows) || one.Row == len(r.Rows) && one.Program == nil {
			continue // the line is being written, or the server was killed meanwhile
		}
		if one.Program != nil {
			one.Program.Judgement = r.ID + "/" + strconv.Itoa(one.Row)
			r.Rows = append(r.Rows, *one.Program)
			r.log = append(r.log, loggedRow{expected: one.Expected, runs: make(map[string]*logLine)})
		}
		of := &r.log[one.Row]
		if r.Limit = cmp.Or(one.Limit, r.Limit); one.Rejected != nil || one.Error != "" {
			of.end = *one
		}
		if one.Run == nil {
			continue
		}
		cases[one.Run.Case] = true
		if old := of.runs[one.Run.Case]; old == nil || one.Run.Replaces(old.Run, false) {
			of.runs[one.Run.Case] = one
		}
	}
	r.Cases = slices.Sorted(maps.Keys(cases))
	s.delegations.read, s.delegations.size = r, int64(len(data))
}

// look returns a judgement as [Judge] does, or a row of the run of a call, whose id is RUN/ROW.
func (s *Site) look(v api.View, id string, after int) (*api.Judgement, [][]byte, <-chan struct{}, error) {
	name, row, is := strings.Cut(id, "/")
	if !is {
		return s.Judge.Look(v, id, after)
	}
	r, err := s.readRun(name)
	if err != nil {
		return nil, nil, nil, err
	}
	i, _ := strconv.Atoi(row) // readLog has made the id
	g, runs := r.judged(i)
	s.delegations.Lock()
	defer s.delegations.Unlock()
	for _, d := range s.delegations.all {
		if d.run == r.ID && d.busy[i] > 0 {
			g.State, g.Ended = api.Running, nil
		}
	}
	return v.Judgement(g), v.Runs(runs[min(after, len(runs)):]), nil, nil
}

// judged returns the judgement of a row of the run of a call, and its runs. The result follows
// from the runs as it does for the client, except that there are no scores.
func (r *run) judged(row int) (g *api.Judgement, lines [][]byte) {
	p, of, on := &r.Rows[row], &r.log[row], new(problem.Problem)
	a := &judge.Report{Problem: r.Problem, Submission: p.Name, Language: p.Language, Expected: of.expected}
	var facts []result.Run
	for _, name := range r.Cases {
		on.Cases = append(on.Cases, &problem.Case{Name: name})
		one := of.runs[name]
		if one == nil {
			continue
		}
		run := *one.Run
		if one.Limit == 0 && r.Limit > 0 && run.Outcome.CPU > r.Limit && run.Verdict == problem.Accepted {
			run.Verdict = problem.TimeLimit
		}
		data, _ := record.Append(nil, &run, false) // it was read
		a.Runs, lines = append(a.Runs, run), append(lines, data)
		facts = append(facts, result.Run{Case: name, Verdict: run.Verdict, Failed: run.Verdict == ""})
	}
	if of.end.Rejected != nil {
		a.Verdict, a.Compile.Message = problem.CompileError, *of.end.Rejected
		a.AsExpected = new(problem.NamesCompileError(of.expected))
	} else {
		// The messages of output validators are not in the log.
		rules := slices.DeleteFunc(slices.Clone(of.expected), func(e problem.Expectation) bool { return e.Message != "" })
		state := result.New(on, rules, false)
		for i := range facts {
			state.Add(on.Cases[slices.Index(r.Cases, facts[i].Case)], &facts[i])
		}
		end := state.End(facts, false, nil)
		a.Verdict, a.AsExpected, a.Broken, a.BrokenBy = end.Verdict, end.AsExpected, end.Broken, end.BrokenBy
	}
	g = &api.Judgement{State: api.Ended, Problem: r.Problem, Language: p.Language, Created: r.Created, Ended: &r.Created,
		By: r.By, Verdict: string(a.Verdict), Error: of.end.Error}
	all := record.Problem{ID: r.Problem, Path: r.Problem, Cases: r.Cases, Reports: []*judge.Report{a}}
	all.Limits.Time = r.Limit
	data, err := record.Append(nil, &all, false)
	if g.Record = bytes.TrimSpace(data); err != nil {
		g.Error = fmt.Sprint(err)
	}
	return g, lines
}
