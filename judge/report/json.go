package report

import (
	"encoding/json"
	"io"
	"math"

	"crucible/judge"
)

// Schema is the version of the JSON document that this package writes.
const Schema = 1

// JSON is the JSON document; the package's comment says what its keys mean.
type JSON struct {
	Schema   int           `json:"schema"`
	Machine  JSONMachine   `json:"machine"`
	Problems []JSONProblem `json:"problems"`
}

// JSONMachine is a [Machine] in the JSON document.
type JSONMachine struct {
	OS          string   `json:"os"`
	Arch        string   `json:"arch"`
	CPU         string   `json:"cpu"`
	Cores       int      `json:"cores"`
	Kernel      string   `json:"kernel"`
	Go          string   `json:"go"`
	Protection  string   `json:"protection"`
	NotEnforced []string `json:"not_enforced"`
	Pinned      bool     `json:"pinned"`
	Fixed       bool     `json:"fixed_addresses"`
}

// JSONProblem is a [Problem] in the JSON document.
type JSONProblem struct {
	ID          string           `json:"id"`
	Path        string           `json:"path"`
	Error       string           `json:"error"`
	Limits      JSONLimits       `json:"limits"`
	Submissions []JSONSubmission `json:"submissions"`
}

// JSONLimits are [judge.Limits] in the JSON document.
type JSONLimits struct {
	CPU    int64 `json:"cpu_ns"`
	Wall   int64 `json:"wall_ns"`
	Memory int64 `json:"memory_bytes"`
	Output int64 `json:"output_bytes"`
}

// JSONSubmission is a [judge.Report] in the JSON document.
type JSONSubmission struct {
	Name       string            `json:"name"`
	Language   string            `json:"language"`
	Expected   []JSONExpectation `json:"expected"`
	Verdict    judge.Verdict     `json:"verdict"`
	AsExpected *bool             `json:"as_expected"`
	Broken     string            `json:"broken"`
	Error      string            `json:"error"`
	Skipped    string            `json:"skipped"`
	Score      *float64          `json:"score"`
	MaxScore   *float64          `json:"max_score"`
	Groups     []JSONGroup       `json:"groups"`
	Compile    JSONCompile       `json:"compile"`
	Runs       []JSONRun         `json:"runs"`
}

// JSONExpectation is a [judge.Expectation] in the JSON document. Where the
// package names no verdicts the lists have all four, which is what the format
// means then (2025-09, "Example submissions").
type JSONExpectation struct {
	Cases     string          `json:"cases"`
	Permitted []judge.Verdict `json:"permitted"`
	Required  []judge.Verdict `json:"required"`
	Score     []float64       `json:"score"`
	Message   string          `json:"message"`
	Final     []judge.Verdict `json:"final"`
	Partial   bool            `json:"partial"`
}

// JSONGroup is a [judge.GroupResult] in the JSON document.
type JSONGroup struct {
	Name     string        `json:"name"`
	Verdict  judge.Verdict `json:"verdict"`
	Score    *float64      `json:"score"`
	MaxScore *float64      `json:"max_score"`
	NotRun   string        `json:"not_run"`
	Error    string        `json:"error"`
}

// JSONCompile is a [judge.Compile] in the JSON document.
type JSONCompile struct {
	Exit    int    `json:"exit"`
	Message string `json:"message"`
	Cached  bool   `json:"cached"`
}

// JSONRun is a [judge.Run] in the JSON document.
type JSONRun struct {
	Case         string        `json:"case"`
	Verdict      judge.Verdict `json:"verdict"`
	Why          string        `json:"why"`
	Diff         *JSONDiff     `json:"diff"`
	CPU          int64         `json:"cpu_ns"`
	User         int64         `json:"user_ns"`
	Sys          int64         `json:"sys_ns"`
	Wall         int64         `json:"wall_ns"`
	Memory       int64         `json:"memory_bytes"`
	Instructions int64         `json:"instructions"`
	Exit         int           `json:"exit"`
	Signal       string        `json:"signal"`
	Score        *float64      `json:"score"`
	Passes       int           `json:"passes"`
	Dialogue     []JSONRemark  `json:"dialogue"`
	Error        string        `json:"error"`
}

// JSONRemark is a [judge.Remark] in the JSON document.
type JSONRemark struct {
	Pass int    `json:"pass"`
	At   int64  `json:"at_ns"`
	From string `json:"from"`
	Text string `json:"text"`
}

// JSONDiff is the first difference of an output from the answer in the JSON
// document; line and column are of the output and count from 1, columns in bytes.
type JSONDiff struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Want   string `json:"want"`
	Got    string `json:"got"`
}

