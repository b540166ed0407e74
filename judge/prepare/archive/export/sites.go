package export

import (
	"slices"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// usualOutput is the limit of outputs in bytes that sites have at least.
const usualOutput = 8 << 20

// siteLosses states what neither Polygon nor DMOJ has; Polygon has tutorials.
func (d *draft) siteLosses(tutorials bool) {
	d.loseKeys("uuid", "version", "author", "credits", "license", "rights_owner", "embargo_until")
	if d.p.Languages != nil {
		d.loseVerdicts(problem.ProblemFile, "languages: the format has no such key, so other languages are allowed")
	}
	if d.p.Limits.Time == 0 {
		d.loseVerdicts(problem.ProblemFile, "has no time limit: judge limits --write sets one")
	}
	limits, _ := d.raw["limits"].(map[string]any)
	for _, key := range []string{"output", "code", "compilation_time", "compilation_memory", "validation_time",
		"validation_memory", "validation_output", "time_multipliers"} {
		switch {
		case limits[key] == nil:
		case key == "code", key == "output" && d.p.Limits.Output < usualOutput:
			d.loseVerdicts(problem.ProblemFile, "limits: %s: the format has no such limit", key)
		default:
			d.lose(problem.ProblemFile, "limits: %s: the format has no such limit", key)
		}
	}
	if d.p.StaticValidator != nil {
		d.loseVerdicts(d.p.StaticValidator.Path, "the format has no static validator")
	}
	if !d.p.Is(problem.Scoring) && d.p.Legacy() && d.p.Data != nil && d.p.Data.Graded() {
		d.loseVerdicts("data", "on_reject and grader_flags: the verdict is that of the first case that is not accepted")
	}
	texts := 0
	for _, c := range allCases(d.p) {
		if len(c.Args) > 0 {
			d.loseVerdicts(c.Path(".yaml"), "args: the format has no arguments of submissions")
		}
		if len(c.Files) > 0 {
			d.loseVerdicts(c.Path(".files"), "the format has no files of cases")
		}
		if c.Hint != "" || c.Description != "" {
			texts++
		}
		if c.FullFeedback != c.Sample() {
			d.lose("data", "full_feedback: the format has no such key")
		}
	}
	if texts > 0 {
		d.lose("data", "hint or description of %s: the format has no texts of tests", terminal.Count(texts, "case"))
	}
	if n := len(d.p.InvalidAnswer); n > 0 {
		d.lose("data/invalid_answer", "%s: the format has no tests of answers", terminal.Count(n, "case"))
	}
	seen := make(map[string]bool)
	for _, f := range d.list {
		top, _ := below(f.Name)
		switch {
		case seen[top]:
		case top == "include":
			d.loseVerdicts(top, "included files: the format has none")
		case slices.Contains([]string{"answer_validators", "input_visualizer", "output_visualizer", "attachments",
			"solution"}, top) && !(top == "solution" && tutorials):
			d.lose(top, "the format has no such folder")
		}
		seen[top] = true
	}
}
