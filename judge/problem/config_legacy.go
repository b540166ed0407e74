package problem

import (
	"io/fs"
	"slices"

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
	for _, pattern := range []string{"data", "data/sample", "data/secret", "data/secret/*"} {
		files, _ := fs.Glob(p.FS, pattern+"/testdata.yaml")
		for _, file := range files {
			data, err := ReadBounded(p.FS, file, MaxYAML)
			if err != nil {
				continue // reported when it is read
			}
			node, _, err := yaml.ParseLast(p.Where(file), data)
			if err != nil {
				continue
			}
			for _, f := range node.Fields() {
				if slices.Contains(legacyGroupOnly, f.Key.Text()) {
					defects.warn(f.Key.Errorf("%s is a key of legacy packages, but version %s has test_group.yaml: all groups and "+
						"scores are read as in a legacy package", f.Key.Text(), p.Version))
					p.Format = p.Format.ofLegacyData()
					return
				}
			}
		}
	}
}

// legacyGroupKeys returns the keys of testdata.yaml (legacy, "Test Data Groups").
// A group inherits the keys that its file omits from its parent.
func (d *dataReader) legacyGroupKeys(g *Group, config *Case) map[string]reader {
	number := func(n *yaml.Node) (float64, error) {
		v, ok := legacyFloat(n.Text())
		if !ok {
			return 0, n.Errorf("%q: expected a number", n.Text())
		}
		return v, nil
	}
	keys := map[string]reader{
		"accept_score": func(n *yaml.Node) error {
			g.Own.Accept = &g.AcceptScore
			return into(&g.AcceptScore, number)(n)
		},
		"reject_score": into(&g.RejectScore, number),
		"range":        into(&g.Range, readRange),
	}
	for key, read := range keys {
		keys[key] = func(n *yaml.Node) error {
			if !d.p.Is(Scoring) {
				d.defects.warn(n.Errorf("%s: only for scoring problems", key))
			}
			return read(n)
		}
	}
	keys["on_reject"] = func(n *yaml.Node) (err error) {
		g.OnReject, err = oneOf("on_reject", "break", "continue")(n)
		g.Own.onReject = g.OnReject
		return err
	}
	keys["grading"] = func(n *yaml.Node) error {
		kind, err := oneOf("grading", "default", "custom")(n)
		if g.Custom = kind == "custom"; g.Custom && d.p.Grader == nil {
			return n.Errorf("grading: custom: expected a program in graders/")
		}
		return err
	}
	keys["grader_flags"] = func(n *yaml.Node) (err error) {
		g.GraderFlags, err = flags(n)
		g.Own.flags, g.flagsAt = g.GraderFlags, n
		return err
	}
	keys["output_validator_flags"] = d.outputArgs(config, func(n *yaml.Node) ([]string, error) {
		_, given := nameAndFlags(n)
		return flags(given)
	})
	keys["input_validator_flags"] = func(n *yaml.Node) (err error) {
		if name, given := nameAndFlags(n); name != "" {
			args, err := flags(given)
			config.InputValidatorArgs, config.InputValidatorArgsBy = nil, map[string][]string{name: args}
			return err
		}
		config.InputValidatorArgs, config.InputValidatorArgsBy, err = byName(n, flags)
		return err
	}
	return keys
}

// nameAndFlags returns the values of a map with the keys name and flags, as the
// specification says. Packages also have a string for all validators, or a map from
// names to flags: it returns these unchanged.
func nameAndFlags(n *yaml.Node) (name string, flags *yaml.Node) {
	if at := n.Get("name"); at != nil && len(n.Fields()) <= 2 {
		return at.Text(), n.Get("flags")
	}
	return "", n
}
