package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	lib "go.yaml.in/yaml/v3"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

// Limits of a file, because files are untrusted. The library has its own limits of
// 10,000 levels and of 1024 characters in a key.
const (
	maxBytes  = 1 << 20 // of the file
	maxDepth  = 64      // maps and sequences inside each other
	maxValues = 100_000 // with aliases followed
)

// Parse reads a file of one document; an empty file is a [Null] node at 1:1. The
// data must be UTF-8 without a byte order mark and at most 1 MiB. file is the name
// for messages. The error is an [*Error].
func Parse(file string, data []byte) (*Node, error) {
	root, repeated, err := ParseLast(file, data)
	if err == nil && repeated != nil {
		return nil, repeated[0]
	}
	return root, err
}

// ParseLast is [Parse] for files in which a key of a map may occur twice, although
// YAML forbids it. As in PyYAML, the last one counts. It returns an error for each
// repeated key, in the order of the file.
func ParseLast(file string, data []byte) (root *Node, repeated []*Error, err error) {
	if err := checkText(file, data); err != nil {
		return nil, nil, err
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(slices.Clip(data), '\n') // otherwise a final block scalar would lack its line feed
	}
	document, err := decode(file, data)
	if err != nil {
		return nil, nil, err
	}
	if document == nil {
		return &Node{file: file, line: 1, column: 1}, nil, nil
	}
	r := reader{file: file, data: data, lines: bytes.Count(data, []byte("\n")), line: 1, column: 1,
		anchored: make(map[*lib.Node]*Node)}
	root, err = r.node(document.Content[0], 1)
	return root, r.repeated, err
}

var directive = lazy.Regexp(`\A(?:[ \t]*(?:#.*)?\n)*%`)

// checkText checks the characters of a file (YAML 1.2.2, section 5.1, c-printable).
func checkText(file string, data []byte) error {
	switch found := directive().Find(data); {
	case len(data) > maxBytes:
		return &Error{file, 1, 0, fmt.Sprintf("found a file of %d bytes: expected at most %d", len(data), maxBytes)}
	case bytes.HasPrefix(data, []byte("\uFEFF")):
		return &Error{file, 1, 1, "the file begins with a byte order mark: expected UTF-8 without one"}
	case found != nil:
		return &Error{file, 1 + bytes.Count(found, []byte("\n")), 1, "directives such as %YAML are not supported"}
	}
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		msg := ""
		switch {
		case r == utf8.RuneError && size == 1:
			msg = fmt.Sprintf("expected UTF-8, found the byte 0x%02X", rest[0])
		case r == '\r' && !bytes.HasPrefix(rest, []byte("\r\n")):
			msg = "a carriage return without a line feed"
		case r < ' ' && !strings.ContainsRune("\t\n\r", r), r >= 0x7F && r < 0xA0, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF,
			r == 0x2028, r == 0x2029: // and U+0085: line breaks in YAML 1.1, which the library reads, but not in 1.2
			msg = fmt.Sprintf("the character %U is not allowed in YAML: write \"\\u%04X\" in quoted text", r, r)
		}
		if msg != "" {
			return &Error{file, line, column, msg}
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		rest = rest[size:]
	}
	return nil
}

// decode returns the one document of a file, or nil for an empty file.
func decode(file string, data []byte) (*lib.Node, error) {
	var document, second lib.Node
	d := lib.NewDecoder(bytes.NewReader(data))
	err := d.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err == nil {
		if err = d.Decode(&second); err == nil {
			return nil, &Error{file, second.Line, second.Column, "a second document: expected one in a file"}
		}
		if errors.Is(err, io.EOF) {
			return &document, nil
		}
	}
	return nil, syntaxError(file, data, err)
}

var (
	libraryError  = lazy.Regexp(`^yaml: (?:line (\d+): )?(.*)$`)
	unknownAnchor = lazy.Regexp(`^unknown anchor '(.*)' referenced$`)
	findPhrase    = lazy.Regexp(`(did|could) not find expected`)
	// Errors of the library's parser, which counts lines from 0; its scanner counts from 1.
	parserError = lazy.Regexp(`^did not find expected (key|'-'|',' or|node content|<)`)
)

// syntaxError converts an error of the library to an [*Error] with its line.
func syntaxError(file string, data []byte, err error) error {
	e := &Error{File: file, Line: 1, Msg: err.Error()}
	if parts := libraryError().FindStringSubmatch(e.Msg); parts != nil {
		e.Msg = parts[2]
		if line, err := strconv.Atoi(parts[1]); err == nil {
			e.Line = line
			if parserError().MatchString(e.Msg) {
				e.Line++
			}
		}
	}
	if parts := unknownAnchor().FindStringSubmatch(e.Msg); parts != nil {
		e.Msg = missingAnchor(parts[1])
		if use := regexp.MustCompile(`(?m)(?:^|[\s\[{,])\*` + regexp.QuoteMeta(parts[1])).FindIndex(data); use != nil {
			e.Line += bytes.Count(data[:use[1]], []byte("\n"))
		}
	}
	e.Line = min(e.Line, bytes.Count(data, []byte("\n"))) // the end of the file is in its last line
	e.Msg = findPhrase().ReplaceAllString(e.Msg, "expected")
	e.Msg = terminal.Clean(strings.Replace(e.Msg, "expected node content", "expected a value", 1))
	return e
}

