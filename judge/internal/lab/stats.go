package lab

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
	"crucible/judge/internal/cli"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/adequacy"
	"crucible/judge/terminal"
)

// An archiveStats is the JSON of judge stats.
type archiveStats struct {
	Schema   int            `json:"schema"` // 1
	Problems []problemStats `json:"problems"`
	Total    problemCounts  `json:"total"`
	Unknown  string         `json:"runs_unknown,omitempty"` // why no last run is known, such as a history that is off
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

	// Strength is the last stored mutation score; the key is missing if there is none.
	Strength *dataStrength `json:"adequacy,omitempty"`

	source *problem.Source
}

// A dataStrength is how strong the test data of a problem was.
type dataStrength struct {
	ID       string         `json:"id"` // of the call of judge adequacy
	Time     time.Time      `json:"time"`
	Mutants  int            `json:"mutants"`  // in the sample
	Possible int            `json:"possible"` // mutants of the accepted submissions
	Score    adequacy.Score `json:"score"`    // likely equivalent mutants are survivors
	Smallest []string       `json:"smallest"` // cases that reject all wrong submissions and mutants that all cases reject
	Proved   bool           `json:"proved"`   // no smaller set exists
	Changed  bool           `json:"changed"`  // the package has changed since, or that is not known
	unknown  bool           // whether the package has changed is not known
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

func Stats(e *cli.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats [PROBLEM...]",
		Short: "count problems, cases and submissions, and show the last runs",
		Long: `Print a table of the problems: time limit, cases, size of the data, submissions by
expectation and by language, the slowest accepted submission of the last stored
run with its share of the time limit, the last stored mutation score (see judge
adequacy) with its 95 % interval if mutants were sampled, and the age and the
outcome of the last run that is stored; if the history is off, these are not known.
"package changed" means that test data, submissions or validators are not those of
the score, "maybe changed" that this is not known. Nothing is run.`,
		Example: `  judge stats
  judge stats --json | jq '.problems[] | select(.last_run == null) | .id'`,
		ValidArgsFunction: cli.CompleteNames(cli.Problems),
		RunE: func(_ *cobra.Command, args []string) error {
			return printStats(e, args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

func printStats(e *cli.Env, args []string, asJSON bool) error {
	f := cli.RunFlags{Whole: true}
	h, err := f.Gather(e, args)
	if err != nil {
		return err
	}
	defer h.Close()
	a := &archiveStats{Schema: 1, Problems: []problemStats{}}
	for _, b := range h.Broken {
		cli.Complain(e, b.Err)
		a.Problems = append(a.Problems, problemStats{ID: b.Source.ID, Path: b.Source.Path, Err: b.Err.Error()})
	}
	for _, c := range h.Choices {
		s := statsOf(c.Problem)
		s.source = c.Source
		a.Problems = append(a.Problems, s)
	}
	slices.SortFunc(a.Problems, func(x, y problemStats) int {
		return cmp.Or(strings.Compare(x.ID, y.ID), strings.Compare(x.Path, y.Path))
	})
	if err := a.addRuns(); err != nil {
		a.Unknown = err.Error()
		cli.Warn(e, fmt.Errorf("the last runs are not known: %w", err))
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
	return cmp.Or(err, cli.Ending(cli.StatusOf(h.Err())))
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

// addRuns adds the last runs of the problems, and their last mutation scores. It reads
// calls from the newest on, until every problem has both.
func (a *archiveStats) addRuns() error {
	// Missing ones, by the absolute path of the package.
	runs, scores := make(map[string]*problemStats), make(map[string]*problemStats)
	for i := range a.Problems {
		if at, err := filepath.Abs(a.Problems[i].Path); err == nil && a.Problems[i].Err == "" {
			runs[at], scores[at] = &a.Problems[i], &a.Problems[i]
		}
	}
	entries, err := cli.StoredRuns()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if len(runs)+len(scores) == 0 {
			break
		}
		words := [][]byte{[]byte(`"command":"adequacy"`)}
		for at := range runs {
			words = append(words, []byte(strconv.Quote(filepath.Base(at))))
		}
		head, err := entry.Head(words)
		if err != nil || head == nil {
			continue // judge history names files that cannot be read
		}
		switch head.Command {
		case "run", "verify":
			err = addCall(runs, entry, head, addRun)
		case "adequacy":
			err = addCall(scores, entry, head, addScore)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addCall adds what a call knows of the problems that miss it. add reports whether a
// problem of the head was known.
func addCall(missing map[string]*problemStats, entry record.Entry, head *record.Head,
	add func(s *problemStats, call *record.Call, doc *record.Document, problem int) bool) error {
	var call *record.Call
	var doc *record.Document
	for i, p := range head.Problems {
		at := p.Path
		if !filepath.IsAbs(at) {
			at = filepath.Join(head.Folder, at)
		}
		s := missing[at]
		if s == nil {
			continue
		}
		if call == nil {
			var err error
			if call, err = entry.Read(); err != nil {
				return nil // judge history names files that cannot be read
			}
			if doc, err = call.Document(sheet.Sections...); err != nil {
				return err
			}
		}
		if add(s, call, doc, i) {
			delete(missing, at)
		}
	}
	return nil
}

// addRun adds a call of judge run or judge verify.
func addRun(s *problemStats, call *record.Call, doc *record.Document, i int) bool {
	outcome := string(call.State)
	if call.State == record.Ended {
		outcome = cli.OutcomeOf(call.End.Status)
	}
	s.Last = &lastRun{call.ID, call.Head.Time, call.Head.Command, outcome}
	for _, p := range doc.Problems {
		if p.Path == call.Head.Problems[i].Path {
			s.Slowest = slowestOf(p.Reports)
		}
	}
	return true
}

// A storedAdequacy is the line of a call about adequacy.
type storedAdequacy struct {
	Key string `json:"key"`
	adequacy.Result
}

// addScore adds the mutation score of a call of judge adequacy.
func addScore(s *problemStats, call *record.Call, _ *record.Document, i int) bool {
	var r storedAdequacy
	if !call.Section(i, sheet.AdequacyKey, &r) || r.Mutation == nil || r.Mutation.Scores.Headline.Of == 0 {
		return false
	}
	m, now := r.Mutation, record.PackageKey(s.source)
	s.Strength = &dataStrength{
		ID: call.ID, Time: call.Head.Time, Mutants: len(m.Mutants), Possible: m.Possible, Score: m.Scores.Headline,
		Smallest: m.Smallest.Cases, Proved: m.Smallest.Proved,
		Changed: r.Key == "" || r.Key != now, unknown: r.Key == "" || now == "",
	}
	return true
}

// slowestOf returns the slowest run of the accepted submissions; nil if there is none.
func slowestOf(reports []*judge.Report) (slowest *slowestRun) {
	for _, r := range reports {
		if run := r.Slowest(); run != nil && r.Verdict == problem.Accepted &&
			(slowest == nil || run.Outcome.CPU > slowest.CPU) {
			slowest = &slowestRun{r.Submission, run.Case, run.Outcome.CPU}
		}
	}
	return slowest
}

// table returns the statistics as a table.
func (a *archiveStats) table(plain bool, now time.Time) string {
	t := terminal.Table{Right: []int{1, 2, 3, 4}, Most: 40, Plain: plain}
	t.Add("problem", "limit", "cases", "data", "submissions", "expectations", "languages", "slowest accepted",
		"mutation score", "last run")
	for i := range t.Rows[0] {
		t.Rows[0][i].Colour = terminal.Faint
	}
	row := func(id, limit string, c *problemCounts, slowest, score, last string) {
		t.Add(id, limit, strconv.Itoa(c.Samples+c.Secret), terminal.Bytes(c.Bytes), strconv.Itoa(c.Submissions),
			counted(c.Expectations, shortExpectation), counted(c.Languages,
				func(code string) string { return cmp.Or(code, "?") }), slowest, score, last)
	}
	for i := range a.Problems {
		p := &a.Problems[i]
		if p.Err != "" {
			t.Add(p.ID, "", "", "", "", "cannot be opened")
			continue
		}
		limit, slowest, score, last := "inferred", "", "", "none stored"
		if a.Unknown != "" {
			last = "not known"
		}
		if p.TimeLimit > 0 {
			limit = terminal.Exactly(p.TimeLimit)
		}
		if p.Slowest != nil {
			slowest = terminal.Duration(p.Slowest.CPU)
			if p.TimeLimit > 0 {
				slowest += fmt.Sprintf(" (%.0f %%)", 100*float64(p.Slowest.CPU)/float64(p.TimeLimit))
			}
			slowest += " " + p.Slowest.Submission
		}
		if m := p.Strength; m != nil {
			if score = terminal.Share(m.Score.Share.P); m.Score.Share.Lo != m.Score.Share.Hi {
				score += fmt.Sprintf(" (%s to %s)", terminal.Share(m.Score.Share.Lo), terminal.Share(m.Score.Share.Hi))
			}
			switch {
			case m.unknown:
				score += ", package maybe changed"
			case m.Changed:
				score += ", package changed"
			}
		}
		if p.Last != nil {
			last = since(now.Sub(p.Last.Time)) + ", " + p.Last.Outcome
		}
		row(p.ID, limit, &p.problemCounts, slowest, score, last)
	}
	if len(a.Problems) > 1 {
		row(terminal.Count(len(a.Problems), "problem"), "", &a.Total, "", "", "")
	}
	return t.String()
}

// shortExpectation returns the verdict of a folder of submissions: "WA" for wrong_answer.
func shortExpectation(folder string) string {
	words := map[string]string{"accepted": "AC", "wrong_answer": "WA", "time_limit_exceeded": "TLE",
		"run_time_error": "RTE", "partially_accepted": "partial", "rejected": "rejected", "brute_force": "TLE or RTE"}
	return cmp.Or(words[folder], folder)
}

// counted lists numbers, the largest first: "cpp 3, go 2".
func counted(numbers map[string]int, name func(string) string) string {
	keys := slices.SortedFunc(maps.Keys(numbers),
		func(a, b string) int { return cmp.Or(numbers[b]-numbers[a], strings.Compare(a, b)) })
	return strings.Join(terminal.Texts(keys, func(k string) string { return fmt.Sprintf("%s %d", name(k), numbers[k]) }),
		", ")
}

// since describes the age of a run.
func since(d time.Duration) string {
	switch {
	case d < -time.Minute:
		return "at a later time of the clock"
	case d < time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
