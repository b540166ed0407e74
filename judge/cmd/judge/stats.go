package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/history"
	"crucible/judge/internal/command"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// An archiveStats is the JSON of judge stats.
type archiveStats struct {
	Schema   int            `json:"schema"` // 1
	Problems []problemStats `json:"problems"`
	Total    problemCounts  `json:"total"`
}

// A problemStats describes one problem.
type problemStats struct {
	ID        string        `json:"id"`
	Path      string        `json:"path"`          // path of its package
	Err       string        `json:"error"`         // why it could not be opened; then the numbers are 0
	TimeLimit time.Duration `json:"time_limit_ns"` // 0 if the judge infers it
	problemCounts
	Slowest *slowestRun `json:"slowest"`  // of the accepted submissions in the last run; null if not known
	Last    *lastRun    `json:"last_run"` // the last call of judge run or verify that is stored; null if there is none
}

// A problemCounts has the numbers of one problem, or of all.
type problemCounts struct {
	Samples      int            `json:"samples"`
	Secret       int            `json:"secret_cases"`
	Bytes        int64          `json:"data_bytes"` // of inputs and answers
	Submissions  int            `json:"submissions"`
	Languages    map[string]int `json:"languages"`    // submissions by the code of their language; "" is not known
	Expectations map[string]int `json:"expectations"` // submissions by their folder: "accepted"
}

// A slowestRun is the run with the most CPU time.
type slowestRun struct {
	Submission string        `json:"submission"`
	Case       string        `json:"case"`
	CPU        time.Duration `json:"cpu_ns"`
}

// A lastRun is a stored call of the judge.
type lastRun struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Outcome string    `json:"outcome"` // as in judge history
}

