package generate

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// maxCases limits the number of cases, because counts and includes let a small file
// declare very many.
const maxCases = 100_000

// roots are the folders of data/, in the order in which their cases are made.
var roots = []string{
	"sample", "secret", "invalid_output", "invalid_answer", "invalid_input", "valid_output", "testing_tool_test", "fuzz",
}

const nameRule = "expected letters, digits and _.- that do not start with - or ."

// Keys of cases and of folders.
var (
	sharedKeys = []string{"solution", "random_salt", "retries", "visualizer"}
	folderKeys = []string{"data", "include", "test_group.yaml", "testdata.yaml", "generators", "version"}
)

// parse reads generators.yaml. Messages have the name of the file; errors, warnings
// and notes are [yaml.Error]s. {{name}} in a command stands for a constant of
// problem.yaml.
func parse(file string, data []byte, constants map[string]string) (*Plan, error) {
	root, err := yaml.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if root.Kind() != yaml.Map || isCase(root) {
		return nil, root.Errorf("expected a map with the key data, found %s", found(root))
	}
	p := parser{
		plan:      &Plan{index: map[string]int{}},
		width:     digits(countNumbered(root)),
		known:     map[string][]span{},
		byWork:    map[string]int{},
		constants: constants,
	}
	if err := p.generators(root.Get("generators")); err != nil {
		return nil, err
	}
	if root.Get("data") == nil {
		return nil, root.Errorf("no cases: expected the key data")
	}
	return p.plan, p.folder(folder{node: root, at: root, retries: 1})
}

type parser struct {
	plan      *Plan
	width     int               // digits of the numbers of cases
	number    int               // of the last numbered case
	known     map[string][]span // what keys declare, for include
	byWork    map[string]int    // the first of plan.cases with this casePlan.work
	constants map[string]string
}

// A span is the range of plan.cases that a key declares.
type span struct{ from, to int }

// A folder is a map of generators.yaml that stands for a folder, with the settings
// that it inherits.
type folder struct {
	name string     // below data/; "" for data/ itself
	node *yaml.Node // the map
	at   *yaml.Node // its key

	solution   string
	noSolution bool

	visualizer   []string
	noVisualizer bool

	salt    string
	retries int
}

// A child is one entry of a folder: a case or a folder.
type child struct {
	key, value *yaml.Node
	name       string // includes the number of a folder, but not that of a case
	numbered   bool
}

func (p *parser) warn(n *yaml.Node, format string, args ...any) {
	p.plan.Warnings = append(p.plan.Warnings, n.Errorf(format, args...))
}

// unset warns of a key without a value, which is a key that is not set.
func (p *parser) unset(f yaml.Field) {
	p.warn(f.Key, "%s has no value, and is read as if it were absent: expected a value", f.Key.Text())
}

// folder reads a folder and everything in it.
func (p *parser) folder(f folder) error {
	if err := p.inherit(&f, f.node); err != nil {
		return err
	}
	if f.name == "" {
		p.plan.solution = f.solution
	}
	if err := p.group(f); err != nil {
		return err
	}
	from, fromGroup := len(p.plan.cases), len(p.plan.groups)
	included, err := p.included(f.node.Get("include"))
	if err != nil {
		return err
	}
	children, err := f.children()
	if err != nil {
		return err
	}
	for _, c := range children {
		if err := p.child(f, c); err != nil {
			return err
		}
	}
	p.warnPrefixes(f, p.plan.cases[from:], p.plan.groups[fromGroup:])
	for _, c := range included {
		if err := p.include(f, c); err != nil {
			return err
		}
	}
	if f.name != "" {
		key := f.at.Text()
		p.known[key] = append(p.known[key], span{from, len(p.plan.cases)})
	}
	return nil
}

