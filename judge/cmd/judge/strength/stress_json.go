package strength

import (
	"encoding/json"
	"os"
	"time"
	"unicode/utf8"

	"crucible/judge/internal/command"
	"crucible/judge/problem"
	"crucible/judge/stress"
)

// stressJSON is the JSON of a result.
type stressJSON struct {
	Schema    int                `json:"schema"`
	Problem   string             `json:"problem"`
	Reference string             `json:"reference"`
	Seed      uint64             `json:"seed"`
	Valid     int                `json:"valid_inputs"`
	Invalid   int                `json:"invalid_inputs"`
	Repeated  int                `json:"repeated_inputs"`
	Unchecked int                `json:"unchecked_inputs"`
	Elapsed   time.Duration      `json:"elapsed_ns"`
	Slow      int                `json:"reference_failures"`
	Disagree  *stressTargetJSON  `json:"disagreement"`
	Targets   []stressTargetJSON `json:"submissions"`
	Best      *stressTargetJSON  `json:"best,omitempty"` // of --slowest and --largest-memory
	BestCPU   time.Duration      `json:"best_cpu_ns,omitempty"`
	BestBytes int64              `json:"best_memory_bytes,omitempty"`
	Notes     []string           `json:"notes"`
}

// stressTargetJSON is what was found for a submission. Inputs and answers that are not
// UTF-8 are only in the fields of bytes, in base64.
type stressTargetJSON struct {
	Name        string          `json:"name"`
	Found       bool            `json:"found"`
	Verdict     problem.Verdict `json:"verdict"`
	Why         string          `json:"why"`
	After       int             `json:"after_inputs"`
	Elapsed     time.Duration   `json:"after_ns"`
	How         string          `json:"how"`
	Group       string          `json:"group"`
	Input       string          `json:"input"` // as found
	Shrunk      string          `json:"shrunk"`
	Answer      string          `json:"answer"` // of Input
	ShrunkTo    string          `json:"shrunk_answer"`
	InputBytes  []byte          `json:"input_base64,omitempty"`
	ShrunkBytes []byte          `json:"shrunk_base64,omitempty"`
	Steps       []string        `json:"steps"`
}

func stressTargetOf(c *stress.Counterexample) stressTargetJSON {
	one := stressTargetJSON{
		Name: c.Submission.Name, Found: true, Verdict: c.Verdict, Why: c.Why, After: c.After, Elapsed: c.Elapsed, How: c.How, Group: c.Case.Group.Name,
		Input: string(c.Input), Shrunk: string(c.Smallest()), Answer: string(c.Answer), ShrunkTo: string(c.SmallestAnswer()), Steps: c.Steps,
	}
	if !utf8.Valid(c.Input) {
		one.Input, one.InputBytes = "", c.Input
	}
	if !utf8.Valid(c.Smallest()) {
		one.Shrunk, one.ShrunkBytes = "", c.Smallest()
	}
	return one
}

// write writes the JSON of a result.
func (f *stressFlags) write(e *command.Env, s *stress.Search, r *stress.Result) error {
	doc := stressJSON{Schema: 1, Problem: s.Problem.ID, Seed: s.Seed, Valid: r.Valid, Invalid: r.Invalid, Repeated: r.Repeated, Unchecked: r.Unchecked, Elapsed: r.Elapsed, Slow: r.Slow, Notes: r.Notes}
	if r.Reference != nil {
		doc.Reference = r.Reference.Name
	}
	if r.Disagreement != nil {
		one := stressTargetOf(r.Disagreement)
		doc.Disagree = &one
	}
	if r.Best != nil {
		one := stressTargetOf(r.Best)
		doc.Best, doc.BestCPU, doc.BestBytes = &one, r.BestRun.Outcome.CPU, r.BestRun.Outcome.Memory
	}
	for _, t := range s.Targets {
		one := stressTargetJSON{Name: t.Name}
		if c := foundFor(r, t); c != nil {
			one = stressTargetOf(c)
		}
		doc.Targets = append(doc.Targets, one)
	}
	data, err := json.MarshalIndent(doc, "", "\t")
	if err != nil {
		return err
	}
	if data = append(data, '\n'); f.file == "-" {
		_, err = e.Stdout.Write(data)
		return err
	}
	return os.WriteFile(f.file, data, 0o644)
}
