package export

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// topFolders maps first folders of packages to those of each family of versions: 2025-09,
// then legacy. "" means that the folder is not copied as it is.
var topFolders = map[string][2]string{
	"statement":               {"statement", "problem_statement"},
	"problem_statement":       {"statement", "problem_statement"},
	"input_validators":        {"input_validators", "input_validators"},
	"input_format_validators": {"input_validators", "input_validators"},
	"input_validator":         {"input_validators", "input_validators"},
	"output_validator":        {"", ""},
	"output_validators":       {"", ""},
	"static_validator":        {"static_validator", ""},
	"graders":                 {"", ""},
}

// ownFiles are files at the top that are written anew or belong to DOMjudge.
var ownFiles = []string{problem.ProblemFile, ".timelimit", "domjudge-problem.ini", "submissions/submissions.yaml",
	"submissions.json"}

// current writes a package of 2025-09.
func (d *draft) current() error {
	if d.p.Spec().Version == problem.Formats[0].Version {
		d.copyAll()
		return d.packageTestlib()
	}
	if d.p.Legacy() && !d.p.Is(problem.Scoring) && d.p.Data != nil && d.p.Data.Graded() {
		d.loseVerdicts("data", "on_reject and grader_flags: the verdict is that of the first case that is not accepted")
	}
	return foreign.InOrder(
		func() error { return d.folders(0) },
		func() error { return d.outputValidators("output_validator", true) },
		d.packageTestlib, d.currentData, d.currentRules,
		func() error { return d.yaml(problem.ProblemFile, d.currentMetadata()) },
	)
}

// legacy writes a package of legacy, whose time limit is in .timelimit.
func (d *draft) legacy() error {
	if err := d.toLegacy(); err != nil {
		return err
	}
	if _, has := d.files[problem.ProblemFile]; !has { // only domjudge-problem.ini
		args, _ := shared(allCases(d.p), func(c *problem.Case) []string { return c.OutputValidatorArgs })
		if err := d.yaml(problem.ProblemFile, d.legacyMetadata(args)); err != nil {
			return err
		}
	}
	_, has := d.files[".timelimit"]
	_, ini := d.files["domjudge-problem.ini"]
	if limit := d.p.Limits.Time; limit > 0 && !has && !ini && !d.p.Legacy() {
		d.files[".timelimit"] = archive.File{Data: fmt.Appendf(nil, "%v\n", limit.Seconds())}
	}
	return nil
}

// toLegacy writes the files of legacy that Kattis and DOMjudge share.
func (d *draft) toLegacy() error {
	if f := d.p.Spec(); f.Legacy && strings.HasPrefix(f.Version, "legacy") {
		d.copyAll()
		return d.packageTestlib()
	}
	if d.p.Is(problem.SubmitAnswer) {
		return problem.Defectf(d.p.Where(problem.ProblemFile), "type submit-answer: the legacy format has no such problems")
	}
	if d.p.StaticValidator != nil {
		d.loseVerdicts(d.p.StaticValidator.Path, "the format has no static validator")
	}
	return foreign.InOrder(
		func() error { return d.folders(1) },
		func() error { return d.outputValidators("output_validators", false) },
		d.packageTestlib,
		func() error {
			flags, err := d.legacyFlags()
			if err != nil {
				return err
			}
			d.legacyCases()
			d.legacyRules()
			return d.yaml(problem.ProblemFile, d.legacyMetadata(flags))
		},
	)
}

// folders copies the folders that need no more than another name. family is an index of
// the values of topFolders.
func (d *draft) folders(family int) error {
	for _, f := range d.list {
		to, text := f.Name, false
		switch top, rest := below(f.Name); {
		case slices.Contains(ownFiles, f.Name):
			continue
		case top == "data":
			if to = d.dataName(rest, family); to == "" {
				continue
			}
		default:
			text = top == "submissions"
			if folders, ok := topFolders[top]; ok && rest != "" {
				if folders[family] == "" {
					continue
				}
				to, text = path.Join(folders[family], rest), true
			}
		}
		if family == 0 {
			to = withLanguage(to)
		}
		if err := d.put(f, to, text && family == 1); err != nil {
			return err
		}
	}
	return nil
}

// withLanguage adds the language to the name of a statement, which 2025-09 requires.
func withLanguage(name string) string {
	if ext, ok := strings.CutPrefix(name, "statement/problem."); ok && !strings.Contains(ext, ".") {
		return "statement/problem.en." + ext
	}
	return name
}

// settingsExts and shownExts are the extensions of the files of a case with its settings, and
// with what contestants see in place of the case.
var (
	settingsExts = []string{".yaml", ".args", ".hint", ".desc"}
	shownExts    = []string{".in.statement", ".ans.statement", ".in.download", ".ans.download"}
)

