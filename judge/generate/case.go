package generate

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
)

// textKeys are the keys of a case that give a file's text, by extension.
var textKeys = []string{
	"in", "ans", "out", "in.statement", "ans.statement", "in.download", "ans.download", "interaction", "yaml", "desc", "hint",
}

// linkKeys are those that may name another in place of text.
var linkKeys = []string{"in.statement", "ans.statement", "in.download", "ans.download"}

// isCase reports whether an entry makes a case: a command, or a map with a key
// that only cases have. Nothing at all is a case too, a wrong one.
func isCase(n *yaml.Node) bool {
	switch n.Kind() {
	case yaml.Null, yaml.String:
		return true
	}
	for _, field := range n.Fields() {
		switch key := field.Key.Text(); key {
		case "generate", "copy", "count", "match":
			return true
		default:
			if slices.Contains(textKeys, key) {
				return true
			}
		}
	}
	return false
}

func isFolder(n *yaml.Node) bool { return n.Kind() == yaml.Map && !isCase(n) }

// got says what an entry is.
func got(n *yaml.Node) string {
	if n.Kind() == yaml.Map && isCase(n) {
		return "a case"
	}
	return n.Kind().String()
}

// caseEntry reads one entry that makes a case, or as many as its count says.
func (p *parser) caseEntry(f folder, c child) error {
	values, counted, err := counts(c.value)
	if err != nil {
		return err
	}
	suffixes := countNames(values)
	for i, count := range values {
		name := c.name
		if c.numbered {
			p.number++
			name = numberedName(p.number, p.width, name)
		}
		if counted {
			name += suffixes[i]
		}
		made := Case{Name: path.Join(f.name, name), Line: c.key.Line(), Column: c.key.Column()}
		if !nameForm.MatchString(name+".in") || strings.HasSuffix(name, ".in") || name == "test_group" {
			return c.key.Errorf("the name %q: want letters, digits, and _.- but not at the start, and neither test_group nor .in at the end", name)
		}
		if err := p.readCase(&made, f, c.value, count, counted, i == 0); err != nil {
			return err
		}
		if err := p.add(c.key, made); err != nil {
			return err
		}
		key := c.key.Text()
		p.known[key] = append(p.known[key], rule{len(p.plan.Cases) - 1, len(p.plan.Cases)})
	}
	return nil
}

// readCase fills in what a case is made from. Its count is one of several
// where counted; first is the first of them, the one that warns.
func (p *parser) readCase(c *Case, f folder, n *yaml.Node, count int, counted, first bool) error {
	generate := n
	if n.Kind() == yaml.Map {
		generate = n.Get("generate")
		if err := p.configure(&f, n); err != nil {
			return err
		}
		if err := p.caseKeys(c, n, first); err != nil {
			return err
		}
	}
	c.Solution, c.NoSolution, c.Retries = f.solution, f.noSolution, f.retries
	if slices.Contains(unanswered, c.root()) {
		c.Solution, c.NoSolution = "", true
	}
	switch {
	case generate == nil:
	case generate.Kind() == yaml.Null:
		return generate.Errorf("nothing: want a command, or a map with generate, copy or in")
	default:
		command, err := generate.AsString()
		if err != nil {
			return err
		}
		if base, ok := strings.CutSuffix(strings.TrimSpace(command), ".in"); ok && generate == n && !strings.ContainsAny(base, " \t\n") {
			p.warn(n, "a path in place of a command: write copy: %s", base)
			if c.Copy, err = copyPath(n, base); err != nil {
				return err
			}
			break
		}
		if command, err = p.constants(command); err != nil {
			return generate.Errorf("%v", err)
		}
		if strings.Contains(command, "{count}") {
			if counted {
				command = strings.ReplaceAll(command, "{count}", strconv.Itoa(count))
			} else {
				p.warn(generate, "{count} stays as it is without the key count")
			}
		}
		c.Command = strings.TrimSpace(command)
		if err := c.readCommand(f.salt, count); err != nil {
			return generate.Errorf("%v", err)
		}
	}
	if !c.hasInput() {
		return n.Errorf("nothing makes the input: want generate, copy or in")
	}
	return nil
}

// hasInput reports whether something may make the case's input. A sample may
// do with what is shown of it.
func (c *Case) hasInput() bool {
	has := func(ext string) bool {
		_, text := c.Files[ext]
		return text || c.Links[ext] != ""
	}
	return c.Program != "" || c.Copy != "" || has(".in") ||
		c.root() == "sample" && has(".in.download") && (has(".in.statement") || has(".interaction"))
}

func (c *Case) root() string {
	root, _, _ := strings.Cut(c.Name, "/")
	return root
}

