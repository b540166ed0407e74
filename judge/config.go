package judge

import (
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/check"
	"crucible/judge/yaml"
)

// caseConfig is what test_group.yaml (in legacy packages testdata.yaml) and a
// case's .yaml say of a case.
type caseConfig struct {
	args, inputArgs, outputArgs []string
	inputArgsBy                 map[string][]string
	fullFeedback                bool
	hint, description           string
	argsFile                    string // of drafts: the text of .args
}

// text says where the text of a file that older versions have goes.
func (c *caseConfig) text(ext string) *string {
	switch ext {
	case ".args":
		return &c.argsFile
	case ".hint":
		return &c.hint
	case ".desc":
		return &c.description
	}
	return nil
}

// rootConfig makes the group that data/ itself is.
func (d *dataReader) rootConfig(entries []fs.DirEntry) caseConfig {
	g := &Group{Aggregation: Sum, MaxScore: math.Inf(1), where: d.p.Where("data")}
	d.p.Data = g
	if d.p.format.legacy {
		g.OnReject, g.AcceptScore, g.Range = "break", 1, [2]float64{math.Inf(-1), math.Inf(1)}
		old := d.p.grading
		if old.accept != nil {
			g.AcceptScore = *old.accept
		}
		if old.reject != nil {
			g.RejectScore = *old.reject
		}
		if old.limits != nil {
			g.Range = *old.limits
		}
		if old.onReject != "" {
			g.OnReject = old.onReject
		}
		if d.p.format.submissionsFile {
			g.GraderFlags = []string{"ignore_sample"} // samples give no points in drafts
		}
	}
	_, config := d.configured("data", g, caseConfig{}, entries, 0)
	return config
}

// configured reads the group file of a folder, if there is one and it has a
// meaning there, and returns the group that the folder's cases are in.
func (d *dataReader) configured(dir string, g *Group, config caseConfig, entries []fs.DirEntry, depth int) (*Group, caseConfig) {
	if depth == 1 {
		config.fullFeedback = g.Name == "sample"
	}
	var found []string
	for _, name := range d.p.format.groupFile {
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
			found = append(found, dir+"/"+name)
		}
	}
	if found == nil {
		return g, config
	}
	if len(found) > 1 {
		d.defects.warn(&Defect{File: d.p.Where(found[1]), Msg: "is not read: " + d.p.format.groupFile[0] + " is there, too"})
	}
	file := found[0]
	switch secret := strings.HasPrefix(dir, "data/secret/"); {
	case d.p.format.legacy:
	case depth == 0 && !d.p.format.groupsInherit:
		d.defects.warn(&Defect{File: d.p.Where(file), Msg: "is not read: want it in sample, in secret, or in a folder of secret"})
		return g, config
	case secret && (depth == 2 || d.p.format.groupsInherit):
		name := strings.TrimPrefix(dir, "data/")
		g = d.newGroup(name, g)
		if !d.p.format.groupsInherit {
			config = caseConfig{} // a group inherits nothing
		}
	case secret:
		d.defects.addf(d.p.Where(file), "a group lies directly in secret, want no further groups below")
		return g, config
	case depth > 1 && strings.HasPrefix(dir, "data/sample/"):
		d.defects.addf(d.p.Where(file), "sample holds no groups")
		return g, config
	}
	g.where = d.p.Where(file)
	data, err := readBounded(d.p.fsys, file, maxYAML)
	if err != nil {
		d.defects.add(err)
		return g, config
	}
	if d.p.format.constants {
		var ok bool
		if data, ok = constants(d.p.Constants).in(data, maxYAML); !ok {
			d.defects.addf(d.p.Where(file), "larger than %s with the problem's constants in it", Bytes(maxYAML))
			return g, config
		}
	}
	node, err := yaml.Parse(d.p.Where(file), data)
	if err != nil {
		d.defects.add(err)
		return g, config
	}
	if node.Kind() != yaml.Null {
		d.defects.fields(node, path.Base(file), d.groupKeys(node, g, &config))
	}
	return g, config
}

// legacyGroupOnly are the keys of a testdata.yaml that no draft ever had.
var legacyGroupOnly = []string{
	"on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range",
	"input_validator_flags", "output_validator_flags",
}