// dataName returns the new name of a file of data/, or "" if it is not copied: settings
// are written anew.
func (d *draft) dataName(rest string, family int) string {
	base := path.Base(rest)
	if base == "test_group.yaml" || base == "testdata.yaml" {
		return ""
	}
	ofCase := strings.Contains(rest, ".files/")
	switch {
	case !ofCase && slices.Contains(settingsExts, path.Ext(base)):
		return ""
	case family == 0:
		return "data/" + renamed(rest)
	case slices.ContainsFunc(shownExts, func(ext string) bool { return strings.HasSuffix(base, ext) }):
		d.lose("data/"+rest, "the format has no such file")
		return ""
	case ofCase:
		return ""
	}
	return "data/" + rest
}

// A rule is an entry of submissions.yaml.
type rule struct {
	Permitted []problem.Verdict `yaml:"permitted,omitempty,flow"`
	Required  []problem.Verdict `yaml:"required,omitempty,flow"`
	Timing    any               `yaml:"use_for_time_limit,omitempty"`
	Entry     string            `yaml:"entrypoint,omitempty"`
}

// legacyFolders are the expectations of folders in legacy packages that differ from those
// of 2025-09.
var legacyFolders = map[string]rule{
	"wrong_answer":        {Timing: false},
	"time_limit_exceeded": {Permitted: []problem.Verdict{problem.Accepted, problem.TimeLimit, problem.WrongAnswer}},
	"run_time_error": {Permitted: []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit,
		problem.RuntimeError}},
}

// currentRules writes submissions.yaml for a package of an older version.
func (d *draft) currentRules() error {
	rules := make(map[string]any)
	for _, s := range d.p.Submissions {
		folder, _ := below(s.Name)
		if r, ok := legacyFolders[folder]; ok && d.p.Legacy() {
			rules[folder] = r
		}
		for _, e := range s.Expected {
			if e.Partial {
				d.lose(s.Path, "the expectation of partially_accepted: the format has no such folder")
			}
		}
	}
	if given, err := problem.ReadBounded(d.p.FS, "submissions/submissions.yaml", problem.MaxYAML); err == nil {
		if len(rules) == 0 {
			d.files["submissions/submissions.yaml"] = archive.File{Data: given}
			return nil
		}
		d.lose("submissions/submissions.yaml", "the rules of submissions")
	}
	for _, s := range d.p.Submissions {
		if s.Entry != "" {
			rules[s.Name] = rule{Entry: s.Entry}
		}
	}
	return d.yaml("submissions/submissions.yaml", rules)
}

// legacyRules records the expectations that differ in legacy.
func (d *draft) legacyRules() {
	legacy := []string{"accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"}
	rules := problem.Absent(d.p.FS, "submissions/submissions.yaml")
	if !rules {
		d.lose("submissions/submissions.yaml", "the rules of submissions: the format has expectations of folders only")
	}
	seen := make(map[string]bool)
	for _, s := range d.p.Submissions {
		folder, _ := below(s.Name)
		if s.Entry != "" && !rules {
			d.lose(s.Path, "entrypoint %s: the format has no such key", s.Entry)
		}
		if !seen[folder] && !slices.Contains(legacy, folder) {
			d.lose("submissions/"+folder, "the expectation of the folder: the format has no such folder")
		}
		seen[folder] = true
	}
}

// domjudge writes a package of legacy with the files that DOMjudge adds to it (DOMjudge
// manual, "Problem format specification"; webapp/src/Service/ImportProblemService.php).
func (d *draft) domjudge() error {
	if err := d.toLegacy(); err != nil {
		return err
	}
	p := d.p
	if p.Limits.Time == 0 {
		d.loseVerdicts(problem.ProblemFile, "has no time limit, so DOMjudge sets 10 s: judge limits --write sets another")
	}
	if p.Is(problem.Interactive) && p.Is(problem.MultiPass) {
		d.loseVerdicts(problem.ProblemFile, "validation: DOMjudge has no problems that are interactive and multi-pass")
	}
	if _, has := d.files["domjudge-problem.ini"]; !has {
		delete(d.files, ".timelimit")
		ini := ""
		if p.Limits.Time > 0 {
			ini = fmt.Sprintf("timelimit='%v'\n", p.Limits.Time.Seconds())
		}
		if d.in.Label != "" {
			ini = "short-name='" + d.in.Label + "'\n" + ini
		}
		if d.in.Color != "" {
			ini += "color='" + d.in.Color + "'\n"
		}
		if ini != "" {
			d.files["domjudge-problem.ini"] = archive.File{Data: []byte(ini)}
		}
	}
	return d.contestStatement()
}
