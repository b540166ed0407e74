package problem

import (
	"errors"
	"strings"

	"crucible/judge/internal/yaml"
)

// setTimeLimit writes limits.time_limit into the text of a problem.yaml. It edits the
// text, so that comments, order, quotes and line ends are unchanged. Because YAML has
// many forms, it parses the result and returns an error if anything but the time
// limit has changed.
func setTimeLimit(file string, data []byte, number string) ([]byte, *LimitChange, error) {
	root, err := yaml.Parse(file, data)
	if err != nil {
		return nil, nil, err
	}
	if root.Kind() != yaml.Map {
		return nil, nil, byHand(file, "is not a map", number)
	}
	e := &yaml.Edit{Text: string(data)}
	change := &LimitChange{After: number}
	key, limits := fieldOf(root, "limits")
	var old *yaml.Node
	if limits != nil {
		old = limits.Get("time_limit")
	}
	switch {
	case old != nil:
		change.Before = old.Text()
		if v, err := old.AsFloat(); err == nil && same(v, number) {
			return data, change, nil
		}
		if strings.Contains(change.Before, ".") && !strings.Contains(number, ".") {
			number += ".0"
			change.After = number
		}
		err = e.Replace("time_limit", old, number)
	case limits == nil:
		err = e.Add(root, nil, "limits", "{time_limit: "+number+"}", "\n  time_limit: "+number)
	case limits.Kind() == yaml.Null:
		e.Below(key, root.Column()+1, "time_limit: "+number)
	case limits.Kind() != yaml.Map:
		err = errors.New("has limits that are not a map")
	default:
		err = e.Add(limits, key, "time_limit", number, " "+number)
	}
	if err != nil {
		return nil, nil, byHand(file, err.Error(), number)
	}
	after, err := yaml.Parse(file, []byte(e.Text))
	if err != nil || !sameButLimit(root, after) {
		return nil, nil, byHand(file, "uses YAML that cannot be edited safely", number)
	}
	if _, limits := fieldOf(after, "limits"); limits == nil || limits.Get("time_limit") == nil || limits.Get("time_limit").Text() != number {
		return nil, nil, byHand(file, "uses YAML that cannot be edited safely", number)
	}
	return []byte(e.Text), change, nil
}

// fieldOf returns the key and the value of the field of that name, or nil.
func fieldOf(n *yaml.Node, name string) (key, value *yaml.Node) {
	for _, f := range n.Fields() {
		if f.Key.Text() == name {
			return f.Key, f.Value
		}
	}
	return nil, nil
}

// unlimited returns the fields of a problem.yaml, or of its limits, that must not
// change: all except limits.time_limit, and except limits without other fields.
func unlimited(n *yaml.Node, inLimits bool) (fields []yaml.Field) {
	for _, f := range n.Fields() {
		switch name := f.Key.Text(); {
		case inLimits && name == "time_limit":
		case !inLimits && name == "limits" && f.Value.Kind() == yaml.Null,
			!inLimits && name == "limits" && f.Value.Kind() == yaml.Map && unlimited(f.Value, true) == nil:
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// sameButLimit reports whether two files are equal except for the time limit.
func sameButLimit(a, b *yaml.Node) bool {
	c := comparison{equal: make(map[[2]*yaml.Node]bool)}
	return c.fields(unlimited(a, false), unlimited(b, false), func(name string, a, b *yaml.Node) bool {
		if name == "limits" && a.Kind() == yaml.Map && b.Kind() == yaml.Map {
			return c.fields(unlimited(a, true), unlimited(b, true), c.nodes)
		}
		return c.nodes(name, a, b)
	})
}

// A comparison caches pairs of equal nodes, because many aliases may refer to one
// large node.
type comparison struct{ equal map[[2]*yaml.Node]bool }

func (c *comparison) fields(a, b []yaml.Field, same func(name string, a, b *yaml.Node) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key.Text() != b[i].Key.Text() || !same(a[i].Key.Text(), a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}

func (c *comparison) nodes(_ string, a, b *yaml.Node) bool {
	if c.equal[[2]*yaml.Node{a, b}] {
		return true
	}
	if a.Kind() != b.Kind() || a.Text() != b.Text() || len(a.Items()) != len(b.Items()) || !c.fields(a.Fields(), b.Fields(), c.nodes) {
		return false
	}
	for i, item := range a.Items() {
		if !c.nodes("", item, b.Items()[i]) {
			return false
		}
	}
	c.equal[[2]*yaml.Node{a, b}] = true
	return true
}
