package problem

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"crucible/judge/check"
	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// rootConfig creates the group for data/ itself and returns the settings of cases that
// the folders below inherit.
func (d *dataReader) rootConfig(entries []fs.DirEntry) Case {
	g := &Group{Aggregation: Sum, MaxScore: math.Inf(1), where: d.p.Where("data")}
	d.p.Data = g
	if d.p.Format.Legacy {
		of := d.p.grading
		g.OnReject, g.AcceptScore, g.RejectScore, g.Range = of.OnReject, of.AcceptScore, of.RejectScore, of.Range
		if d.p.Format.submissionsFile {
			g.GraderFlags = []string{"ignore_sample"} // samples give no points in drafts
		}
	}
	_, config := d.configured("data", g, Case{}, entries, 0)
	return config
}

// configured reads the group file of a folder, if the folder has one and the
// format allows it there, and returns the group and the settings of the folder's cases.
func (d *dataReader) configured(dir string, g *Group, config Case, entries []fs.DirEntry, depth int) (*Group, Case) {
	if depth == 1 {
		config.FullFeedback = g.Name == "sample"
	}
	found := slices.DeleteFunc(slices.Clone(d.p.Format.GroupFile), func(name string) bool {
		return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	})
	if len(found) == 0 {
		return g, config
	}
	if len(found) > 1 {
		d.defects.warnf(d.p.Where(dir+"/"+found[1]), "is not read, because %s also exists", d.p.Format.GroupFile[0])
	}
	file := dir + "/" + found[0]
	switch secret := strings.HasPrefix(dir, "data/secret/"); {
	case d.p.Format.Legacy:
	case depth == 0 && !d.p.Format.groupsInherit:
		// Only BAPCtools reads this file, so inheritance follows its rules.
		d.inherits = true
		d.defects.warnf(d.p.Where(file), "is read as BAPCtools reads it: all cases inherit from it; version %s expects it "+
			"in sample, in secret, or in a folder of secret", d.p.Version)
	case secret && (depth == 2 || d.p.Format.groupsInherit):
		name := strings.TrimPrefix(dir, "data/")
		g = d.newGroup(name, g)
		if !d.p.Format.groupsInherit && !d.inherits {
			config = Case{} // a group inherits nothing
		}
	case secret:
		d.defects.Addf(d.p.Where(file), "found a group inside a group: expected groups directly in secret only")
		return g, config
	case depth > 1 && strings.HasPrefix(dir, "data/sample/"):
		d.defects.Addf(d.p.Where(file), "found a group in sample: expected groups in secret only")
		return g, config
	}
	g.where, g.Own.file = d.p.Where(file), true
	data, err := ReadBounded(d.p.FS, file, MaxYAML)
	if err != nil {
		d.defects.Add(err)
		return g, config
	}
	if d.p.Format.constants {
		var ok bool
		if data, ok = constants(d.p.Constants).in(data, MaxYAML); !ok {
			d.defects.Addf(d.p.Where(file), "larger than %s after the problem's constants are inserted", terminal.Bytes(MaxYAML))
			return g, config
		}
	}
	if node, ok := parseYAML(d.p.Where(file), data, d.defects); ok && node.Kind() != yaml.Null {
		d.defects.dropUnset(node)
		d.defects.fields(node, path.Base(file), d.groupKeys(node, g, &config))
	}
	return g, config
}

// arguments reads a list of arguments, which the format requires to be text. A
// number is accepted as it is written, because most tools read YAML 1.1, in which
// 1e-6 is text.
func (d *dataReader) arguments(n *yaml.Node) ([]string, error) {
	switch {
	case n.Kind() == yaml.String && !d.p.Format.Strict:
		return quoted(n.Text()), nil
	case n.Kind() != yaml.Sequence:
		return n.AsStrings()
	}
	var args []string
	for _, item := range n.Items() {
		arg := item.Text()
		if item.Kind() != yaml.Int && item.Kind() != yaml.Float {
			if _, err := item.AsString(); err != nil {
				return nil, err
			}
		} else if !yaml11Text().MatchString(arg) {
			d.defects.warn(item.Errorf("argument: expected text, found the number %s: write %q", arg, arg))
		}
		args = append(args, arg)
	}
	return args, nil
}

// yaml11Text matches numbers that are text in YAML 1.1.
var yaml11Text = lazy.Regexp(`^[+-]?[0-9]+[eE][+-]?[0-9]+$|[eE][0-9]+$`)

// validatorArgs returns the arguments of the output validator for a case with
// these arguments.
func (d *dataReader) validatorArgs(args []string) []string {
	all := slices.Concat(d.p.validatorFlags, args)
	if d.p.Format.Legacy && d.p.OutputValidators == nil {
		all = check.LegacyArgs(all)
	}
	return all
}

// outputArgs returns a reader of arguments of the output validator. It checks them if
// that is the default validator.
func (d *dataReader) outputArgs(c *Case, read func(*yaml.Node) ([]string, error)) reader {
	return func(n *yaml.Node) (err error) {
		if c.OutputValidatorArgs, err = read(n); err != nil || d.p.OutputValidators != nil {
			return err
		}
		if _, err := check.ParseRules(d.validatorArgs(c.OutputValidatorArgs)); err != nil {
			if d.p.AnswerValidators != nil {
				return d.defects.depart(n.Errorf("%v", err)) // answer validators get the same arguments
			}
			return n.Errorf("%v", err)
		}
		return nil
	}
}

// configKeys are the keys that test_group.yaml and a case's own .yaml share
// (2025-09, "Test case configuration").
func (d *dataReader) configKeys(c *Case) map[string]reader {
	return map[string]reader{
		"args":                   into(&c.Args, d.arguments),
		"description":            into(&c.Description, (*yaml.Node).AsString),
		"output_validator_args":  d.outputArgs(c, d.arguments),
		"input_visualizer_args":  into(&c.InputVisualizerArgs, d.arguments),
		"output_visualizer_args": into(&c.OutputVisualizerArgs, d.arguments),
		"full_feedback":          into(&c.FullFeedback, (*yaml.Node).AsBool),
		"input_validator_args": func(n *yaml.Node) (err error) {
			c.InputValidatorArgs, c.InputValidatorArgsBy, err = byName(n, d.arguments)
			return err
		},
	}
}

// caseConfig reads a case's own .yaml. A null document is an empty map.
func (d *dataReader) caseConfig(n *yaml.Node, c *Case) {
	if n.Kind() == yaml.Null {
		return
	}
	d.defects.dropUnset(n)
	keys := d.configKeys(c)
	keys["hint"] = into(&c.Hint, (*yaml.Node).AsString)
	d.defects.fields(n, "the case's configuration", keys)
}