// oldGroups goes over to legacy's groups where a draft's data is written with
// them. One file of them decides for all.
func oldGroups(p *Problem, defects *defects) {
	if p.format.legacy || p.format.strict {
		return
	}
	folders := []string{"data", "data/sample", "data/secret"}
	if entries, err := fs.ReadDir(p.fsys, "data/secret"); err == nil {
		for _, e := range entries {
			if isFolder(p.fsys, "data/secret", e) && !ignoredName(e.Name()) {
				folders = append(folders, "data/secret/"+e.Name())
			}
		}
	}
	for _, dir := range folders {
		file := dir + "/testdata.yaml"
		data, err := readBounded(p.fsys, file, maxYAML)
		if err != nil {
			continue // there is none, or it is told when it is read
		}
		node, err := yaml.Parse(p.Where(file), data)
		if err != nil || node.Kind() != yaml.Map {
			continue
		}
		for _, f := range node.Fields() {
			if slices.Contains(legacyGroupOnly, f.Key.Text()) {
				defects.warn(f.Key.Errorf("%s is a key of legacy packages, and version %s has test_group.yaml: all groups and scores are taken as those of a legacy package", f.Key.Text(), p.Version))
				p.format = p.format.ofLegacyData()
				return
			}
		}
	}
}

// groupKeys are the keys of a group file.
func (d *dataReader) groupKeys(n *yaml.Node, g *Group, config *caseConfig) map[string]func(*yaml.Node) error {
	if d.p.format.legacy {
		return d.legacyGroupKeys(g, config)
	}
	keys := d.configKeys(config)
	keys["description"] = textTo(&config.description)
	maps := d.scoreKeys(g)
	maps["static_validator_args"] = func(args *yaml.Node) error {
		if n.Get("static_validation_score") == nil {
			return args.Errorf("static_validator_args: want static_validation_score, too")
		}
		_, err := args.AsStrings()
		return err
	}
	maps["static_validation_score"] = func(score *yaml.Node) error { return d.static(score, n.Get("static_validator_args"), g) }
	for key, read := range maps {
		keys[key] = read
	}
	if d.p.format.groupsInherit {
		keys["hint"] = textTo(&config.hint)
		keys["scoring"] = func(n *yaml.Node) error {
			d.defects.fields(n, "scoring", map[string]func(*yaml.Node) error{
				"score": maps["max_score"], "max_score": maps["max_score"],
				"aggregation": maps["score_aggregation"], "require_pass": maps["require_pass"],
			})
			return nil
		}
		keys["static_validation"] = func(n *yaml.Node) error { return d.draftStatic(n, g) }
		keys["input_validator_flags"] = keys["input_validator_args"]
		keys["output_validator_flags"] = func(n *yaml.Node) (err error) { config.outputArgs, err = flags(n); return err }
	}
	return keys
}

// scoreKeys are those that scoring problems have (2025-09, "Test data configuration").
func (d *dataReader) scoreKeys(g *Group) map[string]func(*yaml.Node) error {
	only := func(key string, read func(*yaml.Node) error) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			switch {
			case !d.p.Is("scoring"):
				return d.defects.depart(n.Errorf("%s: a pass-fail problem has none", key))
			case g.Name == "sample":
				return d.defects.depart(n.Errorf("%s: sample has none", key))
			}
			return read(n)
		}
	}
	return map[string]func(*yaml.Node) error{
		"max_score": only("max_score", func(n *yaml.Node) error {
			g.scored = true
			if n.Text() == "unbounded" {
				g.MaxScore = math.Inf(1)
				return nil
			}
			v, err := n.AsInt()
			if err != nil || v < 0 {
				return n.Errorf("max_score %q: want a whole number from 0, or unbounded", n.Text())
			}
			g.MaxScore = float64(v)
			return nil
		}),
		"score_aggregation": only("score_aggregation", func(n *yaml.Node) error {
			word, err := n.AsString()
			if err == nil && !slices.Contains([]Aggregation{AllOrNothing, Sum, Min}, Aggregation(word)) {
				return n.Errorf("score_aggregation %q: want pass-fail, sum or min", word)
			}
			g.Aggregation = Aggregation(word)
			return err
		}),
		"require_pass": only("require_pass", func(n *yaml.Node) (err error) {
			g.RequirePass, g.requireAt = nil, n
			if n.Kind() != yaml.Sequence || len(n.Items()) > 0 {
				g.RequirePass, err = n.AsStringOrStrings()
			}
			return err
		}),
	}
}

