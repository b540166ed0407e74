package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/prepare/verify"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/inputs"
)

// adequateDocument returns a document with every table of judge adequacy: a submission
// that survives, mutants of several fates, an improvement, and findings of validators.
// Texts that programs wrote are hostile.
func adequateDocument() *record.Document {
	const ac, wa, tle = problem.Accepted, problem.WrongAnswer, problem.TimeLimit
	score := func(killed, of int, lo, hi float64) adequacy.Score {
		return adequacy.Score{Killed: killed, Of: of, Share: stat.Chance{P: float64(killed) / float64(of), Interval: stat.Interval{Lo: lo, Hi: hi, Confidence: 0.95}, N: of}}
	}
	mutant := func(operator string, line int, fate adequacy.Fate, verdicts ...problem.Verdict) adequacy.Mutant {
		return adequacy.Mutant{Of: "accepted/a.go", Language: "go", Operator: operator, File: "a.go", Line: line, Column: 3, Fate: fate, Verdicts: verdicts, Weight: 2,
			Diff: "--- a.go\n+++ a.go\n-\tfor i := 0; i < n; i++ {\n+\tfor i := 0; i < n-1; i++ {\n"}
	}
	survivor := mutant("loop end", 7, adequacy.Survived, ac, ac, ac)
	survivor.Nearest = []string{"secret/2"}
	equivalent := mutant("loop end", 9, adequacy.Survived, ac, ac, ac)
	equivalent.Equivalent = true
	before := adequacy.Scores{Headline: score(2, 5, 0.1, 0.8), Without: score(2, 4, 0.15, 0.85), Subsuming: score(1, 4, 0.05, 0.7), Equivalent: 1}
	after := adequacy.Scores{Headline: score(3, 5, 0.2, 0.9), Without: score(3, 4, 0.3, 0.95), Subsuming: score(2, 4, 0.1, 0.8), Equivalent: 1, CompileErrors: 1}
	smallest := adequacy.Sufficient{Cases: []string{"secret/1"}, AtLeast: 1, Proved: true, CPU: 2 * time.Millisecond, CPUAll: 7 * time.Millisecond}
	open := adequacy.Sufficient{Cases: []string{"secret/1", "secret/2"}, AtLeast: 1, CPU: 5 * time.Millisecond, CPUAll: 7 * time.Millisecond}
	r := &adequacy.Result{
		Seed: 42,
		Cases: []adequacy.CaseWorth{
			{Name: "sample/1", CPU: 2 * time.Millisecond, Within: "secret/1"},
			{Name: "secret/1", CPU: 2 * time.Millisecond, Rejects: 2, Alone: []string{"wrong_answer/b.py"}, Kills: 2, Kept: true, KeptAll: true},
			{Name: "secret/2", CPU: 3 * time.Millisecond, Rejects: 1, Kills: 1, KillsOnly: 1, KeptAll: true, Added: true},
		},
		Submissions: []adequacy.Tried{
			{Name: "wrong_answer/b.py", Language: "python3", Compiled: true, RejectedBy: 1, Verdicts: []problem.Verdict{ac, wa, ac}},
			{Name: "time_limit_exceeded/c.cpp", Language: "cpp", Compiled: true, RejectedBy: 2, Verdicts: []problem.Verdict{ac, wa, tle}},
			{Name: "wrong_answer/lucky.c", Language: "c", Unexpected: true, Compiled: true, Verdicts: []problem.Verdict{ac, ac, ac}},
			{Name: "wrong_answer/broken.c", Language: "c"},
		},
		Smallest: smallest,
		Order:    adequacy.Soonest{Cases: []string{"secret/1", "secret/2", "sample/1"}, Rejected: 2, Mean: 2 * time.Millisecond, MeanNow: 4 * time.Millisecond},
		Mutation: &adequacy.Mutation{Sources: []string{"accepted/a.go"}, Possible: 12, Scores: after, Subsuming: 2, Duplicates: 1, Smallest: open,
			Mutants: []adequacy.Mutant{survivor, equivalent, mutant("loop end", 8, adequacy.Killed, ac, wa, ac), mutant("comparison", 4, adequacy.CompileFailed), mutant("comparison", 5, adequacy.OnlyWeak, ac, tle, ac)}},
		Improved: &adequacy.Improved{Before: before, After: after, Took: 3 * time.Second, Inputs: 1234, Added: []adequacy.Added{{Case: "secret/2", Kills: []string{"a.go:8 loop end"}, Bytes: 17}}},
		Probe: &verify.Findings{
			Bounds: []inputs.Bound{{Name: "n", Place: "line 1",
				Low:  inputs.Side{Seen: "1", Case: "sample/1", Declared: "1", Accepted: "0", Outside: "0"},
				High: inputs.Side{Seen: "20", Case: "secret/2", Declared: "50", Accepted: "50", Rejected: "51", Unreached: true}}},
			Unmatched: []string{"1 ≤ k ≤ 9"},
			Findings: []verify.Finding{
				{What: verify.WrongAccept, Certain: true, Program: "output_validator", Case: "secret/1", Kind: verify.Empty, Reason: "accepts no output", Times: 3},
				{What: verify.WrongAccept, Program: "output_validator", Case: "secret/1", Kind: verify.Number, Reason: "accepts <script>alert(1)</script> | *", Times: 1, Output: "4\\n\x1b[31m"},
				{What: verify.Unreached, Case: "secret/2", Reason: "n (line 1): the statement's maximum is 50, and the largest value of all cases is 20", Times: 1},
			},
			Fed: 60, Accepted: 4, Unique: "2 accepted submissions print the same on all of 3 cases", NotProbed: []string{"output validators: no compiler"},
		},
		Notes: []string{"wrong_answer/broken.c does not compile"},
		Cut:   "the budget is spent",
	}
	d := document()
	d.Problems = d.Problems[1:2]
	d.Problems[0].Reports, d.Problems[0].Sections = d.Problems[0].Reports[:1], record.Sections{"adequacy": r}
	return d
}

func TestAdequacyInEveryFormat(t *testing.T) {
	for _, f := range formats {
		if f.Ext != ".txt" && f.Ext != ".md" && f.Ext != ".json" {
			continue // they have no tables
		}
		var b bytes.Buffer
		if err := f.Write(&b, adequateDocument()); err != nil {
			t.Fatal(err)
		}
		golden(t, "adequacy"+f.Ext, b.Bytes())
		if f.Ext != ".json" && strings.ContainsRune(b.String(), '\x1b') {
			t.Errorf("%s contains an escape that a program wrote", f.Name)
		}
	}
}
