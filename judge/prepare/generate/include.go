package generate

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
)

// included returns the cases that a folder includes, with the position of the include.
// n lists keys of cases and folders that are earlier in the file.
func (p *parser) included(n *yaml.Node) ([]casePlan, error) {
	if n == nil || n.Kind() == yaml.Null {
		return nil, nil
	}
	keys, err := n.AsStrings()
	if err != nil {
		return nil, err
	}
	var all []casePlan
	for i, key := range keys {
		at, spans := n.Items()[i], p.known[key]
		switch {
		case strings.Contains(key, "/"):
			return nil, at.Errorf("include %q: expected the key of a case or folder, found a path", key)
		case len(spans) == 0:
			return nil, at.Errorf("include %q: no case or folder before this has that key", key)
		case len(spans) > 1:
			return nil, at.Errorf("include %q: %d cases and folders have that key", key, len(spans))
		}
		for _, c := range p.plan.cases[spans[0].from:spans[0].to] {
			c.includeOf = cmp.Or(c.includeOf, c.name)
			c.at = at
			all = append(all, c)
		}
		if len(all) > maxCases {
			return nil, at.Errorf("more than %d cases", maxCases)
		}
	}
	return all, nil
}

// include adds an included case to a folder.
func (p *parser) include(f folder, c casePlan) error {
	c.name = path.Join(f.name, path.Base(c.name))
	if i, ok := p.plan.index[c.name]; ok {
		other := p.plan.cases[i]
		if other.includeOf == c.includeOf || other.name == c.includeOf {
			return nil // included twice, or into its own folder
		}
		return c.at.Errorf("include of %s: line %d declares another case %s", c.includeOf, other.at.Line(), c.name)
	}
	return p.add(c)
}

// countNumbered returns how many cases get numbers: those of entries of lists. It
// ignores mistakes, which are reported later.
func countNumbered(n *yaml.Node) int {
	data := n.Get("data")
	if data == nil {
		return 0
	}
	total := 0
	count := func(fields []yaml.Field, numbered bool) {
		for _, field := range fields {
			if isFolder(field.Value) {
				total += countNumbered(field.Value)
			} else if numbered && isCase(field.Value) {
				values, _ := counts(field.Value)
				total += len(values)
			}
		}
	}
	count(data.Fields(), false)
	for _, item := range data.Items() {
		count(item.Fields(), true)
	}
	return total
}

func digits(n int) int { return len(strconv.Itoa(n)) }

// numberedName returns "07-tree", or "07" if there is no name.
func numberedName(number, width int, name string) string {
	if name != "" {
		name = "-" + name
	}
	return fmt.Sprintf("%0*d%s", width, number, name)
}
