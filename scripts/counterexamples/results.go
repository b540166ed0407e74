package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A result is one line of the file of results.
type result struct {
	Package    string        `json:"package"`
	Submission string        `json:"submission,omitempty"`
	Draw       int           `json:"draw"`
	TimeLimit  time.Duration `json:"time_limit_ns,omitempty"` // a line without Submission: the limit that was inferred

	Kept     []string        `json:"kept,omitempty"`     // secret cases
	Survives bool            `json:"survives,omitempty"` // no secret case rejects the submission
	Found    bool            `json:"found,omitempty"`
	Deleted  bool            `json:"deleted,omitempty"` // the input equals a deleted case
	Unable   string          `json:"unable,omitempty"`  // why the submission cannot run; else ""
	Doubt    string          `json:"doubt,omitempty"`   // why the input does not count; else ""
	Verdict  problem.Verdict `json:"verdict,omitempty"`
	Group    string          `json:"group,omitempty"`
	Inputs   int             `json:"inputs"`  // on which the submission ran
	Valid    int             `json:"valid"`   // inputs
	Invalid  int             `json:"invalid"` // inputs
	Seconds  float64         `json:"seconds"` // until it was found
	Load     float64         `json:"load"`    // of the machine, over one minute, at the end
}

func (r result) String() string {
	what := "none"
	switch {
	case r.Unable != "":
		what = "cannot run: " + r.Unable
	case r.Doubt != "":
		what = "doubt: " + r.Doubt
	case r.Deleted:
		what = "deleted case"
	case r.Found:
		what = "found " + string(r.Verdict) + " " + r.Group
	}
	return fmt.Sprintf("%s/%s #%d  %s  %d inputs, %.1f s, %d valid, %d not, load %.1f, of %v", r.Package, r.Submission,
		r.Draw, what, r.Inputs, r.Seconds, r.Valid, r.Invalid, r.Load, r.Kept)
}

// results are the lines of a file.
type results struct {
	file *os.File
	all  []result
}

func openResults(name string) (*results, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r := &results{file: f}
	data, err := io.ReadAll(f)
	for line := range bytes.Lines(data) {
		var one result
		if json.Unmarshal(line, &one) == nil { // the last line may be incomplete
			r.all = append(r.all, one)
		}
	}
	return r, err
}

func (r *results) has(name, submission string, draw int) bool {
	return slices.ContainsFunc(r.all, func(one result) bool {
		return one.Package == name && one.Submission == submission && one.Draw == draw
	})
}

func (r *results) add(one result) error {
	data, err := json.Marshal(one)
	if err != nil {
		return err
	}
	r.all = append(r.all, one)
	_, err = r.file.Write(append(data, '\n'))
	return err
}

// timeLimit returns the time limit that follows from the complete package.
func (r *results) timeLimit(ctx context.Context, name string, p *problem.Problem) (time.Duration, error) {
	for _, one := range r.all {
		if one.Package == name && one.TimeLimit > 0 {
			return one.TimeLimit, nil
		}
	}
	var j judge.Judge
	defer j.Close()
	if err := j.Infer(ctx, p); err != nil {
		return 0, err
	}
	return p.Limits.Time, r.add(result{Package: name, TimeLimit: p.Limits.Time})
}

// summary prints how many were found.
func (r *results) summary(w io.Writer, only string) {
	for _, kind := range kinds {
		var draws, found, deleted, survives int
		var missed []string
		for _, one := range r.all {
			if one.Unable != "" || !strings.HasPrefix(one.Submission, kind+"/") ||
				!strings.Contains(one.Package+"/"+one.Submission, only) {
				continue
			}
			draws++
			switch {
			case one.Found && one.Deleted:
				deleted++
			case one.Found:
				found++
			case one.Survives:
				survives++
			}
			if !one.Found {
				missed = append(missed, fmt.Sprintf("%s/%s #%d %s", one.Package, one.Submission, one.Draw, one.Doubt))
			}
		}
		if draws > 0 {
			fmt.Fprintf(w, "%s: %d of %d draws found, %.1f %%; %d more are deleted cases; %d of the others pass all secret "+
				"cases\n", kind, found, draws, 100*float64(found)/float64(draws), deleted, survives)
		}
		slices.Sort(missed)
		for _, one := range missed {
			fmt.Fprintln(w, "  not found:", one)
		}
	}
}