// WriteJSON writes the document as indented JSON. Bytes that are no UTF-8
// become U+FFFD; "<", ">" and "&" stay as they are.
func WriteJSON(w io.Writer, d *Document) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(ToJSON(d))
}

// ToJSON returns what [WriteJSON] writes.
func ToJSON(d *Document) JSON {
	m := d.Machine
	doc := JSON{
		Schema: Schema,
		Machine: JSONMachine{
			OS: m.OS, Arch: m.Arch, CPU: m.CPU, Cores: m.Cores, Kernel: m.Kernel, Go: m.Go,
			Protection: m.Protection, NotEnforced: present(m.NotEnforced),
			Pinned: m.Pinned, Fixed: m.FixedAddresses,
		},
		Problems: make([]JSONProblem, len(d.Problems)),
	}
	for i := range d.Problems {
		p := &d.Problems[i]
		doc.Problems[i] = JSONProblem{
			ID: p.ID, Path: p.Path, Error: message(p.Err),
			Limits: JSONLimits{
				CPU: p.Limits.Time.Nanoseconds(), Wall: p.Limits.Wall.Nanoseconds(),
				Memory: p.Limits.Memory, Output: p.Limits.Output,
			},
			Submissions: make([]JSONSubmission, len(p.Reports)),
		}
		for j, r := range p.Reports {
			doc.Problems[i].Submissions[j] = jsonSubmission(r)
		}
	}
	return doc
}

func jsonSubmission(r *judge.Report) JSONSubmission {
	s := JSONSubmission{
		Name: r.Submission, Language: r.Language,
		Expected: make([]JSONExpectation, len(r.Expected)),
		Verdict:  verdict(r), AsExpected: r.AsExpected, Broken: r.Broken,
		Error: message(r.JudgeError()), Skipped: r.Skipped,
		Compile: JSONCompile{Exit: r.Compile.Exit, Message: r.Compile.Message, Cached: r.Compile.Cached},
		Runs:    make([]JSONRun, len(r.Runs)),
		Score:   finite(r.Score), MaxScore: finite(r.MaxScore), Groups: make([]JSONGroup, len(r.Groups)),
	}
	if r.Skipped != "" || r.Err != nil {
		s.AsExpected = nil
	}
	for i := range r.Expected {
		e := &r.Expected[i]
		s.Expected[i] = JSONExpectation{
			Cases: e.Cases, Permitted: orAll(e.Permitted), Required: orAll(e.Required),
			Score: e.Score, Message: e.Message, Final: e.Final, Partial: e.Partial,
		}
		if e.Final == nil {
			s.Expected[i].Final = []judge.Verdict{}
		}
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		s.Groups[i] = JSONGroup{Name: g.Name, Verdict: g.Verdict, Score: finite(g.Score), MaxScore: finite(g.Max), NotRun: g.NotRun, Error: message(g.Err)}
	}
	for i := range r.Runs {
		s.Runs[i] = jsonRun(&r.Runs[i])
	}
	return s
}

func jsonRun(run *judge.Run) JSONRun {
	o := run.Outcome
	j := JSONRun{
		Case: run.Case, Verdict: run.Verdict, Why: run.Why,
		CPU: o.CPU.Nanoseconds(), User: o.User.Nanoseconds(), Sys: o.Sys.Nanoseconds(), Wall: o.Wall.Nanoseconds(),
		Memory: o.Memory, Instructions: o.Instructions, Exit: o.Exit, Signal: signalName(o.Signal), Error: message(run.Err),
	}
	j.Score = finite(run.Earned)
	if run.Err != nil {
		j.Verdict = ""
	}
	j.Passes, j.Dialogue = len(run.Passes), []JSONRemark{}
	if run.Dialogue != nil {
		for _, r := range run.Dialogue.Lines {
			j.Dialogue = append(j.Dialogue, JSONRemark{Pass: r.Pass, At: r.At.Nanoseconds(), From: string(rune(r.From)), Text: r.Text})
		}
	}
	if d := run.Diff; d != nil {
		j.Diff = &JSONDiff{Line: d.Line, Column: d.Column, Want: d.Want, Got: d.Got}
	}
	return j
}

// finite leaves out numbers that JSON cannot write.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return v
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// present keeps an empty list from being written as null.
func present(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func orAll(verdicts []judge.Verdict) []judge.Verdict {
	if verdicts == nil {
		return []judge.Verdict{judge.Accepted, judge.WrongAnswer, judge.TimeLimit, judge.RuntimeError}
	}
	return verdicts
}