func missingAnchor(name string) string {
	return fmt.Sprintf("alias *%s: expected an anchor &%s before it", clip(name), clip(name))
}

// A reader converts the library's nodes, in the order of the file.
type reader struct {
	file         string
	data         []byte
	lines        int
	at           int // current offset in data
	line, column int // position of at, from 1
	anchored     map[*lib.Node]*Node
	repeated     []*Error
}

// node converts a node and the nodes below it.
func (r *reader) node(n *lib.Node, depth int) (*Node, error) {
	if n.Kind == lib.AliasNode {
		if to := r.anchored[n.Alias]; to != nil {
			return to, nil
		}
		// The alias is inside the value of its anchor.
		return nil, &Error{r.file, n.Line, n.Column, missingAnchor(n.Value)}
	}
	made := &Node{file: r.file, line: n.Line, column: n.Column, values: 1}
	if made.line > r.lines {
		made.line, made.column = r.lines, 1 // an empty value after the last line feed
	}
	if depth > maxDepth {
		return nil, made.Errorf("more than %d maps and lists inside each other", maxDepth)
	}
	r.seek(n.Line, n.Column)
	switch left := r.data[r.at:]; {
	case n.Style&lib.TaggedStyle != 0 || bytes.HasPrefix(left, []byte("!")):
		return nil, made.Errorf("tag %s: expected no tag: quotes distinguish text from numbers", clip(n.Tag))
	case n.Anchor != "":
		at := properties().FindSubmatchIndex(left)
		if at == nil || at[3]-at[2] != len(n.Anchor) {
			return nil, made.Errorf("anchor &%s: expected letters, digits, _ and - only", clip(n.Anchor))
		}
		if r.pass(at[1]); n.Kind != lib.ScalarNode || n.Value != "" {
			made.line, made.column = r.line, r.column
		}
	case n.Kind == lib.ScalarNode && n.Style == 0 && n.Value != "" && r.at > 0 && r.data[r.at-1] == '?':
		// The library drops the ?
		return nil, made.Errorf("?%s: expected quotes around text that starts with ?", clip(n.Value))
	}
	var err error
	switch n.Kind {
	case lib.ScalarNode:
		made.text = n.Value
		if made.kind = String; n.Style == 0 {
			made.kind = plainKind(n.Value)
		}
		if made.kind == Null {
			made.text = ""
		}
	case lib.SequenceNode:
		made.kind = Sequence
		err = r.items(made, n.Content, depth+1)
	case lib.MappingNode:
		made.kind = Map
		err = r.fields(made, n.Content, depth+1)
	}
	if n.Anchor != "" {
		r.anchored[n] = made
	}
	return made, err
}

// properties matches an anchor and the text between it and its value.
var properties = lazy.Regexp(`\A&([^\s,\[\]{}]+)(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*`)

// seek moves forward to a position of the file. It does nothing if the position is
// before the current one.
func (r *reader) seek(line, column int) {
	for r.at < len(r.data) && (r.line < line || r.line == line && r.column < column) {
		_, size := utf8.DecodeRune(r.data[r.at:])
		r.pass(size)
	}
}

// pass moves forward by size bytes.
func (r *reader) pass(size int) {
	text := r.data[r.at : r.at+size]
	if lines := bytes.Count(text, []byte("\n")); lines > 0 {
		r.line, r.column = r.line+lines, 1
	}
	r.column += utf8.RuneCount(text[bytes.LastIndexByte(text, '\n')+1:])
	r.at += size
}

func (r *reader) items(list *Node, content []*lib.Node, depth int) error {
	for _, c := range content {
		item, err := r.node(c, depth)
		if err != nil {
			return err
		}
		list.items = append(list.items, item)
		if err := list.count(item); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) fields(m *Node, content []*lib.Node, depth int) error {
	m.index = make(map[string]int, len(content)/2)
	for i := 0; i < len(content); i += 2 {
		if content[i].Tag == "!!merge" {
			return &Error{r.file, content[i].Line, content[i].Column, "the merge key << is not supported: write its keys"}
		}
		key, err := r.node(content[i], depth)
		if err != nil {
			return err
		}
		if key.kind == Sequence || key.kind == Map {
			return key.Errorf("expected a word as key, found %v", key.kind)
		}
		first, again := m.index[key.text]
		if again {
			r.repeated = append(r.repeated, key.Errorf("the key %q is given twice, also on line %d", clip(key.text),
				m.fields[first].Key.line).(*Error))
		}
		value, err := r.node(content[i+1], depth)
		if err != nil {
			return err
		}
		if again {
			m.fields[first] = Field{key, value}
		} else {
			m.index[key.text] = len(m.fields)
			m.fields = append(m.fields, Field{key, value})
		}
		if err := m.count(value); err != nil {
			return err
		}
	}
	return nil
}

// count adds the number of values in child to that of n. The limit prevents that
// aliases of aliases turn a small file into a huge value.
func (n *Node) count(child *Node) error {
	if n.values += child.values; n.values > maxValues {
		return n.Errorf("more than %d values, with aliases followed", maxValues)
	}
	return nil
}
