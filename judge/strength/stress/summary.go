package stress

import (
	"time"
	"unicode/utf8"

	"crucible/judge/problem"
)

// A Summary is a result as values, for records and reports. Its JSON is what judge stress
// --json writes.
type Summary struct {
	Schema    int           `json:"schema"` // 1
	Problem   string        `json:"problem"`
	Reference string        `json:"reference"` // "" if there is none
	Seed      uint64        `json:"seed"`
	Valid     int           `json:"valid_inputs"`
	Invalid   int           `json:"invalid_inputs"`
	Repeated  int           `json:"repeated_inputs"`
	Unchecked int           `json:"unchecked_inputs"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Slow      int           `json:"reference_failures"`
	Disagree  *Found        `json:"disagreement"`
	Disagrees int           `json:"disagreements,omitempty"` // inputs on which accepted submissions disagree
	Failure   *Found        `json:"reference_failure,omitempty"`
	Targets   []Found       `json:"submissions"`
	Best      *Found        `json:"best,omitempty"` // of --slowest and --largest-memory
	BestCPU   time.Duration `json:"best_cpu_ns,omitempty"`
	BestBytes int64         `json:"best_memory_bytes,omitempty"`
	Notes     []string      `json:"notes"`
	Command   string        `json:"command,omitempty"` // that searches again with the same seed; the caller sets it
}

// A Found is what was found for a submission. Inputs and answers that are not UTF-8 are
// only in the fields of bytes, in base64.
type Found struct {
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
	Answer      string          `json:"answer"`        // of Input
	ShrunkTo    string          `json:"shrunk_answer"` // of Shrunk
	Output      string          `json:"output,omitempty"`
	InputBytes  []byte          `json:"input_base64,omitempty"`
	ShrunkBytes []byte          `json:"shrunk_base64,omitempty"`
	Steps       []string        `json:"steps"`
	// All are the counterexamples for each way in which the submission fails, the first one
	// too, if the search was for all; nil otherwise.
	All []Found `json:"counterexamples,omitempty"`
}

// InputData returns the input as it was found.
func (f *Found) InputData() []byte { return either(f.InputBytes, f.Input) }

// Smallest returns the smallest input.
func (f *Found) Smallest() []byte { return either(f.ShrunkBytes, f.Shrunk) }

func either(data []byte, text string) []byte {
	if data != nil {
		return data
	}
	return []byte(text)
}

func foundOf(c *Counterexample) Found {
	f := Found{
		Name: c.Submission.Name, Found: true, Verdict: c.Verdict, Why: c.Why, After: c.After, Elapsed: c.Elapsed, How: c.How,
		Group: c.Case.Group.Name,
		Input: string(c.Input), Shrunk: string(c.Smallest()), Answer: string(c.Answer), ShrunkTo: string(c.SmallestAnswer()),
		Output: string(c.Output), Steps: c.Steps,
	}
	if !utf8.Valid(c.Input) {
		f.Input, f.InputBytes = "", c.Input
	}
	if !utf8.Valid(c.Smallest()) {
		f.Shrunk, f.ShrunkBytes = "", c.Smallest()
	}
	return f
}

// Summary returns the result of a search as values.
func (s *Search) Summary(r *Result) *Summary {
	sum := &Summary{Schema: 1, Problem: s.Problem.ID, Seed: s.Seed, Valid: r.Valid, Invalid: r.Invalid,
		Repeated: r.Repeated, Unchecked: r.Unchecked, Elapsed: r.Elapsed, Slow: r.Slow, Disagrees: r.Disagreements,
		Notes: r.Notes}
	if r.Reference != nil {
		sum.Reference = r.Reference.Name
	}
	one := func(c *Counterexample) *Found {
		if c == nil {
			return nil
		}
		f := foundOf(c)
		return &f
	}
	sum.Disagree, sum.Failure, sum.Best = one(r.Disagreement), one(r.Failure), one(r.Best)
	if r.Best != nil {
		sum.BestCPU, sum.BestBytes = r.BestRun.Outcome.CPU, r.BestRun.Outcome.Memory
	}
	for _, t := range s.Targets {
		f := Found{Name: t.Name}
		for i, c := range r.For(t) {
			if i == 0 {
				f = foundOf(c)
			}
			if s.All {
				f.All = append(f.All, foundOf(c))
			}
		}
		sum.Targets = append(sum.Targets, f)
	}
	return sum
}
