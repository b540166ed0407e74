package report

import (
	"encoding/json"
	"io"

	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// JSON is the JSON document; the package's comment says what its keys mean.
type JSON struct {
	Schema   int           `json:"schema"`
	Machine  JSONMachine   `json:"machine"`
	Elapsed  int64         `json:"elapsed_ns"`
	Problems []JSONProblem `json:"problems"`
	Against  *JSONAgainst  `json:"against"`
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
	Cases       []string         `json:"cases"`
	Submissions []JSONSubmission `json:"submissions"`
	Measurement *JSONMeasurement `json:"measurement"`
	Comparison  *JSONComparison  `json:"comparison"`
	Scaling     *JSONScaling     `json:"scaling"`
	Band        *JSONBand        `json:"band"`
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
	Verdict    problem.Verdict   `json:"verdict"`
	AsExpected *bool             `json:"as_expected"`
	Broken     string            `json:"broken"`
	BrokenBy   string            `json:"broken_by"`
	Error      string            `json:"error"`
	Defect     bool              `json:"package_error"`
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
	Cases     string            `json:"cases"`
	Permitted []problem.Verdict `json:"permitted"`
	Required  []problem.Verdict `json:"required"`
	Score     []float64         `json:"score"`
	Message   string            `json:"message"`
	Final     []problem.Verdict `json:"final"`
	Partial   bool              `json:"partial"`
	Timing    problem.Timing    `json:"timing"`
}

// JSONGroup is a [judge.GroupResult] in the JSON document.
type JSONGroup struct {
	Name     string          `json:"name"`
	Verdict  problem.Verdict `json:"verdict"`
	Score    *float64        `json:"score"`
	MaxScore *float64        `json:"max_score"`
	NotRun   string          `json:"not_run"`
	Error    string          `json:"error"`
}

// JSONCompile is a [judge.Compile] in the JSON document.
type JSONCompile struct {
	Exit    int    `json:"exit"`
	Message string `json:"message"`
	Cached  bool   `json:"cached"`
}

// JSONRun is a [judge.Run] in the JSON document.
type JSONRun struct {
	Case    string          `json:"case"`
	Verdict problem.Verdict `json:"verdict"`
	Why     string          `json:"why"`
	Diff    *JSONDiff       `json:"diff"`
	JSONOutcome
	Times       []JSONOutcome `json:"times"`
	Stderr      string        `json:"stderr"`
	Score       *float64      `json:"score"`
	Passes      int           `json:"passes"`
	Dialogue    []JSONRemark  `json:"dialogue"`
	DialogueCut bool          `json:"dialogue_cut"`
	Error       string        `json:"error"`
}

// JSONOutcome is a [sandbox.Outcome] in the JSON document.
type JSONOutcome struct {
	CPU          int64            `json:"cpu_ns"`
	User         int64            `json:"user_ns"`
	Sys          int64            `json:"sys_ns"`
	Wall         int64            `json:"wall_ns"`
	Waited       int64            `json:"waited_ns"`
	Memory       int64            `json:"memory_bytes"`
	Instructions int64            `json:"instructions"`
	Output       int64            `json:"output_bytes"`
	Stderr       int64            `json:"stderr_bytes"`
	Written      int64            `json:"written_bytes"`
	Files        int64            `json:"files_bytes"`
	Exit         int              `json:"exit"`
	Signal       string           `json:"signal"`
	Exceeded     sandbox.Resource `json:"exceeded"`
	Enforced     JSONEnforced     `json:"enforced"`
}

// JSONEnforced are [sandbox.Limits] in the JSON document.
type JSONEnforced struct {
	CPU       int64 `json:"cpu_ns"`
	Wall      int64 `json:"wall_ns"`
	Memory    int64 `json:"memory_bytes"`
	Output    int64 `json:"output_bytes"`
	Written   int64 `json:"written_bytes"`
	Files     int64 `json:"files_bytes"`
	FileSize  int64 `json:"file_size_bytes"`
	Processes int   `json:"processes"`
}

// JSONRemark is a [judge.Remark] in the JSON document.
type JSONRemark struct {
	Pass int    `json:"pass"`
	At   int64  `json:"at_ns"`
	From string `json:"from"`
	Text string `json:"text"`
}

// JSONDiff is a [check.Difference] in the JSON document: line and column are of
// the output and count from 1, columns in bytes.
type JSONDiff struct {
	Kind         check.Kind `json:"kind"`
	Line         int        `json:"line"`
	Column       int        `json:"column"`
	AnswerLine   int        `json:"answer_line"`
	AnswerColumn int        `json:"answer_column"`
	Token        int        `json:"token"`
	Offset       int        `json:"offset"`
	Want         string     `json:"want"`
	Got          string     `json:"got"`
}

// WriteJSON writes the document as indented JSON. Bytes that are no UTF-8
// become U+FFFD; "<", ">" and "&" stay as they are.
func WriteJSON(w io.Writer, d *record.Document) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(ToJSON(d))
}