// group checks the keys of a folder and adds it to the groups.
func (p *parser) group(f folder) error {
	g := group{name: f.name, at: f.at}
	for _, field := range f.node.Fields() {
		switch key, v := field.Key.Text(), field.Value; {
		case v.Kind() == yaml.Null && slices.Contains([]string{"include", "retries", "random_salt", "generators"}, key):
			p.unset(field)
		case key == "data", key == "include", slices.Contains(sharedKeys, key):
		case key == "generators", key == "version":
			if f.name != "" {
				return field.Key.Errorf("%s is only allowed at the top of the file", key)
			}
			// BAPCtools reads every version as the newest.
			if key == "version" && v.Kind() != yaml.Null {
				if _, err := v.AsScalar(); err != nil {
					return err
				}
			}
		case key == "test_group.yaml", key == "testdata.yaml":
			if k := v.Kind(); k != yaml.Map && k != yaml.Null {
				return v.Errorf("%s: expected a map, found %s", key, k)
			}
			if g.settingsFile != "" {
				return field.Key.Errorf("both %s and %s: expected one of them", g.settingsFile, key)
			}
			g.settings, g.settingsFile = v, key
		case key == "command":
			return field.Key.Errorf("a folder has no command: expected the key generate in a case")
		default:
			p.warn(field.Key, "unknown key %q has no effect", key)
		}
	}
	if f.name != "" || g.settingsFile != "" {
		p.plan.groups = append(p.plan.groups, g)
	}
	return nil
}

