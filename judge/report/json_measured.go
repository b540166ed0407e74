package report

import (
	"crucible/judge/bench"
	"crucible/judge/problem"
)

// JSONMeasurement is a [bench.Measurement] in the JSON document.
type JSONMeasurement struct {
	Kind        bench.Kind    `json:"kind"`
	Problem     string        `json:"problem"`
	Limits      JSONLimits    `json:"limits"`
	Timing      JSONTimeRule  `json:"timing"`
	Seed        uint64        `json:"seed,string"` // beyond what a JavaScript number holds
	Confidence  float64       `json:"confidence"`
	Looks       int           `json:"looks"`
	Submissions []JSONEntrant `json:"submissions"`
	Cases       []JSONInput   `json:"cases"`
	Reference   int           `json:"reference"`
	Trials      []JSONTrial   `json:"trials"`
	Doubts      []string      `json:"doubts"`
	Cores       []int         `json:"cores"`
	Precision   float64       `json:"precision"`
	Budget      int64         `json:"budget_ns"`
	Ended       bench.Ending  `json:"ended"`
	Load        JSONActivity  `json:"load"`
	Growth      *JSONGrowth   `json:"growth"`
}

// JSONGrowth is a [bench.Growth] in the JSON document.
type JSONGrowth struct {
	Series  string `json:"series"`
	Command string `json:"command"`
	Counts  string `json:"counts"`
	Ended   string `json:"ended"`
}

// JSONActivity is a [machine.Activity] in the JSON document.
type JSONActivity struct {
	Others float64  `json:"others"`
	Stolen float64  `json:"stolen"`
	Core   *float64 `json:"core,omitempty"`
	Rest   float64  `json:"rest,omitempty"`
}

// JSONTimeRule is a [judge.TimeRule] in the JSON document.
type JSONTimeRule struct {
	Resolution float64 `json:"resolution_s"`
	ACToLimit  float64 `json:"ac_to_limit"`
	LimitToTLE float64 `json:"limit_to_tle"`
}

// JSONEntrant is a [bench.Entrant] in the JSON document.
type JSONEntrant struct {
	Name     string            `json:"name"`
	Language string            `json:"language"`
	Expected []JSONExpectation `json:"expected"`
	Skipped  string            `json:"skipped"`
	Startup  []JSONOutcome     `json:"startup"`
}

// JSONInput is a [bench.Input] in the JSON document.
type JSONInput struct {
	Name string  `json:"name"`
	Size float64 `json:"size"`
}

// JSONTrial is a [bench.Trial] in the JSON document.
type JSONTrial struct {
	Submission int             `json:"submission"`
	Case       int             `json:"case"`
	Round      int             `json:"round"`
	At         int64           `json:"at_ns"`
	Verdict    problem.Verdict `json:"verdict"`
	Why        string          `json:"why"`
	JSONOutcome
	Error string `json:"error"`
}

// JSONOfMeasurement returns a measurement as it is in the JSON document.
func JSONOfMeasurement(m *bench.Measurement) JSONMeasurement {
	j := JSONMeasurement{
		Kind: m.Kind, Problem: m.Problem, Limits: JSONOfLimits(m.Limits), Timing: JSONTimeRule(m.Timing),
		Seed: m.Seed, Confidence: m.Confidence, Looks: m.Looks, Reference: m.Reference,
		Submissions: each(m.Submissions, func(_ int, e *bench.Entrant) JSONEntrant {
			return JSONEntrant{Name: e.Name, Language: e.Language, Expected: jsonExpected(e.Expected), Skipped: e.Skipped, Startup: jsonOutcomes(e.Startup)}
		}),
		Cases:  each(m.Cases, func(_ int, c *bench.Input) JSONInput { return JSONInput(*c) }),
		Trials: each(m.Trials, func(_ int, t *bench.Trial) JSONTrial { return JSONOfTrial(t) }),
		Doubts: present(m.Doubts), Cores: append([]int{}, m.Cores...),
		Precision: m.Precision, Budget: m.Budget.Nanoseconds(), Ended: m.Ended, Load: JSONActivity(m.Load),
	}
	if m.Growth != nil {
		growth := JSONGrowth(*m.Growth)
		j.Growth = &growth
	}
	return j
}

// JSONOfTrial returns a trial as it is in the JSON document.
func JSONOfTrial(t *bench.Trial) JSONTrial {
	return JSONTrial{
		Submission: t.Submission, Case: t.Case, Round: t.Round, At: t.At.Nanoseconds(),
		Verdict: t.Verdict, Why: t.Why, JSONOutcome: jsonOutcome(&t.Outcome), Error: t.Err,
	}
}
