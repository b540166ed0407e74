package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// A listedRun is one run of judge history --json.
type listedRun struct {
	ID          string    `json:"id"`          // the id of the call
	Time        time.Time `json:"time"`        // when the call began, in UTC
	Command     string    `json:"command"`     // the subcommand: "run"
	Args        []string  `json:"args"`        // arguments that are not flags
	Flags       []string  `json:"flags"`       // the flags of the call: "--jobs=1"
	Problems    []string  `json:"problems"`    // ids of the chosen problems
	Submissions int       `json:"submissions"` // number of the chosen submissions
	Runs        int       `json:"runs"`        // number of runs of programs on cases
	// Description of the exit status, or "running", "killed" or "unreadable".
	Outcome string         `json:"outcome"`
	Status  *int           `json:"status"`       // exit status; null if the call has not ended
	Elapsed *time.Duration `json:"elapsed_ns"`   // wall-clock time; null if the call has not ended
	Machine record.Machine `json:"machine"`      // where programs ran
	Here    bool           `json:"this_machine"` // Machine may be this machine
	Path    string         `json:"path"`         // path of the file

	short string // the start of the id that identifies the run
	only  string // the name of the submission, if there is exactly one
}

const whenLayout = "2006-01-02 15:04"

// readListed reads a run. After an error, it returns what the name of the file shows.
func readListed(one record.Entry, this record.Machine) (listedRun, error) {
	r := listedRun{ID: one.ID, Time: one.Time, Path: one.Path, Outcome: "unreadable", Args: []string{}, Flags: []string{},
		Problems: []string{}}
	g, err := one.Summary()
	if err != nil {
		return r, err
	}
	h := &g.Head
	r.Time, r.Command, r.Args, r.Flags, r.Runs, r.Machine = h.Time, h.Command, append(r.Args, h.Args...),
		append(r.Flags, h.Flags...), g.End.Runs, h.Machine
	for _, p := range h.Problems {
		r.Problems = append(r.Problems, p.ID)
		r.Submissions += len(p.Submissions)
		for _, s := range p.Submissions {
			r.only = s.Name
		}
	}
	r.Here = SameMachine(h.Machine, this)
	r.Outcome = string(g.State)
	if g.State == record.Ended {
		r.Outcome = OutcomeOf(g.End.Status)
		r.Status, r.Elapsed = &g.End.Status, &g.End.Elapsed
	}
	return r, nil
}

// outcomes describes each exit status of the judge, and how its text is coloured.
var outcomes = map[int]struct {
	text     string
	standing report.Standing
}{
	StatusExpected:    {"as expected", report.AsExpected},
	StatusUnexpected:  {"unexpected", report.Unexpected},
	StatusUsage:       {"package error", report.JudgeError},
	StatusJudge:       {"judge error", report.JudgeError},
	StatusInterrupted: {"interrupted", report.Unfinished},
}

// OutcomeOf describes an exit status.
func OutcomeOf(status int) string {
	return cmp.Or(outcomes[status].text, "exit status "+strconv.Itoa(status))
}

// printRuns prints the runs as a table. It has a column of machines if a run is from
// another machine.
func printRuns(e *Env, runs []listedRun) {
	elsewhere := slices.ContainsFunc(runs, func(r listedRun) bool { return r.elsewhere() != "" })
	table := terminal.Table{Right: []int{5}, Most: 40, Plain: !e.Palette.On}
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
	for _, r := range runs {
		submissions := ""
		switch {
		case r.Submissions == 1:
			submissions = r.only
		case r.Submissions > 0:
			submissions = strconv.Itoa(r.Submissions)
		}
		row := add(r.elsewhere(), r.short, r.Time.Local().Format(whenLayout), r.Command, firstOf(r.Problems), submissions,
			strconv.Itoa(r.Runs), r.Outcome)
		standing := report.Unfinished
		if r.Status != nil {
			standing = cmp.Or(outcomes[*r.Status].standing, report.JudgeError)
		}
		row[6].Colour = standing.Colour()
	}
	io.WriteString(e.Stdout, table.String())
}

// elsewhere describes the machine of a run; "" if it is this one or unknown.
func (r *listedRun) elsewhere() string {
	if r.Here || r.Machine.OS == "" {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s/%s", r.Machine.CPU, terminal.Count(r.Machine.Cores, "core"), r.Machine.OS,
		r.Machine.Arch)
}

// firstOf returns the first name and the number of the others: "a +2".
func firstOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return fmt.Sprintf("%s +%d", names[0], len(names)-1)
}
