package problem

import (
	"errors"
	"slices"
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
	switch old := limits.Get("time_limit"); {
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
	if err != nil || !sameButLimit(root, after) || after.Get("limits").Get("time_limit").Text() != number {
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

// sameButLimit reports whether two files are equal except for the time limit.
func sameButLimit(a, b *yaml.Node) bool {
	others := func(n *yaml.Node, name string) []yaml.Field {
		return slices.DeleteFunc(slices.Clone(n.Fields()), func(f yaml.Field) bool { return f.Key.Text() == name })
	}
	return slices.EqualFunc(others(a, "limits"), others(b, "limits"), yaml.Field.Equal) &&
		slices.EqualFunc(others(a.Get("limits"), "time_limit"), others(b.Get("limits"), "time_limit"), yaml.Field.Equal)
}
