package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// textKeys are the keys of a case that have the contents of a file, by its
// extension.
var textKeys = []string{
	"in", "ans", "out", "in.statement", "ans.statement", "in.download", "ans.download", "interaction", "yaml", "desc",
	"hint",
}

// linkKeys are textKeys that may name another file of the case instead.
var linkKeys = []string{"in.statement", "ans.statement", "in.download", "ans.download"}

// isCase reports whether an entry is a case: a command, or a map with a key that
// only cases have. An empty entry is an invalid case.
func isCase(n *yaml.Node) bool {
	return n.Kind() == yaml.Null || n.Kind() == yaml.String || slices.ContainsFunc(n.Fields(), func(f yaml.Field) bool {
		return slices.Contains([]string{"generate", "copy", "count", "match"}, f.Key.Text()) ||
			slices.Contains(textKeys, f.Key.Text())
	})
}

func isFolder(n *yaml.Node) bool { return n.Kind() == yaml.Map && !isCase(n) }

// found describes an entry for a message.
func found(n *yaml.Node) string {
	if n.Kind() == yaml.Map && isCase(n) {
		return "a case"
	}
	return n.Kind().String()
}

// caseEntry reads an entry that declares one case, or several with a count.
func (p *parser) caseEntry(f folder, c child) error {
	values, err := counts(c.value)
	if err != nil {
		return err
	}
	n := c.value.Get("count")
	counted := n != nil && n.Kind() != yaml.Null
	works := make(map[string]bool)
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
		if problem.IgnoredName(name+".in") || strings.HasSuffix(name, ".in") || name == "test_group" {
			return c.key.Errorf("the name %q: %s, and neither the name test_group nor .in at the end", name, nameRule)
		}
		one := casePlan{name: path.Join(f.name, name), text: map[string]string{}, links: map[string]string{}, at: c.key}
		if err := p.readCase(&one, f, c.value, count, counted, i == 0); err != nil {
			return err
		}
		works[one.work()] = true
		if err := p.add(one); err != nil {
			return err
		}
		key := c.key.Text()
		p.known[key] = append(p.known[key], span{len(p.plan.cases) - 1, len(p.plan.cases)})
	}
	if equal := len(values) - len(works); equal > 0 {
		p.plan.Doubts = append(p.plan.Doubts, c.key.Errorf("%d of the %d cases of count are equal to others of them: "+
			"{seed} in the command makes each different", equal, len(values)))
	}
	return nil
}

// readCase reads one case. counted means that its entry has a count; first is true
// for the first case of an entry, so that each warning is given once.
func (p *parser) readCase(c *casePlan, f folder, n *yaml.Node, count int, counted, first bool) error {
	generate := n
	if n.Kind() == yaml.Map {
		generate = n.Get("generate")
		if err := p.inherit(&f, n); err != nil {
			return err
		}
		if err := p.caseKeys(c, n, first); err != nil {
			return err
		}
	}
	c.solution, c.noSolution, c.retries = f.solution, f.noSolution, f.retries
	c.visualizer, c.noVisualizer = f.visualizer, f.noVisualizer
	if !slices.Contains([]string{"sample", "secret", "fuzz"}, c.root()) {
		c.solution, c.noSolution = "", true
	}
	if generate != nil && (generate == n || generate.Kind() != yaml.Null) {
		if err := p.readCommand(c, generate, f.salt, count, counted, generate == n); err != nil {
			return err
		}
	}
	if !c.hasInput() {
		return n.Errorf("no input: expected generate, copy or in")
	}
	return nil
}

// hasInput reports whether the case may get an input. A sample without one needs the
// files that are shown and downloaded in its place.
func (c *casePlan) hasInput() bool {
	has := func(ext string) bool {
		_, text := c.text[ext]
		return text || c.links[ext] != ""
	}
	return c.program != "" || c.copy != "" || has(".in") ||
		c.root() == "sample" && has(".in.download") && (has(".in.statement") || has(".interaction"))
}

// readCommand reads the command of a case. alone means that the entry is only the
// command, not a map.
func (p *parser) readCommand(c *casePlan, n *yaml.Node, salt string, count int, counted, alone bool) error {
	if n.Kind() == yaml.Null {
		return n.Errorf("an empty case: expected a command, or a map with generate, copy or in")
	}
	command, err := n.AsString()
	if err != nil {
		return err
	}
	if base, ok := strings.CutSuffix(strings.TrimSpace(command), ".in"); ok && alone &&
		!strings.ContainsAny(base, " \t\n") {
		p.warn(n, "expected a command, found a path: use copy: %s", base)
		c.copy, err = copyPath(n, base)
		return err
	}
	if command, err = replaceConstants(command, p.constants); err != nil {
		return n.Errorf("%v", err)
	}
	switch {
	case counted:
		command = strings.ReplaceAll(command, "{count}", strconv.Itoa(count))
	case strings.Contains(command, "{count}"):
		p.warn(n, "{count} is not replaced without the key count")
	}
	c.command = strings.TrimSpace(command)
	if err := c.splitCommand(salt, count); err != nil {
		return n.Errorf("%v", err)
	}
	return nil
}

