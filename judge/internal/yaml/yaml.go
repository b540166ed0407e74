// Package yaml reads YAML as values that know their file, line and column, so that
// an error about a value in problem.yaml can name its position. [Marshal] writes YAML.
//
// It follows the core schema of YAML 1.2: yes and 1_000 are text, and 010 is ten. A
// file has one document, and the keys of a map are scalars. Anchors and aliases are
// followed. Tags, merge keys, directives, and the characters that are line breaks in
// YAML 1.1 only (U+0085, U+2028, U+2029) are errors.
//
// The parser is go.yaml.in/yaml/v3. For a syntax error it reports the line but not the
// column; the line may be that of the map, list or text that contains the error. Of
// YAML 1.2 it also refuses the escape \/ in quoted text, some tabs between tokens, and
// anchors with characters other than letters, digits, - and _.
package yaml

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge/terminal"
)

// An Error is a defect at a position in a file.
type Error struct {
	File   string // as given to [Parse]
	Line   int    // from 1
	Column int    // from 1, in characters; 0 if it is not known
	Msg    string // what was found and what is expected
}

// Error returns the position and the message.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// A Kind is the kind of a [Node].
type Kind int

const (
	Null     Kind = iota // nothing, null or ~
	Bool                 // true or false
	Int                  // 12, -3, 0x1F, 0o17
	Float                // 1.5, 1e9, .inf, .nan
	String               // text, plain, quoted or in a block
	Sequence             // a list
	Map                  // keys with values
)

// String returns the kind as messages name it: "a map", "text".
func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "an integer", "a number", "text", "a list", "a map"}[k]
}

// A Node is a value in a YAML file. An alias is the node that the anchor names, at
// the position of that node.
type Node struct {
	file         string
	line, column int
	kind         Kind
	text         string // of a scalar
	fields       []Field
	index        map[string]int // from key to index in fields
	items        []*Node
	values       int // number of values in the node and below it, with aliases followed
}

// A Field is one key of a map with its value. The key's name is Key.Text().
type Field struct {
	Key, Value *Node
}

// Kind returns the kind of n.
func (n *Node) Kind() Kind { return n.kind }

// File returns the name that was given to [Parse].
func (n *Node) File() string { return n.file }

// Line returns the line in which n begins, from 1.
func (n *Node) Line() int { return n.line }

// Column returns the column in which n begins, from 1, in characters.
func (n *Node) Column() int { return n.column }

// Errorf returns an [*Error] at n. It escapes line feeds and control characters.
func (n *Node) Errorf(format string, args ...any) error {
	return &Error{n.file, n.line, n.column, terminal.Clean(fmt.Sprintf(format, args...))}
}

func clip(s string) string { return terminal.Excerpt(s, 40) }

// Equal reports whether two nodes have the same value, with the keys of maps in the
// same order. Either may be nil.
func (n *Node) Equal(other *Node) bool {
	if n == nil || other == nil {
		return n == other
	}
	return n.kind == other.kind && n.text == other.text &&
		slices.EqualFunc(n.fields, other.fields, Field.Equal) && slices.EqualFunc(n.items, other.items, (*Node).Equal)
}

// Equal reports whether two fields have the same key and value.
func (f Field) Equal(other Field) bool {
	return f.Key.text == other.Key.text && f.Value.Equal(other.Value)
}

// Fields returns the fields of a map in the order of the file, and nil for other
// kinds. The texts of the keys are distinct. n may be nil.
func (n *Node) Fields() []Field {
	if n == nil {
		return nil
	}
	return n.fields
}

// Get returns the value of a key of a map, or nil if n has no such key, is no map or
// is nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	if i, ok := n.index[key]; ok {
		return n.fields[i].Value
	}
	return nil
}

// DropUnset removes the fields of maps that have no value from n and everything below it,
// and returns their keys. A list of nothing but empty items is no value either, unless it
// lists arguments, nor is a map of nothing but such keys. The values of the keys whole are
// not changed.
func (n *Node) DropUnset(whole ...string) (keys []*Node) {
	for _, item := range n.items {
		keys = append(keys, item.DropUnset(whole...)...)
	}
	if n.kind != Map {
		return keys
	}
	fields := n.fields
	n.fields, n.index = nil, make(map[string]int)
	for _, f := range fields {
		key, v := f.Key.text, f.Value
		valued := func(n *Node) bool { return n.kind != Null }
		list := v.kind == Sequence && len(v.items) > 0 && !strings.HasSuffix(key, "args") && !strings.HasSuffix(key, "flags")
		if !valued(v) || list && !slices.ContainsFunc(v.items, valued) {
			keys = append(keys, f.Key)
			continue
		}
		if !slices.Contains(whole, key) {
			below := v.DropUnset(whole...)
			if keys = append(keys, below...); len(below) > 0 && v.kind == Map && len(v.fields) == 0 {
				continue
			}
		}
		n.index[key] = len(n.fields)
		n.fields = append(n.fields, f)
	}
	return keys
}

// Items returns the items of a sequence, and nil for other kinds.
func (n *Node) Items() []*Node { return n.items }

// Text returns a scalar as it is written, with quotes, escapes and folding
// resolved: "1.0" for 1.0. It is "" for null, maps and sequences.
func (n *Node) Text() string { return n.text }
