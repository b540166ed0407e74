package yaml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Parse reads the one document of a file; an empty one is a Null node at 1:1.
// The data must be UTF-8 without a byte order mark, and of at most 1 MiB. The
// name of the file serves messages only. Errors are of type [*Error].
func Parse(file string, data []byte) (*Node, error) {
	root, repeated, err := ParseLast(file, data)
	if err == nil && repeated != nil {
		return nil, repeated[0]
	}
	return root, err
}

// ParseLast is [Parse] for files in which a key of a map may be given more than
// once, though YAML forbids it: as in PyYAML, the last one counts. It returns an
// error for each that is given again, in the order of the file.
func ParseLast(file string, data []byte) (root *Node, repeated []*Error, err error) {
	data, err = checkBytes(file, data)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			root, repeated, err = nil, nil, &Error{file, 1, 1, fmt.Sprintf("not understood as YAML: %v", p)}
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if t := tokens.InvalidToken(); t != nil {
		return nil, nil, errorAt(file, t, t.Error)
	}
	if err := checkTokens(file, tokens); err != nil {
		return nil, nil, err
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, nil, syntaxError(file, err)
	}
	r := reader{file: file, lines: strings.Split(string(data), "\n"), anchors: map[string]*Node{}}
	root = &Node{file: file, line: 1, column: 1, weight: 1}
	if len(tree.Docs) > 0 && tree.Docs[0].Body != nil {
		if root, err = r.node(tree.Docs[0].Body); err != nil {
			return nil, nil, err
		}
	}
	return root, r.repeated, r.checkAllRead(tokens)
}

// syntaxError gives an error of the parser underneath our form.
func syntaxError(file string, err error) error {
	var placed interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &placed) {
		return errorAt(file, placed.GetToken(), placed.GetMessage())
	}
	return &Error{file, 1, 1, err.Error()}
}

// errorAt returns an error at a token, which may be nil.
func errorAt(file string, t *token.Token, msg string) error {
	line, column := place(t)
	return &Error{file, line, column, oneLine(msg)}
}

func place(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return max(t.Position.Line, 1), max(t.Position.Column, 1)
}

// A reader turns the syntax tree of one file into nodes.
type reader struct {
	file    string
	lines   []string
	runesOf int    // the line that runes holds
	runes   []rune // of one line
	anchors map[string]*Node
	scalars int // scalars read, as tokens
	indent  int // of the block map or list being read, in spaces

	repeated []*Error // keys given again
}

// checkAllRead makes sure that the parser underneath passed over nothing: it
// accepts some malformed files and drops what it did not expect.
func (r *reader) checkAllRead(tokens token.Tokens) error {
	written := 0
	for _, t := range tokens {
		switch t.Type {
		case token.StringType, token.SingleQuoteType, token.DoubleQuoteType, token.IntegerType, token.BinaryIntegerType,
			token.OctetIntegerType, token.HexIntegerType, token.FloatType, token.InfinityType, token.NanType,
			token.BoolType, token.NullType:
			written++
		}
		if written > r.scalars && t.Next == nil {
			return errorAt(r.file, t, "not understood as YAML: some words before this one belong to nothing")
		}
	}
	return nil
}

func (r *reader) at(t *token.Token, kind Kind, text string) *Node {
	line, column := place(t)
	return &Node{file: r.file, line: line, column: column, kind: kind, text: text, weight: 1}
}

// node turns a syntax node, and all below it, into a Node.
func (r *reader) node(n ast.Node) (*Node, error) {
	switch n := n.(type) {
	case *ast.NullNode:
		if n.Token.Type != token.ImplicitNullType {
			r.scalars++
		}
		return r.at(n.Token, Null, ""), nil
	case *ast.MappingNode:
		return r.mapNode(n)
	case *ast.SequenceNode:
		return r.sequence(n)
	case *ast.LiteralNode:
		r.scalars++
		if strings.TrimSpace(n.Value.Token.Origin) == "" && n.Value.Token.Next != nil {
			// The parser underneath misreads what comes after one.
			return nil, errorAt(r.file, n.Start, `an empty block is not understood: write ""`)
		}
		text, wrong := block(n.Start.Value, n.Value.Token.Origin, r.indent)
		if wrong != "" {
			return nil, errorAt(r.file, n.Start, wrong)
		}
		return r.found(r.at(n.Start, String, text), n.Start), nil
	case *ast.StringNode:
		r.scalars++
		switch n.Token.Type {
		case token.SingleQuoteType:
			return r.found(r.at(n.Token, String, singleQuoted(n.Token.Origin)), n.Token), nil
		case token.DoubleQuoteType:
			return r.found(r.at(n.Token, String, n.Value), n.Token), nil
		}
		return r.plain(n.Token), nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		r.scalars++
		return r.plain(n.GetToken()), nil
	case *ast.AnchorNode:
		r.scalars++ // its name
		value, err := r.node(n.Value)
		if err == nil {
			r.anchors[n.Name.GetToken().Value] = value
		}
		return value, err
	case *ast.AliasNode:
		r.scalars++
		name := n.Value.GetToken().Value
		if value := r.anchors[name]; value != nil {
			return value, nil
		}
		return nil, errorAt(r.file, n.Start, fmt.Sprintf("the alias *%s has no anchor &%s before it", clip(name), clip(name)))
	case nil:
		return nil, &Error{r.file, 1, 1, "not understood as YAML: a value is missing"}
	}
	return nil, errorAt(r.file, n.GetToken(), fmt.Sprintf("not understood as YAML: %s", n.Type()))
}

