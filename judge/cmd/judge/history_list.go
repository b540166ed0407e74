package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/history"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// A listing collects and prints the runs that judge history shows.
type listing struct {
	e    *env
	f    *historyFlags
	this record.Machine

	n    int // number of runs so far
	runs []listedRun
	ids  []string
}

// A listedRun is one run of judge history --json.
type listedRun struct {
	ID          string         `json:"id"`           // the id of the call
	Time        time.Time      `json:"time"`         // when the call began, in UTC
	Command     string         `json:"command"`      // the subcommand: "run"
	Args        []string       `json:"args"`         // arguments that are not flags
	Flags       []string       `json:"flags"`        // the flags of the call: "--jobs=1"
	Problems    []string       `json:"problems"`     // ids of the chosen problems
	Submissions int            `json:"submissions"`  // number of the chosen submissions
	Runs        int            `json:"runs"`         // number of runs of programs on cases
	Outcome     string         `json:"outcome"`      // description of the exit status, or "running", "killed" or "unreadable"
	Status      *int           `json:"status"`       // exit status; null if the call has not ended
	Elapsed     *time.Duration `json:"elapsed_ns"`   // wall-clock time; null if the call has not ended
	Machine     record.Machine `json:"machine"`      // where programs ran
	Here        bool           `json:"this_machine"` // Machine may be this machine
	Path        string         `json:"path"`         // path of the file

	only string // the name of the submission, if there is exactly one
}

const whenLayout = "2006-01-02 15:04"

// add reads and adds a run. It warns if the run cannot be read, and ignores a run
// that another process has removed.
func (l *listing) add(one history.Entry, shown int) {
	if l.f.paths {
		l.n++
		l.runs = append(l.runs, listedRun{Path: one.Path})
		return
	}
	run := listedRun{ID: one.ID, Time: one.Time, Path: one.Path, Outcome: "unreadable", Args: []string{}, Flags: []string{}, Problems: []string{}}
	g, err := one.Glance()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	l.n++
	if err != nil {
		warn(l.e, err)
	} else {
		run.fill(&g, l.this)
	}
	l.runs, l.ids = append(l.runs, run), append(l.ids, one.ID[:shown])
}

// fill sets the fields of a run that can be read.
func (r *listedRun) fill(g *history.Glance, this record.Machine) {
	h := &g.Head
	r.Time, r.Command, r.Args, r.Flags, r.Runs, r.Machine = h.Time, h.Command, append(r.Args, h.Args...), append(r.Flags, h.Flags...), g.End.Runs, h.Machine
	for _, p := range h.Problems {
		r.Problems = append(r.Problems, p.ID)
		r.Submissions += len(p.Submissions)
		for _, s := range p.Submissions {
			r.only = s.Name
		}
	}
	r.Here = sameMachine(h.Machine, this)
	r.Outcome = string(g.State)
	if g.State == history.Ended {
		r.Outcome = outcomeOf(g.End.Status)
		r.Status, r.Elapsed = &g.End.Status, &g.End.Elapsed
	}
}

// outcomes describes each exit status of the judge, and how its text is coloured.
var outcomes = map[int]struct {
	text     string
	standing report.Standing
}{
	statusExpected:    {"as expected", report.AsExpected},
	statusUnexpected:  {"unexpected", report.Unexpected},
	statusUsage:       {"package error", report.JudgeError},
	statusJudge:       {"judge error", report.JudgeError},
	statusInterrupted: {"interrupted", report.Unfinished},
}

// outcomeOf describes an exit status.
func outcomeOf(status int) string {
	return cmp.Or(outcomes[status].text, "exit status "+strconv.Itoa(status))
}

// sameMachine reports whether a and b may describe the same machine.
func sameMachine(a, b record.Machine) bool {
	return a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Cores == b.Cores
}

// write prints the listed runs. stored reports whether any run is stored; hint is
// printed if none matches.
func (l *listing) write(stored bool, hint string) error {
	switch {
	case l.f.json:
		if l.runs == nil {
			l.runs = []listedRun{}
		}
		w := json.NewEncoder(l.e.stdout)
		w.SetEscapeHTML(false)
		w.SetIndent("", "  ")
		return w.Encode(l.runs)
	case l.f.paths:
		for _, r := range l.runs {
			fmt.Fprintln(l.e.stdout, terminal.Clean(r.Path))
		}
		return nil
	case l.runs == nil && stored:
		fmt.Fprintln(l.e.stderr, "judge: no stored run matches the arguments and flags"+terminal.Clean(hint))
		return nil
	case l.runs == nil:
		fmt.Fprintln(l.e.stderr, "judge: no runs are stored")
		return nil
	}
	l.table()
	return nil
}

// table prints the runs as a table. It has a column of machines if a run is from
// another machine.
func (l *listing) table() {
	elsewhere := slices.ContainsFunc(l.runs, func(r listedRun) bool { return r.elsewhere() != "" })
	table := terminal.Table{Right: []int{5}, Most: 40, Plain: !l.e.color}
	add := func(machine string, texts ...string) []terminal.Cell {
		if elsewhere {
			texts = append(texts, machine)
		}
		table.Add(texts...)
		return table.Rows[len(table.Rows)-1]
	}
	head := add("machine", "id", "when", "command", "problems", "submissions", "runs", "outcome")
	for i := range head {
		head[i].Colour = terminal.Faint
	}
	for i := range l.runs {
		r, submissions := &l.runs[i], ""
		switch {
		case r.Submissions == 1:
			submissions = r.only
		case r.Submissions > 0:
			submissions = strconv.Itoa(r.Submissions)
		}
		row := add(r.elsewhere(), l.ids[i], r.Time.Local().Format(whenLayout), r.Command, firstOf(r.Problems), submissions, strconv.Itoa(r.Runs), r.Outcome)
		standing := report.Unfinished
		if r.Status != nil {
			standing = cmp.Or(outcomes[*r.Status].standing, report.JudgeError)
		}
		row[6].Colour = standing.Colour()
	}
	io.WriteString(l.e.stdout, table.String())
}

// elsewhere describes the machine of a run; "" if it is this one or unknown.
func (r *listedRun) elsewhere() string {
	if r.Here || r.Machine.OS == "" {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s/%s", r.Machine.CPU, units.Count(r.Machine.Cores, "core"), r.Machine.OS, r.Machine.Arch)
}

// firstOf returns the first name and the number of the others: "a +2".
func firstOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return fmt.Sprintf("%s +%d", names[0], len(names)-1)
}
