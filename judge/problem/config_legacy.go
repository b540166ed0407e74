package problem

import (
	"io/fs"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
)

// legacyGroupOnly lists the keys of testdata.yaml that are in no draft.
var legacyGroupOnly = []string{
	"on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range",
	"input_validator_flags", "output_validator_flags",
}

// oldGroups switches a draft package to legacy groups if one of its testdata.yaml
// files has keys of legacy packages.
func oldGroups(p *Problem, defects *Defects) {
	if p.Format.Legacy || p.Format.Strict {
		return
	}
	folders := []string{"data", "data/sample", "data/secret"}
	if entries, err := fs.ReadDir(p.FS, "data/secret"); err == nil {
		for _, e := range entries {
			if IsFolder(p.FS, "data/secret", e) && !IgnoredName(e.Name()) {
				folders = append(folders, "data/secret/"+e.Name())
			}
		}
	}
	for _, dir := range folders {
		file := dir + "/testdata.yaml"
		data, err := ReadBounded(p.FS, file, MaxYAML)
		if err != nil {
			continue // absent, or reported when it is read
		}
		node, _, err := yaml.ParseLast(p.Where(file), data)
		if err != nil || node.Kind() != yaml.Map {
			continue
		}
		for _, f := range node.Fields() {
			if slices.Contains(legacyGroupOnly, f.Key.Text()) {
				defects.warn(f.Key.Errorf("%s is a key of legacy packages, but version %s has test_group.yaml: all groups and scores are read as in a legacy package", f.Key.Text(), p.Version))
				p.Format = p.Format.ofLegacyData()
				return
			}
		}
	}
}

// legacyGroupKeys returns the keys of testdata.yaml (legacy, "Test Data Groups").
// A group inherits the keys that its file omits from its parent.
func (d *dataReader) legacyGroupKeys(g *Group, config *caseConfig) map[string]func(*yaml.Node) error {
	scoring := func(key string, read func(*yaml.Node) error) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			if !d.p.Is(Scoring) {
				d.defects.warn(n.Errorf("%s: only for scoring problems", key))
			}
			return read(n)
		}
	}
	number := func(to *float64) func(*yaml.Node) error {
		return func(n *yaml.Node) (err error) {
			v, ok := legacyFloat(n.Text())
			if !ok {
				return n.Errorf("%q: expected a number", n.Text())
			}
			*to = v
			return nil
		}
	}
	word := func(key string, words ...string) func(*yaml.Node, *string) error {
		return func(n *yaml.Node, to *string) error {
			text, err := n.AsString()
			if err == nil && !slices.Contains(words, text) {
				return n.Errorf("%s %q: expected %s", key, text, strings.Join(words, " or "))
			}
			*to = text
			return err
		}
	}
	return map[string]func(*yaml.Node) error{
		"on_reject": func(n *yaml.Node) error {
			err := word("on_reject", "break", "continue")(n, &g.OnReject)
			g.Own.onReject = g.OnReject
			return err
		},
		"grading": func(n *yaml.Node) error {
			var how string
			err := word("grading", "default", "custom")(n, &how)
			if g.Custom = how == "custom"; g.Custom && d.p.Grader == nil {
				return n.Errorf("grading: custom: expected a program in graders/")
			}
			return err
		},
		"grader_flags": func(n *yaml.Node) (err error) {
			g.GraderFlags, err = flags(n)
			g.Own.flags, g.flagsAt = g.GraderFlags, n
			return err
		},
		"accept_score": scoring("accept_score", func(n *yaml.Node) error {
			g.Own.Accept = &g.AcceptScore
			return number(&g.AcceptScore)(n)
		}),
		"reject_score": scoring("reject_score", number(&g.RejectScore)),
		"output_validator_flags": func(n *yaml.Node) (err error) {
			if config.outputArgs, err = namedFlags(n, nil); err == nil {
				err = d.checkDefault(n, config.outputArgs)
			}
			return err
		},
		"input_validator_flags": func(n *yaml.Node) (err error) {
			config.inputArgsBy = nil
			config.inputArgs, err = namedFlags(n, &config.inputArgsBy)
			return err
		},
		"range": scoring("range", func(n *yaml.Node) error {
			limits, err := readRange(n)
			if err == nil {
				g.Range = *limits
			}
			return err
		}),
	}
}

// namedFlags reads flags of legacy packages: a string for all validators, a map
// with the keys name and flags, as the specification says, or a map from names to
// flags, as packages are written.
func namedFlags(n *yaml.Node, by *map[string][]string) ([]string, error) {
	if n.Kind() != yaml.Map {
		return flags(n)
	}
	if name, given := n.Get("name"), n.Get("flags"); name != nil && len(n.Fields()) <= 2 {
		var args []string
		var err error
		if given != nil {
			args, err = flags(given)
		}
		if by == nil {
			return args, err
		}
		*by = map[string][]string{name.Text(): args}
		return nil, err
	}
	if by == nil {
		return nil, n.Errorf("expected flags, or a map of name and flags")
	}
	*by = make(map[string][]string)
	for _, f := range n.Fields() {
		args, err := flags(f.Value)
		if err != nil {
			return nil, err
		}
		(*by)[f.Key.Text()] = args
	}
	return nil, nil
}