// caseKeys reads all of a case's map but its command and what it configures.
func (p *parser) caseKeys(c *Case, n *yaml.Node, first bool) error {
	for _, field := range n.Fields() {
		var err error
		switch key, value := field.Key.Text(), field.Value; {
		case slices.Contains([]string{"generate", "count", "solution", "random_salt", "retries", "visualizer"}, key):
		case key == "copy":
			var from string
			if from, err = value.AsString(); err == nil {
				c.Copy, err = copyPath(value, from)
			}
		case key == "match":
			err = p.readMatch(c, value, first)
		case slices.Contains(textKeys, key):
			err = c.readText(key, field)
		case slices.Contains([]string{"data", "include", "test_group.yaml", "testdata.yaml", "generators", "version"}, key):
			err = field.Key.Errorf("a case has no %s: folders have", key)
		case first:
			p.warn(field.Key, "the key %q is not known, and has no effect", key)
		}
		if err != nil {
			return err
		}
	}
	for ext, target := range c.Links {
		if c.Links[target] != "" {
			return n.Errorf("%s is the same as %s, which is itself another's: want one with a file", ext[1:], target[1:])
		}
	}
	return nil
}

// copyPath checks where a case is copied from.
func copyPath(n *yaml.Node, from string) (string, error) {
	if !fs.ValidPath(from) || from == "." {
		return "", n.Errorf("copy %q: want a path below generators/", from)
	}
	for _, key := range textKeys {
		if strings.HasSuffix(from, "."+key) {
			return "", n.Errorf("copy %q: want it without the extension .%s", from, key)
		}
	}
	return from, nil
}

// readText reads the key of a file's text. Text that is not empty ends with a
// line feed, written or not.
func (c *Case) readText(key string, field yaml.Field) error {
	value, ext := field.Value, "."+key
	if slices.Contains(linkKeys, key) && c.root() != "sample" {
		return field.Key.Errorf("%s is for samples only", key)
	}
	if value.Kind() == yaml.Map {
		if key == "yaml" {
			c.YAML = value
			return nil
		}
		link := value.Get("link")
		if len(value.Fields()) != 1 || link == nil || !slices.Contains(linkKeys, key) {
			return value.Errorf("%s: want text", key)
		}
		target, err := link.AsString()
		if err != nil {
			return err
		}
		kind, _, _ := strings.Cut(key, ".")
		if target == key || target != kind && !(strings.HasPrefix(target, kind+".") && slices.Contains(linkKeys, target)) {
			return link.Errorf("%s linked to %q: want another file of the same kind, such as %s", key, target, kind)
		}
		if c.Links == nil {
			c.Links = map[string]string{}
		}
		c.Links[ext] = "." + target
		return nil
	}
	text, err := value.AsString()
	if err != nil {
		return err
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if c.Files == nil {
		c.Files = map[string]string{}
	}
	c.Files[ext] = text
	return nil
}

// readMatch reads the expressions that the input and the answer must contain.
func (p *parser) readMatch(c *Case, n *yaml.Node, first bool) error {
	c.Match = map[string][]string{}
	if n.Kind() != yaml.Map {
		return p.readExpressions(c, ".in", n, first)
	}
	for _, field := range n.Fields() {
		key := field.Key.Text()
		if key != "in" && key != "ans" {
			return field.Key.Errorf("match %q: want in or ans", key)
		}
		if err := p.readExpressions(c, "."+key, field.Value, first); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) readExpressions(c *Case, ext string, n *yaml.Node, first bool) error {
	all, err := n.AsStringOrStrings()
	if err != nil {
		return err
	}
	for i, text := range all {
		at := n
		if n.Kind() == yaml.Sequence {
			at = n.Items()[i]
		}
		if _, err := Expression(text); err != nil && first {
			p.note(at, "the expression %q is not looked for: %v", clip(text), err)
		}
	}
	c.Match[ext] = all
	return nil
}

// add takes a case into the plan.
func (p *parser) add(at *yaml.Node, c Case) error {
	if len(p.plan.Cases) == maxCases {
		return at.Errorf("more than %d cases", maxCases)
	}
	if i, ok := p.byName[c.Name]; ok {
		return at.Errorf("the case %s is made twice, first on line %d", c.Name, p.plan.Cases[i].Line)
	}
	if c.Program != "" && c.IncludeOf == "" {
		work := c.work()
		if i, ok := p.byWork[work]; !ok {
			p.byWork[work] = len(p.plan.Cases)
		} else if first := p.plan.Cases[i]; first.Line != c.Line || first.Column != c.Column {
			// One entry with a count may make the same case several times.
			return at.Errorf("the command %q makes the same case as %s on line %d: want another command, or {seed:2}", c.Command, first.Name, first.Line)
		}
	}
	p.byName[c.Name] = len(p.plan.Cases)
	p.plan.Cases = append(p.plan.Cases, c)
	return nil
}

// work says all that decides what a case's files will hold.
func (c *Case) work() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q", c.Program, c.Args, c.Copy)
	for _, ext := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(&b, " %q %q", ext, c.Files[ext])
	}
	for _, ext := range slices.Sorted(maps.Keys(c.Links)) {
		fmt.Fprintf(&b, " %q %q", ext, c.Links[ext])
	}
	return b.String()
}
