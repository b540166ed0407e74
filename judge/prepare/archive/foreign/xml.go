package foreign

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Limits of an XML file, which is untrusted.
const (
	maxXML      = 16 << 20 // bytes
	maxElements = 200_000
	maxXMLDepth = 50
)

// An element is an element of an XML file that knows its line. A nil element has no
// attributes and no children. It records what is read of it, see account.
type element struct {
	name     string
	file     string
	line     int
	attrs    map[string]string
	children []*element
	text     string

	seen   bool            // all or one has returned it or an element below it
	read   map[string]bool // attributes that attr has returned
	stated map[string]bool // attributes, or "" for the element itself, whose states are known
}

// parseXML parses an XML file in UTF-8. Entities other than those of XML itself are
// errors, so nothing expands.
func parseXML(file string, data []byte) (*element, error) {
	dec := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	top := &element{file: file}
	open := []*element{top}
	for count := 0; ; {
		token, err := dec.Token()
		line, column := dec.InputPos()
		fail := func(format string, args ...any) error {
			return &problem.Defect{File: file, Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return nil, &problem.Defect{File: file, Line: syntax.Line, Msg: terminal.Excerpt(syntax.Msg, 200)}
			}
			return nil, fail("%s", terminal.Excerpt(err.Error(), 200))
		}
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxElements || len(open) > maxXMLDepth {
				return nil, fail("expected at most %d elements, nested at most %d deep", maxElements, maxXMLDepth)
			}
			e := &element{name: t.Name.Local, file: file, line: line, attrs: make(map[string]string),
				read: make(map[string]bool), stated: make(map[string]bool)}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			last.children = append(last.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(t)
		}
	}
	if len(top.children) != 1 {
		return nil, &problem.Defect{File: file, Line: 1, Msg: "expected one XML element"}
	}
	return top.children[0], nil
}

// all returns the elements at a path such as "solutions/solution" below e.
func (e *element) all(path string) []*element {
	if e == nil {
		return nil
	}
	first, rest, below := strings.Cut(path, "/")
	var found []*element
	for _, c := range e.children {
		if c.name != first {
			continue
		}
		c.seen = true
		if below {
			found = append(found, c.all(rest)...)
		} else {
			found = append(found, c)
		}
	}
	return found
}

// one returns the first element at a path, or nil.
func (e *element) one(path string) *element {
	if all := e.all(path); len(all) > 0 {
		return all[0]
	}
	return nil
}

// attr returns an attribute, or "".
func (e *element) attr(name string) string {
	if e == nil {
		return ""
	}
	e.read[name] = true
	return e.attrs[name]
}

// errorf returns an error at the line of the element.
func (e *element) errorf(format string, args ...any) error {
	return &problem.Defect{File: e.file, Line: e.line, Msg: fmt.Sprintf(format, args...)}
}

// where returns the position of the element.
func (e *element) where() string { return fmt.Sprintf("%s:%d", e.file, e.line) }

// A partRule is the state of an element or attribute that nothing reads.
type partRule struct {
	state    State
	what     string // why it has this state
	verdicts bool   // lost, and verdicts can change
}

// decisive is the rule of a lost part on which verdicts depend.
func decisive(what string) partRule { return partRule{Lost, what, true} }

// A keyList has the rule of some keys, which are separated by spaces.
type keyList struct {
	keys string
	rule partRule
}

func rulesOf(lists ...keyList) map[string]partRule {
	rules := make(map[string]partRule)
	for _, l := range lists {
		for _, key := range strings.Fields(l.keys) {
			rules[key] = l.rule
		}
	}
	return rules
}

// account states the elements and attributes below e, which is at that path: what was read
// is carried, the table has the states of others, and all others are lost. Below the paths
// in verdicts, verdicts depend on these.
func (d *draft) account(e *element, at string, table map[string]partRule, verdicts []string) {
	one := func(name, label string, read bool) {
		rule, known := table[name]
		if !known && !read {
			rule.verdicts = slices.ContainsFunc(verdicts, func(p string) bool { return strings.HasPrefix(name, p) })
		}
		switch {
		case e.stated[label], d.parts.known(name):
		case read:
			d.carry(e.where(), "%s", cmp.Or(name, e.name))
		case rule.state == Equal:
			d.equal(e.where(), "%s: %s", name, rule.what)
		default:
			d.parts.State(Part{State: Lost, Where: e.where(), What: strings.TrimSuffix(name+": "+rule.what, ": "),
				Verdicts: rule.verdicts})
			d.parts.times[name]++ // once is enough
		}
	}
	if e.seen || len(e.attrs)+len(e.children) > 0 || strings.TrimSpace(e.text) != "" {
		one(at, "", e.seen)
	}
	if !e.seen {
		return // the state is that of all of it
	}
	for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
		one(at+"@"+name, name, e.read[name])
	}
	for _, c := range e.children {
		d.account(c, strings.TrimPrefix(at+"/"+c.name, "/"), table, verdicts)
	}
}