// static adds the static validation case of a group (2025-09, "Static
// validation test cases").
func (d *dataReader) static(score, args *yaml.Node, g *Group) error {
	s := &Static{}
	if args != nil {
		s.Args, _ = args.AsStrings() // told by its own key
	}
	if score.Text() == "pass-fail" {
		s.PassFail = true
	} else {
		v, err := score.AsInt()
		if err != nil || v < 0 {
			return score.Errorf("static_validation_score %q: want a whole number from 0, or pass-fail", score.Text())
		}
		s.MaxScore = float64(v)
	}
	return d.addStatic(score, s, g)
}

func (d *dataReader) addStatic(at *yaml.Node, s *Static, g *Group) error {
	if d.p.StaticValidator == nil {
		return at.Errorf("static_validation_score: there is no static validator in static_validator/")
	}
	g.staticAt = at
	g.Static = &Case{Name: g.Name + "/(static)", Group: g, Static: s, FullFeedback: g.Name == "sample", fsys: d.p.fsys}
	g.Cases = append(g.Cases, g.Static)
	return nil
}

// draftStatic reads what drafts had in its place: a boolean, or a map of score and args.
func (d *dataReader) draftStatic(n *yaml.Node, g *Group) error {
	s := &Static{PassFail: !d.p.Is("scoring") || g.Aggregation == AllOrNothing}
	switch n.Kind() {
	case yaml.Bool:
		if on, _ := n.AsBool(); !on {
			return nil
		}
	case yaml.Map:
		d.defects.fields(n, "static_validation", map[string]func(*yaml.Node) error{
			"args": func(n *yaml.Node) (err error) { s.Args, err = d.arguments(n); return err },
			"score": func(n *yaml.Node) (err error) {
				s.MaxScore, err = n.AsFloat()
				s.PassFail = err != nil
				return err
			},
		})
	default:
		return n.Errorf("static_validation: want a boolean or a map, got %v", n.Kind())
	}
	return d.addStatic(n, s, g)
}

// legacyGroupKeys are the keys of testdata.yaml (legacy, "Test Data Groups"). What
// it does not name holds as in the group above.
func (d *dataReader) legacyGroupKeys(g *Group, config *caseConfig) map[string]func(*yaml.Node) error {
	scoring := func(key string, read func(*yaml.Node) error) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			if !d.p.Is("scoring") {
				d.defects.warn(n.Errorf("%s: only for scoring problems", key))
			}
			return read(n)
		}
	}
	number := func(to *float64) func(*yaml.Node) error {
		return func(n *yaml.Node) (err error) {
			v, ok := legacyFloat(n.Text())
			if !ok {
				return n.Errorf("%q: want a number", n.Text())
			}
			*to = v
			return nil
		}
	}
	word := func(key string, words ...string) func(*yaml.Node, *string) error {
		return func(n *yaml.Node, to *string) error {
			text, err := n.AsString()
			if err == nil && !slices.Contains(words, text) {
				return n.Errorf("%s %q: want %s", key, text, strings.Join(words, " or "))
			}
			*to = text
			return err
		}
	}
	return map[string]func(*yaml.Node) error{
		"on_reject": func(n *yaml.Node) error { return word("on_reject", "break", "continue")(n, &g.OnReject) },
		"grading": func(n *yaml.Node) error {
			var how string
			err := word("grading", "default", "custom")(n, &how)
			if g.Custom = how == "custom"; g.Custom && d.p.Grader == nil {
				return n.Errorf("grading: custom: there is no program in graders/")
			}
			return err
		},
		"grader_flags": func(n *yaml.Node) (err error) { g.GraderFlags, err = flags(n); g.flagsAt = n; return err },
		"accept_score": scoring("accept_score", number(&g.AcceptScore)),
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

// namedFlags reads flags of legacy packages: a string for all validators, or a
// map: of a name and flags as the specification has it, or from names to flags as
// packages have it.
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
		return nil, n.Errorf("want flags, or a map of name and flags")
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

func textTo(to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) (err error) { *to, err = n.AsString(); return err }
}

