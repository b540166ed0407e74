// Package yaml reads YAML as values that know where they stand, so that
// whoever reads a problem.yaml can say what is wrong with it by file, line and
// column.
//
// It reads what configuration files need, by the core schema of YAML 1.2: yes
// and 1_000 are text, 010 is ten. One document to a file, and keys that are
// plain or quoted words. Tags, merge keys, directives and "? key" are refused,
// each by name; anchors and aliases are followed.
package yaml

import (
	"fmt"
	"strconv"
	"strings"
)

// An Error is a defect at a place in a file.
type Error struct {
	File   string
	Line   int // from 1
	Column int // from 1, in characters
	Msg    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// A Kind is what sort of value a [Node] is.
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

// String names the kind as an error message would: "a map", "text".
func (k Kind) String() string {
	switch k {
	case Null:
		return "nothing"
	case Bool:
		return "a boolean"
	case Int:
		return "an integer"
	case Float:
		return "a number"
	case String:
		return "text"
	case Sequence:
		return "a list"
	case Map:
		return "a map"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// A Node is a value in a YAML file. Where an alias stands for it, the node is
// the one that the anchor marked, in its own place.
type Node struct {
	file         string
	line, column int
	kind         Kind
	text         string // of a scalar
	fields       []Field
	index        map[string]int // into fields
	items        []*Node
	weight       int // nodes in it, aliases followed
}

// A Field is one key of a map with its value. The key's name is Key.Text().
type Field struct {
	Key, Value *Node
}

// Kind returns what sort of value n is.
func (n *Node) Kind() Kind { return n.kind }

// File returns the name that was given to [Parse].
func (n *Node) File() string { return n.file }

// Line returns the line on which n begins, from 1.
func (n *Node) Line() int { return n.line }

// Column returns the column at which n begins, from 1, in characters.
func (n *Node) Column() int { return n.column }

// Errorf returns an [*Error] at n.
func (n *Node) Errorf(format string, args ...any) error {
	return &Error{n.file, n.line, n.column, oneLine(fmt.Sprintf(format, args...))}
}

// oneLine escapes what a message quotes of a file, so that it stays on its line
// and does not write to a terminal.
func oneLine(msg string) string {
	if !strings.ContainsFunc(msg, unprintable) {
		return msg
	}
	var b strings.Builder
	for _, r := range msg {
		if unprintable(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool { return !strconv.IsPrint(r) }

// Fields returns what a map holds, in the order of the file; nil for any other
// kind. No two keys have the same text.
func (n *Node) Fields() []Field { return n.fields }

// Get returns the value of a key of a map, or nil where there is none.
func (n *Node) Get(key string) *Node {
	if i, ok := n.index[key]; ok {
		return n.fields[i].Value
	}
	return nil
}

// Items returns what a sequence holds; nil for any other kind.
func (n *Node) Items() []*Node { return n.items }

// Text returns a scalar as it was written, quotes, escapes and folding
// resolved: "1.0" for 1.0. It is "" for null, and for maps and sequences.
func (n *Node) Text() string { return n.text }
