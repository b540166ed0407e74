package export

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// dataFolders maps the names that drafts used to those of 2025-09.
var dataFolders = map[string]string{
	"invalid_inputs": "invalid_input", "invalid_answers": "invalid_answer", "invalid_outputs": "invalid_output",
	"valid_outputs": "valid_output",
}

// settings is the configuration of a case or group in 2025-09.
type settings struct {
	MaxScore    any                 `yaml:"max_score,omitempty"`
	Aggregation problem.Aggregation `yaml:"score_aggregation,omitempty"`
	RequirePass []string            `yaml:"require_pass,omitempty,flow"`
	StaticScore any                 `yaml:"static_validation_score,omitempty"`
	StaticArgs  []string            `yaml:"static_validator_args,omitempty,flow"`

	Args        []string `yaml:"args,omitempty,flow"`
	Output      []string `yaml:"output_validator_args,omitempty,flow"`
	Input       any      `yaml:"input_validator_args,omitempty,flow"`
	Feedback    *bool    `yaml:"full_feedback,omitempty"`
	Hint        string   `yaml:"hint,omitempty"`
	Description string   `yaml:"description,omitempty"`
}

// allCases returns the cases of the package, those of validation folders too.
func allCases(p *problem.Problem) []*problem.Case {
	all := slices.Concat(p.Cases, p.InvalidInput, p.InvalidAnswer, p.InvalidOutput, p.ValidOutput)
	return slices.DeleteFunc(all, func(c *problem.Case) bool { return c.Static != nil })
}

// shared returns the arguments that all cases have in common, and whether they are the
// same for all.
func shared(cases []*problem.Case, of func(*problem.Case) []string) ([]string, bool) {
	for _, c := range cases {
		if !slices.Equal(of(c), of(cases[0])) {
			return nil, false
		}
	}
	if len(cases) == 0 {
		return nil, true
	}
	return of(cases[0]), true
}

// byFolder groups cases by their folders below data/, in order.
func byFolder(cases []*problem.Case,
	folder func(*problem.Case) string) (folders []string, in map[string][]*problem.Case) {
	in = make(map[string][]*problem.Case)
	for _, c := range cases {
		f := folder(c)
		in[f] = append(in[f], c)
	}
	return slices.Sorted(maps.Keys(in)), in
}

// inputArgs returns the arguments of the input validators of a case, as the format has
// them.
func inputArgs(c *problem.Case) any {
	switch {
	case c.InputValidatorArgsBy != nil:
		return c.InputValidatorArgsBy
	case len(c.InputValidatorArgs) > 0:
		return c.InputValidatorArgs
	}
	return nil
}

// caseSettings returns the settings of a case of the new package, whose group has none.
func caseSettings(c *problem.Case) settings {
	s := settings{Args: c.Args, Output: c.OutputValidatorArgs, Input: inputArgs(c), Hint: c.Hint,
		Description: c.Description}
	if top, _ := below(c.Name); c.FullFeedback != (top == "sample") {
		s.Feedback = &c.FullFeedback
	}
	return s
}

// renamed returns the name of a file of data/ with the folder's name of 2025-09.
func renamed(name string) string {
	top, rest := below(name)
	if to, ok := dataFolders[top]; ok {
		return to + "/" + rest
	}
	return name
}

