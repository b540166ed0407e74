package generate

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
)

// maxCases bounds what a small file may unfold to by counts and includes.
const maxCases = 100_000

// roots are the folders of data/, in the order in which their cases are made.
var roots = []string{
	"sample", "secret", "invalid_output", "invalid_answer", "invalid_input", "valid_output", "testing_tool_test", "fuzz",
}

// unanswered are the roots for whose cases no solution runs.
var unanswered = []string{"invalid_output", "invalid_answer", "invalid_input", "valid_output", "testing_tool_test"}

// nameForm is that of file names in the format; a case's name has ".in" added.
var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`)

// Parse reads generators/generators.yaml. The name of the file serves messages
// only. The constants are those of problem.yaml, by name; {{name}} in a command
// stands for one. Errors, warnings and notes say file, line and column, as
// [yaml.Error] does.
func Parse(file string, data []byte, constants map[string]string) (*Plan, error) {
	root, err := yaml.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if root.Kind() != yaml.Map || isCase(root) {
		return nil, root.Errorf("want a map with the key data, got %s", got(root))
	}
	p := parser{
		plan:   &Plan{},
		width:  digits(countNumbered(root)),
		known:  map[string][]rule{},
		byName: map[string]int{},
		byWork: map[string]int{},
		values: constants,
	}
	if err := p.generators(root.Get("generators")); err != nil {
		return nil, err
	}
	if root.Get("data") == nil {
		return nil, root.Errorf("no cases: want the key data")
	}
	if err := p.folder(folder{node: root, at: root, retries: 1}); err != nil {
		return nil, err
	}
	return p.plan, nil
}

type parser struct {
	plan   *Plan
	width  int               // digits of the numbers of cases
	number int               // of the last case that was given one
	known  map[string][]rule // by key, for include
	byName map[string]int    // plan.Cases by name
	byWork map[string]int    // the first of plan.Cases made by this work
	values map[string]string // of constants

	noVisualizer bool // it has been said that none is run
}

// A rule is what one key stands for: some of plan.Cases, from and up to.
type rule struct{ from, to int }

// A folder is a map of generators.yaml that stands for a folder, with what its
// parents hand down to it.
type folder struct {
	name string     // below data/; "" for data/ itself
	node *yaml.Node // the map
	at   *yaml.Node // its key

	solution   string
	noSolution bool
	salt       string
	retries    int
}

// A child is one entry of a folder, a case or a folder.
type child struct {
	key, value *yaml.Node
	name       string // with its number, if it is a folder or has none
	numbered   bool
}

func (p *parser) warn(n *yaml.Node, format string, args ...any) {
	p.plan.Warnings = append(p.plan.Warnings, n.Errorf(format, args...))
}

func (p *parser) note(n *yaml.Node, format string, args ...any) {
	p.plan.Notes = append(p.plan.Notes, n.Errorf(format, args...))
}

// folder reads a folder and all in it.
func (p *parser) folder(f folder) error {
	if err := p.configure(&f, f.node); err != nil {
		return err
	}
	if f.name == "" {
		p.plan.Solution = f.solution
	}
	if err := p.folderKeys(f); err != nil {
		return err
	}
	from, fromGroup := len(p.plan.Cases), len(p.plan.Groups)
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
	p.warnPrefixes(f, p.plan.Cases[from:], p.plan.Groups[fromGroup:])
	for _, of := range included {
		if err := p.include(f, of); err != nil {
			return err
		}
	}
	if f.name != "" {
		key := f.at.Text()
		p.known[key] = append(p.known[key], rule{from, len(p.plan.Cases)})
	}
	return nil
}

// folderKeys checks the keys of a folder, and keeps its settings.
func (p *parser) folderKeys(f folder) error {
	g := Group{Name: f.name, Line: f.at.Line(), Column: f.at.Column()}
	for _, field := range f.node.Fields() {
		switch key := field.Key.Text(); key {
		case "data", "include", "solution", "random_salt", "retries", "visualizer":
		case "generators", "version":
			if f.name != "" {
				return field.Key.Errorf("%s stands at the top of the file only", key)
			}
			// The tool that invented it reads every version as the newest.
			if v := field.Value; key == "version" && v.Kind() != yaml.Null {
				if _, err := v.AsScalar(); err != nil {
					return err
				}
			}
		case "test_group.yaml", "testdata.yaml":
			if k := field.Value.Kind(); k != yaml.Map && k != yaml.Null {
				return field.Value.Errorf("%s: want a map, got %s", key, k)
			}
			if g.SettingsFile != "" {
				return field.Key.Errorf("both %s and %s: want one", g.SettingsFile, key)
			}
			g.Settings, g.SettingsFile = field.Value, key
		case "command":
			return field.Key.Errorf("a folder has no command: a case is made by generate")
		default:
			p.warn(field.Key, "the key %q is not known, and has no effect", key)
		}
	}
	if f.name != "" || g.SettingsFile != "" {
		p.plan.Groups = append(p.plan.Groups, g)
	}
	return nil
}

// configure takes over what a folder or case says for itself and what is
// below it.
func (p *parser) configure(f *folder, n *yaml.Node) error {
	if s := n.Get("solution"); s != nil {
		if f.noSolution = s.Kind() == yaml.Null; f.noSolution {
			f.solution = ""
		} else {
			name, err := s.AsString()
			if err != nil {
				return err
			}
			if !strings.HasPrefix(name, "/") || !fs.ValidPath(name[1:]) || strings.ContainsAny(name, " \t\n") {
				return s.Errorf("solution %q: want a path from the package's root, such as /submissions/accepted/x.go", name)
			}
			f.solution = name
		}
	}
	if s := n.Get("random_salt"); s != nil && s.Kind() != yaml.Null {
		salt, err := s.AsString()
		if err != nil {
			return err
		}
		f.salt = salt
	}
	if r := n.Get("retries"); r != nil {
		retries, err := r.AsInt()
		if err != nil {
			return err
		}
		if retries < 1 || retries > most {
			return r.Errorf("retries %d: want 1 to %d", retries, most)
		}
		f.retries = int(retries)
	}
	if v := n.Get("visualizer"); v != nil && v.Kind() != yaml.Null {
		if _, err := v.AsString(); err != nil {
			return err
		}
		if !p.noVisualizer {
			p.note(v, "visualizers are not run by this judge")
		}
		p.noVisualizer = true
	}
	return nil
}

// children lists what is in a folder, in the order in which it is made.
func (f *folder) children() ([]child, error) {
	data := f.node.Get("data")
	switch {
	case data == nil || data.Kind() == yaml.Null:
		return nil, nil
	case data.Kind() == yaml.Sequence && f.name != "":
		return numberedChildren(data)
	case data.Kind() != yaml.Map:
		return nil, data.Errorf("data: want a map of cases and folders, got %s", data.Kind())
	}
	var all []child
	for _, field := range data.Fields() {
		if field.Key.Text() == "" {
			return nil, field.Key.Errorf("an empty name: only the entries of a list may have one")
		}
		all = append(all, child{field.Key, field.Value, field.Key.Text(), false})
	}
	if f.name != "" {
		slices.SortFunc(all, func(a, b child) int { return strings.Compare(a.name, b.name) })
		return all, nil
	}
	for _, c := range all {
		if !slices.Contains(roots, c.name) {
			return nil, c.key.Errorf("the folder data/%s: want one of %s", c.name, strings.Join(roots, ", "))
		}
		if isCase(c.value) {
			return nil, c.value.Errorf("%s: want a folder of cases, got %s", c.name, got(c.value))
		}
	}
	slices.SortFunc(all, func(a, b child) int { return slices.Index(roots, a.name) - slices.Index(roots, b.name) })
	return all, nil
}

// numberedChildren lists what is in a folder whose data is a list, and numbers
// the folders among it.
func numberedChildren(data *yaml.Node) ([]child, error) {
	var all []child
	folders := 0
	for _, item := range data.Items() {
		if item.Kind() != yaml.Map || len(item.Fields()) != 1 {
			hint := ""
			if item.Kind() == yaml.Map && isCase(item) {
				hint = " (indent what belongs to a case by one more step)"
			}
			return nil, item.Errorf("want a map of one name to one case or folder%s", hint)
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
		p.warn(c.key, "the name %s is %s to other tools: put it in quotes", c.key.Text(), k)
	}
	switch {
	case isCase(c.value):
		return p.caseEntry(f, c)
	case isFolder(c.value):
		if !nameForm.MatchString(c.name) {
			return c.key.Errorf("the name %q: want letters, digits, and _.- but not at the start", c.name)
		}
		f.name, f.node, f.at = path.Join(f.name, c.name), c.value, c.key
		return p.folder(f)
	}
	return c.value.Errorf("%q: want a command, or a map of a case or a folder, got %s", c.key.Text(), c.value.Kind())
}

// warnPrefixes warns where a name goes on from that of another, since tools
// may take the files of the one for those of the other.
func (p *parser) warnPrefixes(f folder, cases []Case, groups []Group) {
	if data := f.node.Get("data"); f.name == "" || data == nil || data.Kind() != yaml.Map {
		return // numbers keep names apart
	}
	at := map[string]*yaml.Error{} // by name within f
	for _, c := range cases {
		if path.Dir(c.Name) == f.name {
			at[path.Base(c.Name)] = &yaml.Error{File: f.at.File(), Line: c.Line, Column: c.Column}
		}
	}
	for _, g := range groups {
		if path.Dir(g.Name) == f.name {
			at[path.Base(g.Name)] = &yaml.Error{File: f.at.File(), Line: g.Line, Column: g.Column}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		for i, c := range []byte(name) {
			if (c == '-' || c == '_' || c == '.') && at[name[:i]] != nil {
				warning := at[name]
				warning.Msg = fmt.Sprintf("the name %q goes on from the name %q beside it", name, name[:i])
				p.plan.Warnings = append(p.plan.Warnings, warning)
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
		return n.Errorf("generators: want a map of names to lists of files, got %s", n.Kind())
	}
	p.plan.Generators = map[string][]string{}
	for _, field := range n.Fields() {
		name := field.Key.Text()
		if !nameForm.MatchString(name) {
			return field.Key.Errorf("the generator %q: want a name of letters, digits, and _.- but not at the start", name)
		}
		files, err := field.Value.AsStrings()
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return field.Value.Errorf("the generator %s: want at least one file", name)
		}
		for i, file := range files {
			if !fs.ValidPath(file) || file == "." {
				return field.Value.Items()[i].Errorf("the file %q: want a path below generators/", file)
			}
		}
		p.plan.Generators[name] = files
	}
	return nil
}
