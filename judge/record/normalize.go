package record

import (
	"slices"

	"crucible/judge"
	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// figure matches a measured time or size in the reason of a verdict; the limit follows it.
var figure = lazy.Regexp(`[0-9.]+ (s|ms|B|KB|MB|GB|KiB|MiB|GiB)\b`)

// folder matches the working folder of a program in what it printed.
var folder = lazy.Regexp(`[^ ']*/crucible-[0-9]+/run-[0-9]+`)

// Normalize returns a document without what differs from one machine to another, and from
// one call to the next, although the programs behave the same: measured figures (times,
// memory, instructions, sizes of outputs), the machine and the worker, temporary folders,
// other attempts, ages, what compiled the programs, whether that was stored, and the
// standard error of runs that are not accepted, which may end at any moment. It keeps
// verdicts, scores, the order of cases, messages and expectations. Only the figures in the
// reason of a verdict that a limit decides become "…".
//
// Two documents of the same submissions are equal after Normalize, byte for byte when
// written, wherever their runs were made. Measurements are no part of it: the document
// must be one of judging. It does not change d.
func Normalize(d *Document) *Document {
	n := &Document{Problems: slices.Clone(d.Problems)}
	for i := range n.Problems {
		p := &n.Problems[i]
		p.Validators, p.Sections = nil, nil
		p.Reports = slices.Clone(p.Reports)
		for k, r := range p.Reports {
			c := *r
			c.Compile.Cached, c.Compile.Command = false, nil
			c.Runs = slices.Clone(c.Runs)
			for m := range c.Runs {
				normalizeRun(&c.Runs[m])
			}
			p.Reports[k] = &c
		}
	}
	return n
}

// normalizeRun removes from a run what Normalize removes.
func normalizeRun(r *judge.Run) {
	o := r.Outcome
	limits := o.Limits
	limits.CPU, limits.Wall = 0, 0 // they leave room for the distortion on the machine
	r.Outcome = sandbox.Outcome{Exit: o.Exit, Signal: o.Signal, Exceeded: o.Exceeded, Limits: limits}
	r.Why = folder().ReplaceAllString(r.Why, "…")
	switch r.Verdict {
	case problem.TimeLimit, problem.MemoryLimit, problem.OutputLimit:
		r.Why = figure().ReplaceAllString(r.Why, "…")
		r.Outcome.Exceeded = "" // a limit may be noticed while the program runs, or when it has ended
	}
	if r.Verdict != problem.Accepted {
		r.Stderr = "" // a runtime's message of a crash has addresses, and may be cut
	}
	if r.Verdict != problem.RuntimeError {
		// A program that interacts is killed if it has not ended when the validator decides.
		r.Outcome.Exit, r.Outcome.Signal = 0, 0
	}
	r.Times, r.Others, r.Retried, r.Doubt, r.MadeAgain, r.Uncounted = nil, nil, "", "", "", ""
	r.StoredAt, r.StoredAge, r.Worker, r.Class = nil, 0, "", ""
	r.Dialogue.Lines = slices.Clone(r.Dialogue.Lines)
	for i := range r.Dialogue.Lines {
		r.Dialogue.Lines[i].At = 0
	}
}
