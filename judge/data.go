package judge

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crucible/judge/yaml"
)

const (
	maxCases    = 1_000_000
	maxDepth    = 32 // folders below data/
	groupConfig = "test_group.yaml"
)

// caseExtensions are what a case's files may end in (2025-09, "Test cases").
// Longer ones come first, so that "1.in.statement" is not a case "1.in".
var caseExtensions = []string{
	".in.statement", ".ans.statement", ".in.download", ".ans.download",
	".interaction", ".files", ".yaml", ".in", ".ans", ".out",
	".png", ".jpg", ".jpeg", ".svg",
}

// dataFolders are the folders of data/, and what a case in them needs besides
// its .in.
var dataFolders = []struct {
	name  string
	needs []string
	cases func(*Problem) *[]*Case
}{
	{"sample", []string{".ans"}, func(p *Problem) *[]*Case { return &p.Cases }},
	{"secret", []string{".ans"}, func(p *Problem) *[]*Case { return &p.Cases }},
	{"invalid_input", nil, func(p *Problem) *[]*Case { return &p.InvalidInput }},
	{"invalid_output", []string{".ans", ".out"}, func(p *Problem) *[]*Case { return &p.InvalidOutput }},
	{"valid_output", []string{".ans", ".out"}, func(p *Problem) *[]*Case { return &p.ValidOutput }},
}

// caseConfig is what test_group.yaml and a case's .yaml say of a case.
type caseConfig struct {
	args, inputArgs, outputArgs []string
	inputArgsBy                 map[string][]string
	hint, description           string
}

// readData finds the cases of the package.
func readData(p *Problem, defects *defects) {
	entries, err := fs.ReadDir(p.fsys, "data")
	if err != nil {
		defects.add(unreadable(p.fsys, "data", err))
		return
	}
	known := make([]string, len(dataFolders))
	for i, folder := range dataFolders {
		known[i] = folder.name
	}
	for _, e := range entries {
		if !ignoredName(e.Name()) && !slices.Contains(known, e.Name()) {
			defects.warn(&Defect{File: p.Where("data/" + e.Name()), Msg: "is no part of the format and is not read" + didYouMean(e.Name(), known)})
		}
	}
	for _, folder := range dataFolders {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == folder.name }) {
			continue
		}
		found := folder.cases(p)
		d := dataReader{p: p, defects: defects, needs: folder.needs}
		d.read("data/"+folder.name, caseConfig{}, 0)
		if folder.name == "secret" {
			d.checkGroups()
		}
		slices.SortFunc(d.cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
		*found = append(*found, d.cases...)
	}
	if !slices.ContainsFunc(p.Cases, func(c *Case) bool { return !c.Sample() }) && len(defects.errs) == 0 {
		defects.addf(p.Where("data/secret"), "has no cases: want at least one pair of NAME.in and NAME.ans")
	}
}

type dataReader struct {
	p       *Problem
	defects *defects
	needs   []string
	cases   []*Case
	groups  []string // folders with a test_group.yaml
}

// checkGroups holds the secret data to the rules about groups: direct children
// of secret, all or none of them, none empty (2025-09, "Test data groups").
func (d *dataReader) checkGroups() {
	const secret = "data/secret"
	d.groups = slices.DeleteFunc(d.groups, func(dir string) bool { return dir == secret })
	if len(d.groups) == 0 {
		return
	}
	full := make(map[string]bool)
	for _, c := range d.cases {
		rest := strings.TrimPrefix(c.Name, "secret/")
		group, _, ok := strings.Cut(rest, "/")
		if !ok || !slices.Contains(d.groups, secret+"/"+group) {
			d.defects.addf(d.p.Where(c.path(".in")), "lies in no group, though there are groups: want all secret cases in groups, or none")
		}
		full[secret+"/"+group] = true
	}
	for _, dir := range d.groups {
		switch {
		case path.Dir(dir) != secret:
			d.defects.addf(d.p.Where(dir+"/"+groupConfig), "a group lies directly in secret, want no further groups below")
		case !full[dir]:
			d.defects.addf(d.p.Where(dir), "a group without cases")
		}
	}
}

// read finds the cases of one folder and those below it.
func (d *dataReader) read(dir string, config caseConfig, depth int) {
	fsys := d.p.fsys
	if depth > maxDepth {
		d.defects.addf(d.p.Where(dir), "more than %d folders deep", maxDepth)
		return
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		d.defects.add(unreadable(fsys, dir, err))
		return
	}
	byName := make(map[string][]string) // extensions by case
	var folders []string
	for _, e := range entries {
		name := e.Name()
		if ignoredName(name) {
			if strings.HasSuffix(name, ".in") {
				d.defects.warn(&Defect{File: d.p.Where(dir) + "/" + quoteName(name), Msg: "is ignored: the format allows letters, digits and _.- in names, not starting with - or ."})
			}
			continue
		}
		base, ext := splitCase(name)
		switch {
		case name == groupConfig:
			d.groups = append(d.groups, dir)
			if path.Dir(dir) != "data" {
				config = caseConfig{} // a group inherits nothing
			}
			if node, ok := readYAML(fsys, dir+"/"+name, d.defects); ok {
				d.group(node, &config)
			}
		case ext != "" && (ext == ".files") == isFolder(fsys, dir, e):
			byName[base] = append(byName[base], ext)
		case isFolder(fsys, dir, e):
			folders = append(folders, name)
		default:
			d.defects.warn(&Defect{File: d.p.Where(dir + "/" + name), Msg: "belongs to no case and is not read"})
		}
	}
	for _, base := range sortedKeys(byName) {
		d.add(dir, base, byName[base], config)
	}
	for _, name := range folders {
		if slices.Contains(byName[name], ".in") {
			d.defects.addf(d.p.Where(dir+"/"+name), "a folder and a case of the same name, %s.in", name)
		}
		d.read(dir+"/"+name, config, depth+1)
	}
}

