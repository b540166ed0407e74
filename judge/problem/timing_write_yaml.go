package problem

import (
	"fmt"
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
	e := &textEdit{text: string(data)}
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
		err = e.replace(old, number)
	case limits == nil:
		err = e.add(root, nil, "limits", "{time_limit: "+number+"}", "\n  time_limit: "+number)
	case limits.Kind() == yaml.Null:
		e.below(key, root.Column()+1, "time_limit: "+number)
	default:
		err = e.add(limits, key, "time_limit", number, " "+number)
	}
	if err != nil {
		return nil, nil, byHand(file, err.Error(), number)
	}
	after, err := yaml.Parse(file, []byte(e.text))
	if err != nil || !sameButLimit(root, after) {
		return nil, nil, byHand(file, "uses YAML that cannot be edited safely", number)
	}
	if _, limits := fieldOf(after, "limits"); limits == nil || limits.Get("time_limit") == nil || limits.Get("time_limit").Text() != number {
		return nil, nil, byHand(file, "uses YAML that cannot be edited safely", number)
	}
	return []byte(e.text), change, nil
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

// A textEdit changes a text at one place.
type textEdit struct{ text string }

// offset returns the offset, in bytes, at which a node begins.
func (e *textEdit) offset(n *yaml.Node) (int, error) {
	at := e.line(n.Line())
	rest := e.text[at:]
	column := 1
	for i := range rest {
		if column == n.Column() {
			return at + i, nil
		}
		column++
	}
	return 0, fmt.Errorf("ends before line %d, column %d", n.Line(), n.Column())
}

// line returns the offset of the start of line n, from 1, or the length of the text if
// it has fewer lines.
func (e *textEdit) line(n int) int {
	at := 0
	for range n - 1 {
		i := strings.IndexByte(e.text[at:], '\n')
		if i < 0 {
			return len(e.text)
		}
		at += i + 1
	}
	return at
}

// lineEnd returns the line end that the text uses.
func (e *textEdit) lineEnd() string {
	if i := strings.IndexByte(e.text, '\n'); i > 0 && e.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (e *textEdit) insert(at int, what string) { e.text = e.text[:at] + what + e.text[at:] }

// replace replaces the text of a scalar with a number.
func (e *textEdit) replace(old *yaml.Node, number string) error {
	at, err := e.offset(old)
	if err != nil {
		return err
	}
	if old.Text() == "" || !strings.HasPrefix(e.text[at:], old.Text()) {
		return fmt.Errorf("has a time_limit that is not a plain number")
	}
	e.text = e.text[:at] + number + e.text[at+len(old.Text()):]
	return nil
}

// add adds a field to a map that has no field of that name. In a map in braces, the
// field is the first one. In a block, its line follows that of the map's own key or,
// if key is nil, is the last one of the text.
func (e *textEdit) add(to, key *yaml.Node, name, inFlow, inBlock string) error {
	if to.Kind() != yaml.Map {
		return fmt.Errorf("has limits that are not a map")
	}
	at, err := e.offset(to)
	if err != nil {
		return err
	}
	if strings.HasPrefix(e.text[at:], "{") {
		inside := strings.TrimLeft(e.text[at+1:], " ")
		at = len(e.text) - len(inside)
		what := name + ": " + inFlow
		switch {
		case len(to.Fields()) > 0 && strings.HasPrefix(strings.TrimPrefix(inside, "\r"), "\n"):
			what += ","
		case len(to.Fields()) > 0:
			what += ", "
		case at > 0 && e.text[at-1] == ' ':
			what += " "
		}
		e.insert(at, what)
		return nil
	}
	indent := strings.Repeat(" ", to.Column()-1)
	if key != nil {
		e.below(key, to.Column()-1, name+":"+inBlock)
		return nil
	}
	if e.text != "" && !strings.HasSuffix(e.text, "\n") {
		e.text += e.lineEnd()
	}
	e.text += strings.ReplaceAll(indent+name+":"+strings.ReplaceAll(inBlock, "\n", "\n"+indent), "\n", e.lineEnd()) + e.lineEnd()
	return nil
}

// below inserts a line after that of a key.
func (e *textEdit) below(key *yaml.Node, indent int, what string) {
	end := e.lineEnd()
	at := e.line(key.Line() + 1)
	if at == len(e.text) && !strings.HasSuffix(e.text, "\n") {
		e.text += end
		at = len(e.text)
	}
	e.insert(at, strings.Repeat(" ", indent)+what+end)
}