// caseKeys reads the keys that only cases have, except the command.
func (p *parser) caseKeys(c *casePlan, n *yaml.Node, first bool) error {
	for _, field := range n.Fields() {
		var err error
		switch key, value := field.Key.Text(), field.Value; {
		case value.Kind() == yaml.Null && key != "solution" && key != "visualizer":
			if first {
				p.unset(field)
			}
		case key == "generate", key == "count", slices.Contains(sharedKeys, key):
		case key == "copy":
			var from string
			if from, err = value.AsString(); err == nil {
				c.copy, err = copyPath(value, from)
			}
		case key == "match":
			err = p.readMatch(c, value, first)
		case slices.Contains(textKeys, key):
			err = c.readText(key, field)
		case slices.Contains(folderKeys, key):
			err = field.Key.Errorf("a case has no %s: only folders have it", key)
		case first:
			p.warn(field.Key, "unknown key %q has no effect", key)
		}
		if err != nil {
			return err
		}
	}
	for ext, target := range c.links {
		if c.links[target] != "" {
			return n.Errorf("%s links to %s, which is a link itself: expected a link to a file with contents", ext[1:],
				target[1:])
		}
	}
	return nil
}

// copyPath checks the path that a case is copied from.
func copyPath(n *yaml.Node, from string) (string, error) {
	if !fs.ValidPath(from) || from == "." {
		return "", n.Errorf("copy %q: expected a path below generators/", from)
	}
	for _, key := range textKeys {
		if strings.HasSuffix(from, "."+key) {
			return "", n.Errorf("copy %q: expected no extension .%s", from, key)
		}
	}
	return from, nil
}

// readText reads the contents of a file. A line feed is added at the end of text that
// has none and is not empty.
func (c *casePlan) readText(key string, field yaml.Field) error {
	value, linkable := field.Value, slices.Contains(linkKeys, key)
	switch {
	case linkable && c.root() != "sample":
		return field.Key.Errorf("%s is only allowed for samples", key)
	case value.Kind() == yaml.Map && key == "yaml":
		c.yaml = value
		return nil
	case value.Kind() == yaml.Map:
		link := value.Get("link")
		if len(value.Fields()) != 1 || link == nil || !linkable {
			return value.Errorf("%s: expected text", key)
		}
		target, err := link.AsString()
		if err != nil {
			return err
		}
		kind, _, _ := strings.Cut(key, ".")
		if target == key || target != kind && !(strings.HasPrefix(target, kind+".") && slices.Contains(linkKeys, target)) {
			return link.Errorf("%s linked to %q: expected another file of the same kind, such as %s", key, target, kind)
		}
		c.links["."+key] = "." + target
		return nil
	}
	text, err := value.AsString()
	if err == nil && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	c.text["."+key] = text
	return err
}

// readMatch reads the expressions that the input and the answer must match.
func (p *parser) readMatch(c *casePlan, n *yaml.Node, first bool) error {
	c.match = map[string][]string{}
	at := map[string]*yaml.Node{".in": n}
	if n.Kind() == yaml.Map {
		clear(at)
		for _, field := range n.Fields() {
			key := field.Key.Text()
			if key != "in" && key != "ans" {
				return field.Key.Errorf("match %q: expected in or ans", key)
			}
			if at["."+key] = field.Value; field.Value.Kind() == yaml.Null {
				delete(at, "."+key)
				if first {
					p.unset(field)
				}
			}
		}
	}
	for _, ext := range slices.Sorted(maps.Keys(at)) {
		all, err := at[ext].AsStringOrStrings()
		if err != nil {
			return err
		}
		for i, re := range all {
			if _, err := expression(re); err != nil && first {
				n := at[ext]
				if n.Kind() == yaml.Sequence {
					n = n.Items()[i]
				}
				p.plan.Notes = append(p.plan.Notes, n.Errorf("the expression %q is not checked: %v", terminal.Excerpt(re, 70), err))
			}
		}
		c.match[ext] = all
	}
	return nil
}

// expression compiles a regular expression of the key match, which is written for
// Python with MULTILINE and DOTALL. Go does not have all of Python's syntax, such as
// lookahead and backreferences; those are errors.
func expression(python string) (*regexp.Regexp, error) {
	// Python writes the end of the text as \Z, Go as \z.
	re, err := regexp.Compile("(?ms)" + strings.NewReplacer(`\\`, `\\`, `\Z`, `\z`).Replace(python))
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return nil, errors.New(wrong.Code.String() + ": " + terminal.Excerpt(wrong.Expr, 70))
	}
	return re, err
}

// add adds a case to the plan.
func (p *parser) add(c casePlan) error {
	if len(p.plan.cases) == maxCases {
		return c.at.Errorf("more than %d cases", maxCases)
	}
	if i, ok := p.plan.index[c.name]; ok {
		return c.at.Errorf("a second case %s; the first is on line %d", c.name, p.plan.cases[i].at.Line())
	}
	if c.program != "" && c.includeOf == "" {
		work := c.work()
		if i, ok := p.byWork[work]; !ok {
			p.byWork[work] = len(p.plan.cases)
		} else if first := p.plan.cases[i]; first.at != c.at {
			// An entry with a count may declare equal cases.
			return c.at.Errorf("the command %q makes the same case as %s on line %d: expected another command, or {seed:2}",
				c.command, first.name, first.at.Line())
		}
	}
	p.plan.index[c.name] = len(p.plan.cases)
	p.plan.cases = append(p.plan.cases, c)
	return nil
}

// work returns everything that decides the contents of the case's files.
func (c *casePlan) work() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q", c.program, c.args, c.copy)
	for _, files := range []map[string]string{c.text, c.links} {
		for _, ext := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintf(&b, " %q %q", ext, files[ext])
		}
	}
	return b.String()
}