func statsCommand(e *command.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats [PROBLEM...]",
		Short: "count problems, cases and submissions, and show the last runs",
		Long: `Print a table of the problems: time limit, cases, size of the data, submissions by
expectation and by language, the slowest accepted submission of the last stored
run with its share of the time limit, and the age and the outcome of that run.
Nothing is run.`,
		Example: `  judge stats
  judge stats --json | jq '.problems[] | select(.last_run == null) | .id'`,
		ValidArgsFunction: command.CompleteNames(false),
		RunE: func(_ *cobra.Command, args []string) error {
			return printStats(e, args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

func printStats(e *command.Env, args []string, asJSON bool) error {
	f := command.RunFlags{Whole: true}
	h, err := f.Gather(args)
	if err != nil {
		return err
	}
	defer h.Close()
	a := &archiveStats{Schema: 1, Problems: []problemStats{}}
	for _, b := range h.Broken {
		command.Complain(e, b.Err)
		a.Problems = append(a.Problems, problemStats{ID: b.Source.ID, Path: b.Source.Path, Err: b.Err.Error()})
	}
	for _, c := range h.Choices {
		a.Problems = append(a.Problems, statsOf(c.Problem))
	}
	slices.SortFunc(a.Problems, func(x, y problemStats) int {
		return cmp.Or(strings.Compare(x.ID, y.ID), strings.Compare(x.Path, y.Path))
	})
	if err := a.addRuns(); err != nil {
		command.Warn(e, fmt.Errorf("the last runs are not known: %w", err))
	}
	for i := range a.Problems {
		a.Total.add(&a.Problems[i].problemCounts)
	}
	if asJSON {
		encoder := json.NewEncoder(e.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(a)
	} else {
		_, err = io.WriteString(e.Stdout, a.table(!e.Palette.On, time.Now()))
	}
	return cmp.Or(err, command.Ending(command.StatusOf(h.Err())))
}

// statsOf counts one problem.
func statsOf(p *problem.Problem) problemStats {
	s := problemStats{ID: p.ID, Path: p.Path, TimeLimit: p.Limits.Time}
	s.Languages, s.Expectations = make(map[string]int), make(map[string]int)
	for _, c := range p.Cases {
		if c.Sample() {
			s.Samples++
		} else {
			s.Secret++
		}
		for _, ext := range []string{".in", ".ans"} {
			if info, err := fs.Stat(c.FS, c.Path(ext)); err == nil {
				s.Bytes += info.Size()
			}
		}
	}
	for _, one := range p.Submissions {
		s.Submissions++
		folder, _, _ := strings.Cut(one.Name, "/")
		s.Expectations[folder]++
		code := ""
		if one.Language != nil {
			code = one.Language.Code
		}
		s.Languages[code]++
	}
	return s
}

// add adds the numbers of a problem.
func (c *problemCounts) add(one *problemCounts) {
	if c.Languages == nil {
		c.Languages, c.Expectations = make(map[string]int), make(map[string]int)
	}
	c.Samples += one.Samples
	c.Secret += one.Secret
	c.Bytes += one.Bytes
	c.Submissions += one.Submissions
	for k, n := range one.Languages {
		c.Languages[k] += n
	}
	for k, n := range one.Expectations {
		c.Expectations[k] += n
	}
}

// addRuns adds the last runs of the problems. It reads calls from the newest on, until
// every problem has one.
func (a *archiveStats) addRuns() error {
	missing := make(map[string]*problemStats) // by the absolute path of the package
	for i := range a.Problems {
		if at, err := filepath.Abs(a.Problems[i].Path); err == nil && a.Problems[i].Err == "" {
			missing[at] = &a.Problems[i]
		}
	}
	entries, err := storedRuns()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if len(missing) == 0 {
			break
		}
		words := [][]byte{}
		for at := range missing {
			words = append(words, []byte(strconv.Quote(filepath.Base(at))))
		}
		if head, err := entry.Head(words); err != nil || head == nil || head.Command != "run" && head.Command != "verify" {
			continue
		}
		call, err := entry.Read()
		if err != nil {
			continue // judge history names files that cannot be read
		}
		if err := addCall(missing, call); err != nil {
			return err
		}
	}
	return nil
}

// addCall adds what a call knows of the problems that miss a run.
func addCall(missing map[string]*problemStats, call *history.Call) error {
	var reports map[string][]*judge.Report
	for _, p := range call.Head.Problems {
		at := p.Path
		if !filepath.IsAbs(at) {
			at = filepath.Join(call.Head.Folder, at)
		}
		s := missing[at]
		if s == nil {
			continue
		}
		if reports == nil {
			doc, err := call.Document()
			if err != nil {
				return err
			}
			reports = make(map[string][]*judge.Report)
			for i := range doc.Problems {
				reports[doc.Problems[i].Path] = doc.Problems[i].Reports
			}
		}
		delete(missing, at)
		outcome := string(call.State)
		if call.State == history.Ended {
			outcome = outcomeOf(call.End.Status)
		}
		s.Last = &lastRun{call.ID, call.Head.Time, call.Head.Command, outcome}
		s.Slowest = slowestOf(reports[p.Path])
	}
	return nil
}

// slowestOf returns the slowest run of the accepted submissions; nil if there is none.
func slowestOf(reports []*judge.Report) (slowest *slowestRun) {
	for _, r := range reports {
		if run := r.Slowest(); run != nil && r.Verdict == problem.Accepted && (slowest == nil || run.Outcome.CPU > slowest.CPU) {
			slowest = &slowestRun{r.Submission, run.Case, run.Outcome.CPU}
		}
	}
	return slowest
}

// table returns the statistics as a table.
func (a *archiveStats) table(plain bool, now time.Time) string {
	t := terminal.Table{Right: []int{1, 2, 3, 4}, Most: 40, Plain: plain}
	t.Add("problem", "limit", "cases", "data", "submissions", "expectations", "languages", "slowest accepted", "last run")
	for i := range t.Rows[0] {
		t.Rows[0][i].Colour = terminal.Faint
	}
	row := func(id, limit string, c *problemCounts, slowest, last string) {
		t.Add(id, limit, strconv.Itoa(c.Samples+c.Secret), units.Bytes(c.Bytes), strconv.Itoa(c.Submissions), counted(c.Expectations, shortExpectation), counted(c.Languages, func(code string) string { return cmp.Or(code, "?") }), slowest, last)
	}
	for i := range a.Problems {
		p := &a.Problems[i]
		if p.Err != "" {
			t.Add(p.ID, "", "", "", "", "cannot be opened")
			continue
		}
		limit, slowest, last := "inferred", "", "never"
		if p.TimeLimit > 0 {
			limit = units.Exactly(p.TimeLimit)
		}
		if p.Slowest != nil {
			slowest = units.Duration(p.Slowest.CPU)
			if p.TimeLimit > 0 {
				slowest += fmt.Sprintf(" (%.0f %%)", 100*float64(p.Slowest.CPU)/float64(p.TimeLimit))
			}
			slowest += " " + p.Slowest.Submission
		}
		if p.Last != nil {
			last = since(now.Sub(p.Last.Time)) + ", " + p.Last.Outcome
		}
		row(p.ID, limit, &p.problemCounts, slowest, last)
	}
	if len(a.Problems) > 1 {
		row(units.Count(len(a.Problems), "problem"), "", &a.Total, "", "")
	}
	return t.String()
}

// shortExpectation returns the verdict of a folder of submissions: "WA" for wrong_answer.
func shortExpectation(folder string) string {
	words := map[string]string{"accepted": "AC", "wrong_answer": "WA", "time_limit_exceeded": "TLE", "run_time_error": "RTE", "partially_accepted": "partial", "rejected": "rejected", "brute_force": "TLE or RTE"}
	return cmp.Or(words[folder], folder)
}

// counted lists numbers, the largest first: "cpp 3, go 2".
func counted(numbers map[string]int, name func(string) string) string {
	keys := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return cmp.Or(numbers[b]-numbers[a], strings.Compare(a, b)) })
	return strings.Join(text.Map(keys, func(k string) string { return fmt.Sprintf("%s %d", name(k), numbers[k]) }), ", ")
}

// since describes the age of a run.
func since(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
