package problem

import (
	"cmp"
	"maps"
	"slices"

	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// A reader reads the value of a key.
type reader = func(*yaml.Node) error

// fields reads a map with a table of its keys and reports all defects, not only
// the first. It returns whether n is a map. what names the map in messages.
func (d *Defects) fields(n *yaml.Node, what string, keys map[string]reader) bool {
	if n.Kind() != yaml.Map {
		d.Add(n.Errorf("%s: expected a map, found %v", what, n.Kind()))
		return false
	}
	for _, f := range n.Fields() {
		read, ok := keys[f.Key.Text()]
		if !ok {
			d.Add(d.depart(f.Key.Errorf("unknown key %q in %s%s", f.Key.Text(), what,
				cmp.Or(successor(f.Key.Text(), keys), terminal.DidYouMean(f.Key.Text(), slices.Sorted(maps.Keys(keys)))))))
			continue
		}
		d.Add(read(f.Value))
	}
	return true
}

// dropUnset removes the keys without a value from a file: they are not set (2025-09,
// "Problem metadata"). It warns of them if the version is strict; older packages often have
// such keys. Constants must have values.
func (d *Defects) dropUnset(n *yaml.Node) {
	for _, key := range n.DropUnset("constants") {
		if d.strict {
			d.warn(key.Errorf("%s has no value, and is read as if it were absent: expected a value", key.Text()))
		}
	}
}

// successors maps each key that 2025-09 dropped to its replacement. A hint is
// given only in maps that have the key in.
var successors = map[string]struct{ in, use string }{
	"source_url":             {"source", "source: {name: NAME, url: URL}"},
	"author":                 {"credits", "credits: {authors: NAME}"},
	"validation":             {"type", "type: [interactive] or the like; a folder output_validator/ makes it custom"},
	"validator_flags":        {"type", "output_validator_args in data/test_group.yaml"},
	"grading":                {"type", "test_group.yaml in the groups of data/"},
	"time_multiplier":        {"time_multipliers", "time_multipliers: {ac_to_time_limit: FACTOR}"},
	"time_safety_margin":     {"time_multipliers", "time_multipliers: {time_limit_to_tle: FACTOR}"},
	"output_validator_flags": {"output_validator_args", "output_validator_args: [FLAG, ...]"},
	"input_validator_flags":  {"input_validator_args", "input_validator_args: [FLAG, ...]"},
}

// successor returns a hint that names the replacement of a dropped key, or "".
func successor(key string, keys map[string]reader) string {
	if s := successors[key]; keys[s.in] != nil {
		return ": use " + s.use
	}
	return ""
}

// into returns a reader that stores the value that as returns.
func into[T any](to *T, as func(*yaml.Node) (T, error)) reader {
	return func(n *yaml.Node) (err error) { *to, err = as(n); return err }
}

// checked returns a reader for a value that is checked and not used.
func checked[T any](as func(*yaml.Node) (T, error)) reader { return into(new(T), as) }

// ignored is the reader of a key that is read elsewhere.
func ignored(*yaml.Node) error { return nil }

// oneOf returns a function that reads one of the words as the value of a key.
func oneOf[T ~string](key string, words ...T) func(*yaml.Node) (T, error) {
	return func(n *yaml.Node) (T, error) {
		word, err := n.AsString()
		if err == nil && !slices.Contains(words, T(word)) {
			err = n.Errorf("%s %q: expected %s", key, word, list(words, " or "))
		}
		return T(word), err
	}
}

// scoreOr reads a non-negative integer, or a word that replaces it.
func scoreOr(n *yaml.Node, key, word string) (score float64, isWord bool, err error) {
	if n.Text() == word {
		return 0, true, nil
	}
	v, err := n.AsInt()
	if err != nil || v < 0 {
		err = n.Errorf("%s %q: expected a non-negative integer or %s", key, n.Text(), word)
	}
	return float64(v), false, err
}

// byName reads the value of a key that applies to all validators or, if it is a map
// from their names, to each of them.
func byName(n *yaml.Node, read func(*yaml.Node) ([]string, error)) (all []string, by map[string][]string, err error) {
	if n.Kind() != yaml.Map {
		all, err = read(n)
		return all, nil, err
	}
	by = make(map[string][]string)
	for _, f := range n.Fields() {
		if by[f.Key.Text()], err = read(f.Value); err != nil {
			return nil, nil, err
		}
	}
	return nil, by, nil
}

// firstError calls read for the nodes in order, up to the first error, and returns it.
func firstError(nodes []*yaml.Node, read reader) error {
	for _, n := range nodes {
		if err := read(n); err != nil {
			return err
		}
	}
	return nil
}

// oneOrMore returns the items of a list, or the value itself as the only item.
func oneOrMore(n *yaml.Node) []*yaml.Node {
	if n.Kind() == yaml.Sequence {
		return n.Items()
	}
	return []*yaml.Node{n}
}