// isFolder follows symbolic links, which the format allows inside a package.
func isFolder(fsys fs.FS, dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := fs.Stat(fsys, path.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

func splitCase(name string) (base, ext string) {
	for _, ext := range caseExtensions {
		if base, ok := strings.CutSuffix(name, ext); ok && base != "" {
			return base, ext
		}
	}
	return name, ""
}

// add checks one case and keeps it.
func (d *dataReader) add(dir, base string, exts []string, config caseConfig) {
	at := func(ext string) string { return d.p.Where(dir + "/" + base + ext) }
	if base == "test_group" {
		d.defects.addf(at(exts[0]), "a case must not be named test_group")
		return
	}
	if !slices.Contains(exts, ".in") {
		slices.Sort(exts)
		d.defects.addf(at(exts[0]), "belongs to a case without input: %s.in is missing", base)
		return
	}
	for _, ext := range d.needs {
		if !slices.Contains(exts, ext) {
			d.defects.addf(at(".in"), "case without %s: %s%s is missing", map[string]string{".ans": "answer", ".out": "output"}[ext], base, ext)
			return
		}
	}
	for _, ext := range append([]string{".in"}, d.needs...) {
		f, err := openRegular(d.p.fsys, dir+"/"+base+ext)
		if err != nil {
			d.defects.add(err)
			return
		}
		f.Close()
	}
	if len(d.cases) == maxCases {
		d.defects.addf(d.p.Where(dir), "more than %d cases", maxCases)
		return
	}
	if slices.Contains(exts, ".yaml") {
		if node, ok := readYAML(d.p.fsys, dir+"/"+base+".yaml", d.defects); ok {
			d.config(node, &config)
		}
	}
	c := &Case{
		Name:                 strings.TrimPrefix(dir+"/"+base, "data/"),
		Args:                 config.args,
		InputValidatorArgs:   config.inputArgs,
		InputValidatorArgsBy: config.inputArgsBy,
		OutputValidatorArgs:  config.outputArgs,
		Hint:                 config.hint,
		Description:          config.description,
		fsys:                 d.p.fsys,
	}
	if slices.Contains(exts, ".files") {
		c.files = d.filesBelow(dir + "/" + base + ".files")
	}
	d.cases = append(d.cases, c)
}

// filesBelow lists what a .files folder holds.
func (d *dataReader) filesBelow(dir string) []string {
	var names []string
	err := fs.WalkDir(d.p.fsys, dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != dir && ignoredName(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
		case !e.IsDir():
			names = append(names, strings.TrimPrefix(name, dir+"/"))
		}
		return nil
	})
	if err != nil {
		d.defects.add(unreadable(d.p.fsys, dir, err))
	}
	return names
}

// configKeys are the keys that test_group.yaml and a case's own .yaml share
// (2025-09, "Test case configuration").
func configKeys(c *caseConfig) map[string]func(*yaml.Node) error {
	texts := func(to *[]string) func(*yaml.Node) error {
		return func(n *yaml.Node) (err error) { *to, err = n.AsStrings(); return err }
	}
	ignored := func(n *yaml.Node) error { _, err := n.AsStrings(); return err }
	return map[string]func(*yaml.Node) error{
		"args":                   texts(&c.args),
		"output_validator_args":  texts(&c.outputArgs),
		"input_visualizer_args":  ignored,
		"output_visualizer_args": ignored,
		"full_feedback":          func(n *yaml.Node) error { _, err := n.AsBool(); return err },
		"input_validator_args": func(n *yaml.Node) (err error) {
			if n.Kind() != yaml.Map {
				c.inputArgsBy = nil
				c.inputArgs, err = n.AsStrings()
				return err
			}
			c.inputArgsBy = make(map[string][]string)
			for _, f := range n.Fields() {
				args, err := f.Value.AsStrings()
				if err != nil {
					return err
				}
				c.inputArgsBy[f.Key.Text()] = args
			}
			return nil
		},
	}
}

func (d *dataReader) config(n *yaml.Node, c *caseConfig) {
	keys := configKeys(c)
	keys["hint"] = func(n *yaml.Node) (err error) { c.hint, err = n.AsString(); return err }
	keys["description"] = func(n *yaml.Node) (err error) { c.description, err = n.AsString(); return err }
	d.readConfig(n, "the case's configuration", keys)
}

func (d *dataReader) group(n *yaml.Node, c *caseConfig) {
	keys := configKeys(c)
	keys["description"] = func(n *yaml.Node) (err error) { c.description, err = n.AsString(); return err }
	for _, key := range []string{"max_score", "score_aggregation", "require_pass"} {
		keys[key] = func(n *yaml.Node) error {
			return n.Errorf("%s: a pass-fail problem has none", key)
		}
	}
	for _, key := range []string{"static_validation_score", "static_validator_args"} {
		keys[key] = func(n *yaml.Node) error {
			return n.Errorf("%s: static validation is not done by this judge yet", key)
		}
	}
	d.readConfig(n, groupConfig, keys)
}

// readConfig reads a configuration by a table of its keys. A null document is
// an empty map.
func (d *dataReader) readConfig(n *yaml.Node, what string, keys map[string]func(*yaml.Node) error) {
	if n.Kind() == yaml.Null {
		return
	}
	d.defects.fields(n, what, keys)
}

// copyFiles lays the case's .files into a working folder.
func (c *Case) copyFiles(dir string) error {
	for _, name := range c.files {
		if err := copyOut(c.fsys, c.path(".files")+"/"+name, dir, name); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}