// inherit reads the settings in n that a folder or case passes to everything in it.
// Null resets the solution and the visualizer, and leaves the others unchanged.
func (p *parser) inherit(f *folder, n *yaml.Node) error {
	for _, field := range n.Fields() {
		v := field.Value
		var err error
		switch key := field.Key.Text(); {
		case key == "solution" && v.Kind() == yaml.Null:
			f.solution, f.noSolution = "", true
		case key == "solution":
			f.noSolution = false
			f.solution, err = v.AsString()
			if path, ok := strings.CutPrefix(f.solution, "/"); err == nil &&
				(!ok || !fs.ValidPath(path) || strings.ContainsAny(path, " \t\n")) {
				err = v.Errorf("solution %q: expected a path from the root of the package, such as /submissions/accepted/x.go",
					f.solution)
			}
		case key == "visualizer":
			err = f.readVisualizer(v)
		case v.Kind() == yaml.Null:
		case key == "retries":
			var retries int64
			if retries, err = v.AsInt(); err == nil && (retries < 1 || retries > maxCount) {
				err = v.Errorf("retries %d: expected 1 to %d", retries, maxCount)
			}
			f.retries = int(retries)
		case key == "random_salt":
			f.salt, err = v.AsString()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readVisualizer reads the key visualizer: a path from the root of the package, and
// arguments. Null means that nothing draws the cases.
func (f *folder) readVisualizer(v *yaml.Node) error {
	f.visualizer, f.noVisualizer = nil, v.Kind() == yaml.Null
	if f.noVisualizer {
		return nil
	}
	command, err := v.AsString()
	if err != nil {
		return err
	}
	words, err := terminal.SplitWords(command, true)
	if err != nil {
		return v.Errorf("visualizer: the command %v", err)
	}
	if len(words) == 0 || !strings.HasPrefix(words[0], "/") || !fs.ValidPath(words[0][1:]) || words[0] == "/" {
		return v.Errorf("visualizer %q: expected a path from the root of the package, such as /visualizers/draw.py, and "+
			"arguments", command)
	}
	f.visualizer = words
	return nil
}

// children returns the entries of a folder, in the order in which they are made.
func (f *folder) children() ([]child, error) {
	data := f.node.Get("data")
	switch {
	case data == nil || data.Kind() == yaml.Null:
		return nil, nil
	case data.Kind() == yaml.Sequence && f.name != "":
		return numberedChildren(data)
	case data.Kind() != yaml.Map:
		return nil, data.Errorf("data: expected a map of cases and folders, found %s", data.Kind())
	}
	var all []child
	for _, field := range data.Fields() {
		c := child{field.Key, field.Value, field.Key.Text(), false}
		switch {
		case c.name == "":
			return nil, c.key.Errorf("an empty name: only the entries of a list may have one")
		case f.name == "" && !slices.Contains(roots, c.name):
			return nil, c.key.Errorf("the folder data/%s: expected one of %s", c.name, strings.Join(roots, ", "))
		case f.name == "" && isCase(c.value):
			return nil, c.value.Errorf("%s: expected a folder of cases, found %s", c.name, found(c.value))
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b child) int {
		if f.name == "" {
			return slices.Index(roots, a.name) - slices.Index(roots, b.name)
		}
		return strings.Compare(a.name, b.name)
	})
	return all, nil
}

// numberedChildren returns the entries of a folder whose data is a list, and numbers
// the folders among them.
func numberedChildren(data *yaml.Node) ([]child, error) {
	var all []child
	folders := 0
	for _, item := range data.Items() {
		if item.Kind() != yaml.Map || len(item.Fields()) != 1 {
			hint := ""
			if item.Kind() == yaml.Map && isCase(item) {
				hint = " (indent the keys of a case by one more step)"
			}
			return nil, item.Errorf("expected a map of one name to one case or folder%s", hint)
		}
		field := item.Fields()[0]
		if isFolder(field.Value) {
			folders++
		}
		all = append(all, child{field.Key, field.Value, field.Key.Text(), true})
	}
	number := 0
	for i := range all {
		if c := &all[i]; isFolder(c.value) {
			number++
			c.name = numberedName(number, digits(folders), c.name)
		}
	}
	return all, nil
}

// child reads one entry of a folder.
func (p *parser) child(f folder, c child) error {
	if k := c.key.Kind(); k != yaml.String && k != yaml.Null {
		p.warn(c.key, "other tools read the name %s as %s: put it in quotes", c.key.Text(), k)
	}
	switch {
	case isCase(c.value):
		return p.caseEntry(f, c)
	case !isFolder(c.value):
		return c.value.Errorf("%q: expected a command, or a map of a case or a folder, found %s", c.key.Text(),
			c.value.Kind())
	case problem.IgnoredName(c.name):
		return c.key.Errorf("the name %q: %s", c.name, nameRule)
	}
	f.name, f.node, f.at = path.Join(f.name, c.name), c.value, c.key
	return p.folder(f)
}

// warnPrefixes warns of names that continue another name, because tools may
// take the files of one case for files of the other.
func (p *parser) warnPrefixes(f folder, cases []casePlan, groups []group) {
	if data := f.node.Get("data"); f.name == "" || data == nil || data.Kind() != yaml.Map {
		return // numbers distinguish the names
	}
	at := map[string]*yaml.Node{} // by name in f
	for _, c := range cases {
		if path.Dir(c.name) == f.name {
			at[path.Base(c.name)] = c.at
		}
	}
	for _, g := range groups {
		if path.Dir(g.name) == f.name {
			at[path.Base(g.name)] = g.at
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		for i, c := range []byte(name) {
			if (c == '-' || c == '_' || c == '.') && at[name[:i]] != nil {
				p.warn(at[name], "the name %q begins with the name %q of another entry", name, name[:i])
				break
			}
		}
	}
}

// generators reads the programs of several files.
func (p *parser) generators(n *yaml.Node) error {
	if n == nil || n.Kind() == yaml.Null {
		return nil
	}
	if n.Kind() != yaml.Map {
		return n.Errorf("generators: expected a map of names to lists of files, found %s", n.Kind())
	}
	p.plan.generators = map[string][]string{}
	for _, field := range n.Fields() {
		name := field.Key.Text()
		if field.Value.Kind() == yaml.Null {
			p.unset(field)
			continue
		}
		if problem.IgnoredName(name) {
			return field.Key.Errorf("the generator %q: %s", name, nameRule)
		}
		files, err := field.Value.AsStrings()
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return field.Value.Errorf("the generator %s: expected at least one file", name)
		}
		for i, file := range files {
			if !fs.ValidPath(file) || file == "." {
				return field.Value.Items()[i].Errorf("the file %q: expected a path below generators/", file)
			}
		}
		p.plan.generators[name] = files
	}
	return nil
}