// currentData writes the settings of cases and groups of 2025-09. Arguments of the output
// validator that all cases of a group share are in the file of the group; all other
// settings are in files of the cases, because groups do not inherit.
func (d *draft) currentData() error {
	group := func(c *problem.Case) string {
		if c.Group != nil && (!d.p.Legacy() || d.p.Is(problem.Scoring)) && c.Group.Name != "" {
			return c.Group.Name
		}
		top, _ := below(c.Name)
		return top
	}
	folders, in := byFolder(allCases(d.p), group)
	groups := make(map[string]settings)
	for _, folder := range folders {
		run := folder == "sample" || folder == "secret" || strings.HasPrefix(folder, "secret/")
		args, same := shared(in[folder], func(c *problem.Case) []string { return c.OutputValidatorArgs })
		if run && same {
			groups[folder] = settings{Output: args}
		}
		for _, c := range in[folder] {
			s := caseSettings(c)
			if run && same {
				s.Output = nil
			}
			if err := d.yaml("data/"+renamed(c.Name)+".yaml", s); err != nil {
				return err
			}
		}
	}
	if scores := d.scores(); scores != nil {
		for _, g := range append([]scoredGroup{scores.secret}, scores.groups...) {
			groups[g.Name] = g.settings(groups[g.Name])
		}
	}
	if d.p.Data != nil {
		for _, g := range append([]*problem.Group{d.p.Data.At("secret"), d.p.Data.At("sample")}, d.secretGroups()...) {
			if g != nil && g.Static != nil {
				groups[g.Name] = staticSettings(g.Static.Static, groups[g.Name])
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(groups)) {
		if err := d.yaml("data/"+folder+"/"+problem.Formats[0].GroupFile[0], groups[folder]); err != nil {
			return err
		}
	}
	return nil
}

// secretGroups returns the groups of secret.
func (d *draft) secretGroups() []*problem.Group {
	if secret := d.p.Data.At("secret"); secret != nil {
		return secret.Groups
	}
	return nil
}

// settings adds the settings of a group about scores.
func (g scoredGroup) settings(s settings) settings {
	s.MaxScore, s.Aggregation, s.RequirePass = g.most, g.aggregation, g.require
	if math.IsInf(g.most, 1) {
		s.MaxScore = "unbounded"
	}
	return s
}

// staticSettings adds the settings of a static validation case.
func staticSettings(static *problem.Static, s settings) settings {
	s.StaticScore, s.StaticArgs = static.MaxScore, static.Args
	if static.PassFail {
		s.StaticScore = "pass-fail"
	}
	return s
}

// legacyFlags returns the arguments of the output validator that all cases share, and
// writes testdata.yaml in the folders of cases otherwise.
func (d *draft) legacyFlags() ([]string, error) {
	all := allCases(d.p)
	output := func(c *problem.Case) []string { return c.OutputValidatorArgs }
	args, same := shared(all, output)
	folders, in := byFolder(all, func(c *problem.Case) string { return path.Dir(c.Name) })
	settings := make(map[string]map[string]any)
	if scores := d.scores(); scores != nil {
		settings = d.scoreKeys(scores)
	}
	for _, folder := range folders {
		keys := settings[folder]
		if keys == nil {
			keys = make(map[string]any)
			settings[folder] = keys
		}
		if !same {
			if args, one := shared(in[folder], output); !one {
				d.loseVerdicts("data/"+folder,
					"output_validator_args differ between the cases: the format has one list for each folder")
			} else if len(args) > 0 {
				keys["output_validator_flags"] = d.words("data/"+folder, args)
			}
		}
		if args, one := shared(in[folder], func(c *problem.Case) []string { return c.InputValidatorArgs }); one &&
			len(args) > 0 && in[folder][0].InputValidatorArgsBy == nil {
			keys["input_validator_flags"] = d.words("data/"+folder, args)
		} else if slices.ContainsFunc(in[folder], func(c *problem.Case) bool { return inputArgs(c) != nil }) {
			d.lose("data/"+folder, "input_validator_args: the format has one list for each folder and for all validators")
		}
	}
	for folder, keys := range settings {
		if err := d.yaml(path.Join("data", folder, "testdata.yaml"), keys); err != nil {
			return nil, err
		}
	}
	if !same {
		return nil, nil
	}
	d.words(problem.ProblemFile, args)
	return args, nil
}

// words joins arguments, which the format separates by spaces.
func (d *draft) words(name string, args []string) string {
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "" || strings.ContainsAny(arg, " \t\r\n\"'\\") }) {
		d.loseVerdicts(name, "arguments with spaces or quotes: the format separates arguments by spaces")
	}
	return strings.Join(args, " ")
}

// legacyCases writes the texts of cases and records the settings that legacy lacks.
func (d *draft) legacyCases() {
	for _, c := range allCases(d.p) {
		if len(c.Args) > 0 {
			d.loseVerdicts(c.Path(".yaml"), "args: the format has no arguments of submissions")
		}
		if len(c.Files) > 0 {
			d.loseVerdicts(c.Path(".files"), "the format has no files of cases")
		}
		if c.FullFeedback != c.Sample() {
			d.lose(c.Path(".yaml"), "full_feedback: the format has no such key")
		}
		for ext, text := range map[string]string{".hint": c.Hint, ".desc": c.Description} {
			if text != "" {
				d.files[c.Path(ext)] = archive.File{Data: []byte(text)}
			}
		}
	}
}
