package generate

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
)

// An inclusion is one case that a folder takes over from elsewhere.
type inclusion struct {
	of int // in plan.Cases
	at *yaml.Node
}

// included resolves the keys that a folder includes. They name cases and
// folders that stand before it.
func (p *parser) included(n *yaml.Node) ([]inclusion, error) {
	if n == nil || n.Kind() == yaml.Null {
		return nil, nil
	}
	keys, err := n.AsStrings()
	if err != nil {
		return nil, err
	}
	var all []inclusion
	for i, key := range keys {
		at := n.Items()[i]
		if strings.Contains(key, "/") {
			return nil, at.Errorf("include %q: want the key of a case or folder, not a path", key)
		}
		rules := p.known[key]
		switch {
		case len(rules) == 0:
			return nil, at.Errorf("include %q: no case or folder before this has that key", key)
		case len(rules) > 1:
			return nil, at.Errorf("include %q: %d cases and folders have that key", key, len(rules))
		}
		for of := rules[0].from; of < rules[0].to; of++ {
			all = append(all, inclusion{of, at})
		}
		if len(all) > maxCases {
			return nil, at.Errorf("more than %d cases", maxCases)
		}
	}
	return all, nil
}

// include takes one case over into a folder, under the name it has elsewhere.
func (p *parser) include(f folder, in inclusion) error {
	c := p.plan.Cases[in.of]
	if c.IncludeOf == "" {
		c.IncludeOf = c.Name
	}
	c.Name = path.Join(f.name, path.Base(c.Name))
	c.Line, c.Column = in.at.Line(), in.at.Column()
	if i, ok := p.byName[c.Name]; ok {
		if there := p.plan.Cases[i]; there.IncludeOf == c.IncludeOf || there.Name == c.IncludeOf {
			return nil // by way of another folder, or its own
		}
		return in.at.Errorf("include of %s: %s is made on line %d", c.IncludeOf, c.Name, p.plan.Cases[i].Line)
	}
	return p.add(in.at, c)
}

// countNumbered counts the cases to which numbers will be given, those of
// entries of lists. What is wrong is passed over here and told later.
func countNumbered(n *yaml.Node) int {
	total := 0
	data := n.Get("data")
	if data == nil {
		return 0
	}
	count := func(fields []yaml.Field, numbered bool) {
		for _, field := range fields {
			switch {
			case isFolder(field.Value):
				total += countNumbered(field.Value)
			case numbered && isCase(field.Value):
				values, _, err := counts(field.Value)
				if err == nil {
					total += len(values)
				}
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

// numberedName is "07-tree", or "07" where there is no name.
func numberedName(number, width int, name string) string {
	prefix := fmt.Sprintf("%0*d", width, number)
	if name == "" {
		return prefix
	}
	return prefix + "-" + name
}
