package history

import (
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/sandbox"
)

// A Trial is one of a measurement. There are thousands of them, so what is zero
// is left out.
type Trial struct {
	Measurement int             `json:"measurement,omitempty"`
	Submission  int             `json:"submission,omitempty"`
	Case        int             `json:"case,omitempty"`
	Round       int             `json:"round,omitempty"`
	At          int64           `json:"at_ns,omitempty"`
	Verdict     problem.Verdict `json:"verdict,omitempty"`
	Why         string          `json:"why,omitempty"`
	outcome
	Enforced *report.JSONEnforced `json:"enforced,omitempty"` // nil is as in the trial before
	Error    string               `json:"error,omitempty"`
}

// An outcome is a [report.JSONOutcome] whose zeros are left out.
type outcome struct {
	CPU          int64               `json:"cpu_ns,omitempty"`
	User         int64               `json:"user_ns,omitempty"`
	Sys          int64               `json:"sys_ns,omitempty"`
	Wall         int64               `json:"wall_ns,omitempty"`
	Waited       int64               `json:"waited_ns,omitempty"`
	Memory       int64               `json:"memory_bytes,omitempty"`
	Instructions int64               `json:"instructions,omitempty"`
	Output       int64               `json:"output_bytes,omitempty"`
	Stderr       int64               `json:"stderr_bytes,omitempty"`
	Written      int64               `json:"written_bytes,omitempty"`
	Files        int64               `json:"files_bytes,omitempty"`
	Exit         int                 `json:"exit,omitempty"`
	Signal       string              `json:"signal,omitempty"`
	Exceeded     sandbox.Resource    `json:"exceeded,omitempty"`
	Enforced     report.JSONEnforced `json:"-"` // that of the Trial
}

// trialOf makes a line of a trial; before are the limits of the one before.
func trialOf(measurement int, t report.JSONTrial, before *report.JSONEnforced) *Trial {
	line := &Trial{
		Measurement: measurement, Submission: t.Submission, Case: t.Case, Round: t.Round, At: t.At,
		Verdict: t.Verdict, Why: t.Why, outcome: outcome(t.JSONOutcome), Error: t.Error,
	}
	if before == nil || *before != t.Enforced {
		line.Enforced = &t.Enforced
	}
	return line
}

// trial is the reverse of trialOf.
func (t *Trial) trial(before report.JSONEnforced) report.JSONTrial {
	j := report.JSONTrial{
		Submission: t.Submission, Case: t.Case, Round: t.Round, At: t.At,
		Verdict: t.Verdict, Why: t.Why, JSONOutcome: report.JSONOutcome(t.outcome), Error: t.Error,
	}
	j.Enforced = before
	if t.Enforced != nil {
		j.Enforced = *t.Enforced
	}
	return j
}