// indented sets the indentation, and returns what sets it back.
func (r *reader) indented(spaces int) func() {
	before := r.indent
	r.indent = spaces
	return func() { r.indent = before }
}

// plain is a scalar without quotes, of the kind its form says.
func (r *reader) plain(t *token.Token) *Node {
	text := plainText(t.Origin)
	kind := plainKind(text)
	if kind == Null {
		text = ""
	}
	return r.found(r.at(t, kind, text), t)
}

// found moves n to where the text of its token begins. The parser underneath
// places some too late, by the spaces behind them, or on their last
// line, and some too early, by a tab before them.
func (r *reader) found(n *Node, t *token.Token) *Node {
	begin, rest, several := strings.Cut(strings.TrimSpace(t.Origin), "\n")
	if t.Type == token.DoubleQuoteType {
		begin, rest, several = `"`, "", false // its origin is not as written
	}
	word := []rune(strings.TrimRight(begin, " \t"))
	if several {
		// Empty lines behind the text may count in the place, or not.
		last := n.line - strings.Count(rest, "\n") - 1
		first := n.line - strings.Count(strings.TrimLeft(t.Origin, " \t\n"), "\n")
		for line := last; line >= max(first, 1); line-- {
			text := []rune(strings.TrimRight(r.lines[line-1], " \t"))
			if from := len(text) - len(word); standsAt(text, from, word) {
				n.line, n.column = line, from+1
				return n
			}
		}
	}
	// Long lines hold many words: one line is turned into runes once.
	if r.runesOf != n.line {
		r.runesOf, r.runes = n.line, []rune(r.lines[n.line-1])
	}
	for from := min(n.column-1, len(r.runes)-len(word)); from >= 0; from-- {
		if standsAt(r.runes, from, word) {
			n.column = from + 1
			return n
		}
	}
	for from := n.column; from+len(word) <= len(r.runes); from++ {
		if standsAt(r.runes, from, word) {
			n.column = from + 1
			return n
		}
	}
	return n
}

// standsAt reports whether the word stands in the line from there on.
func standsAt(line []rune, from int, word []rune) bool {
	return from >= 0 && from+len(word) <= len(line) && slices.Equal(line[from:from+len(word)], word)
}

func (r *reader) sequence(n *ast.SequenceNode) (*Node, error) {
	list := r.found(r.at(n.Start, Sequence, ""), n.Start)
	if !n.IsFlowStyle {
		defer r.indented(list.column - 1)()
	}
	for i, v := range n.Values {
		item, err := r.node(v)
		if err != nil {
			return nil, err
		}
		if i < len(n.Entries) && !n.IsFlowStyle {
			// An empty item can swallow what stands below it.
			line, column := place(n.Entries[i].Start)
			_, alias := v.(*ast.AliasNode)
			if !alias && item.line > line && item.column <= column && item.kind != Null {
				return nil, item.Errorf("want this indented by more than the %q of line %d", "-", line)
			}
		}
		list.items = append(list.items, item)
		if err := list.grow(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (r *reader) mapNode(n *ast.MappingNode) (*Node, error) {
	m := r.found(r.at(n.Start, Map, ""), n.Start)
	m.index = make(map[string]int, len(n.Values))
	for i, v := range n.Values {
		key, err := r.node(v.Key)
		if err != nil {
			return nil, err
		}
		if key.kind == Sequence || key.kind == Map {
			return nil, key.Errorf("want a word as key, got %s", key.kind)
		}
		first, again := m.index[key.text]
		if again {
			e := &Error{File: key.file, Line: key.line, Column: key.column}
			e.Msg = oneLine(fmt.Sprintf("the key %q is given twice, also on line %d", clip(key.text), m.fields[first].Key.line))
			r.repeated = append(r.repeated, e)
		}
		if i == 0 && !n.IsFlowStyle {
			// The tree puts a block map at its first colon.
			m.line, m.column = key.line, key.column
			defer r.indented(m.column - 1)()
		}
		value, err := r.node(v.Value)
		if err != nil {
			return nil, err
		}
		if again {
			m.fields[first] = Field{key, value}
		} else {
			m.index[key.text] = len(m.fields)
			m.fields = append(m.fields, Field{key, value})
		}
		if err := m.grow(value); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// grow counts what child adds to n, so that aliases of aliases cannot make a
// small file a huge value.
func (n *Node) grow(child *Node) error {
	if n.weight += child.weight; n.weight > maxWeight {
		return n.Errorf("more than %d values, with aliases followed", maxWeight)
	}
	return nil
}
