package api

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A View is how much somebody sees of a problem, or of a judgement. What others see follows
// from what the jury sees: a value is shown if it is named here, and else is not.
type View int

const (
	Hidden  View = iota // nothing, not even that it exists
	Outline             // what a contestant sees of a problem, and of an own judgement
	Whole               // what the jury sees
)

// failed is the text of the failures of the judge, which may have parts of secret data.
const failed = "the judge failed; the jury sees why"

// TestName returns the name of a case that a contestant sees: that of a sample, or the
// number among those that are judged, from 1.
func TestName(name string, number int) string {
	if IsSample(name) {
		return name
	}
	return fmt.Sprintf("test %d", number)
}

// IsSample reports whether a name is that of a sample.
func IsSample(name string) bool { return strings.HasPrefix(name, "sample/") }

// Tests returns the names of cases as they are seen.
func (v View) Tests(cases []string) []string {
	if v == Whole {
		return cases
	}
	shown := make([]string, len(cases))
	for i, name := range cases {
		shown[i] = TestName(name, i+1)
	}
	return shown
}

// Problem returns a problem as it is seen.
func (v View) Problem(p *Problem) *Problem {
	shown := *p
	shown.Cases = v.Tests(p.Cases)
	return &shown
}

// A seenRun has what a contestant sees of a run.
type seenRun struct {
	Case    string          `json:"case"`
	Verdict string          `json:"verdict"`
	CPU     int64           `json:"cpu_ns"`
	Why     string          `json:"why"`
	Diff    json.RawMessage `json:"diff,omitempty"`
	Team    string          `json:"teammessage,omitempty"`
	Err     string          `json:"error"`
}

// outline leaves out what a contestant does not see of a run with a number.
func (r *seenRun) outline(number int) {
	if string(r.Diff) == "null" || !IsSample(r.Case) {
		r.Diff = nil
	}
	if len(r.Diff) == 0 {
		r.Why = "" // it may be of the validator, or of what the program wrote
	}
	if r.Err != "" {
		r.Err = failed
	}
	r.Case = TestName(r.Case, number)
}

// Run returns the JSON of a run of the events as it is seen.
func (v View) Run(line []byte) []byte {
	if v == Whole {
		return line
	}
	var r struct {
		seenRun
		Test int `json:"test,omitempty"`
	}
	err := json.Unmarshal(line, &r)
	r.outline(r.Test)
	if shown, err2 := json.Marshal(&r); err == nil && err2 == nil {
		return shown
	}
	return []byte("{}")
}

// Runs returns runs as they are seen.
func (v View) Runs(lines [][]byte) [][]byte {
	if v == Whole {
		return lines
	}
	shown := make([][]byte, len(lines))
	for i, line := range lines {
		shown[i] = v.Run(line)
	}
	return shown
}

// Judgement returns a judgement as it is seen.
func (v View) Judgement(g *Judgement) *Judgement {
	if v == Whole {
		return g
	}
	type compile struct {
		Exit    int    `json:"exit"`
		Message string `json:"message"`
	}
	type report struct {
		Name     string    `json:"name"`
		Language string    `json:"language"`
		Verdict  string    `json:"verdict"`
		Err      string    `json:"error"`
		Skipped  string    `json:"skipped"`
		Score    *float64  `json:"score"`
		MaxScore *float64  `json:"max_score"`
		Compile  compile   `json:"compile"`
		Runs     []seenRun `json:"runs"`
	}
	var p struct {
		ID      string          `json:"id"`
		Limits  json.RawMessage `json:"limits"`
		Cases   []string        `json:"cases"`
		Reports []report        `json:"submissions"`
	}
	shown := &Judgement{ID: g.ID, State: g.State, Problem: g.Problem, Language: g.Language, Created: g.Created,
		Ended: g.Ended, Verdict: g.Verdict, Score: g.Score, By: g.By, Restarts: g.Restarts}
	if g.Error != "" {
		shown.Error = failed
	}
	if g.State == Cancelled {
		shown.Error = g.Error
	}
	if len(g.Record) == 0 || json.Unmarshal(g.Record, &p) != nil {
		return shown
	}
	numbers := make(map[string]int, len(p.Cases))
	for i, name := range p.Cases {
		numbers[name] = i + 1
	}
	p.Cases = v.Tests(p.Cases)
	for i := range p.Reports {
		r := &p.Reports[i]
		if r.Err != "" {
			r.Err = failed
		}
		if r.Skipped != "" && r.Skipped == g.Error {
			shown.Error = g.Error
		}
		for k := range r.Runs {
			r.Runs[k].outline(numbers[r.Runs[k].Case])
		}
	}
	shown.Record, _ = json.Marshal(&p) // of texts and numbers
	return shown
}