// arguments reads a list of arguments, which the format wants to be text. A
// number is taken as it is written: 1e-6 is text to the YAML that most tools read.
func (d *dataReader) arguments(n *yaml.Node) ([]string, error) {
	if n.Kind() != yaml.Sequence {
		if n.Kind() == yaml.String && !d.p.format.strict {
			return quoted(n.Text()), nil
		}
		return n.AsStrings()
	}
	var args []string
	for _, item := range n.Items() {
		switch item.Kind() {
		case yaml.Int, yaml.Float:
			if !yaml11Text.MatchString(item.Text()) {
				d.defects.warn(item.Errorf("argument %s is a number: want text, %q", item.Text(), item.Text()))
			}
			args = append(args, item.Text())
		default:
			arg, err := item.AsString()
			if err != nil {
				return nil, err
			}
			args = append(args, arg)
		}
	}
	return args, nil
}

// yaml11Text matches numbers that YAML 1.1 takes for text.
var yaml11Text = regexp.MustCompile(`^[+-]?[0-9]+[eE][+-]?[0-9]+$|[eE][0-9]+$`)

// validatorArgs are those of the output validator for a case that has these.
func (d *dataReader) validatorArgs(args []string) []string {
	all := slices.Concat(d.p.validatorFlags, args)
	if d.p.format.legacy && d.p.OutputValidators == nil {
		all = check.LegacyArgs(all)
	}
	return all
}

// checkDefault holds arguments against those that the default validator has, if
// that is the one to get them.
func (d *dataReader) checkDefault(n *yaml.Node, args []string) error {
	if d.p.OutputValidators != nil {
		return nil
	}
	if _, err := check.Default(d.validatorArgs(args)); err != nil {
		if d.p.AnswerValidators != nil {
			return d.defects.depart(n.Errorf("%v", err)) // for those, maybe, which get the same
		}
		return n.Errorf("%v", err)
	}
	return nil
}

// configKeys are the keys that test_group.yaml and a case's own .yaml share
// (2025-09, "Test case configuration").
func (d *dataReader) configKeys(c *caseConfig) map[string]func(*yaml.Node) error {
	texts := func(to *[]string) func(*yaml.Node) error {
		return func(n *yaml.Node) (err error) { *to, err = d.arguments(n); return err }
	}
	ignored := func(n *yaml.Node) error { _, err := d.arguments(n); return err }
	return map[string]func(*yaml.Node) error{
		"args": texts(&c.args),
		"output_validator_args": func(n *yaml.Node) (err error) {
			if c.outputArgs, err = d.arguments(n); err == nil {
				err = d.checkDefault(n, c.outputArgs)
			}
			return err
		},
		"input_visualizer_args":  ignored,
		"output_visualizer_args": ignored,
		"full_feedback":          func(n *yaml.Node) (err error) { c.fullFeedback, err = n.AsBool(); return err },
		"input_validator_args": func(n *yaml.Node) (err error) {
			if n.Kind() != yaml.Map {
				c.inputArgsBy = nil
				c.inputArgs, err = d.arguments(n)
				return err
			}
			c.inputArgsBy = make(map[string][]string)
			for _, f := range n.Fields() {
				args, err := d.arguments(f.Value)
				if err != nil {
					return err
				}
				c.inputArgsBy[f.Key.Text()] = args
			}
			return nil
		},
	}
}

// caseConfig reads a case's own .yaml. A null document is an empty map.
func (d *dataReader) caseConfig(n *yaml.Node, c *caseConfig) {
	if n.Kind() == yaml.Null {
		return
	}
	keys := d.configKeys(c)
	keys["hint"] = textTo(&c.hint)
	keys["description"] = textTo(&c.description)
	d.defects.fields(n, "the case's configuration", keys)
}
