package yaml

import (
	"math"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// The forms of plain scalars (YAML 1.2.2, section 10.3.2, core schema).
var (
	intForm   = lazy.Regexp(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatForm = lazy.Regexp(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|` +
		`NaN|NAN))$`)
)

// plainKind returns the kind of a scalar without quotes.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	switch c := s[0]; {
	case c != '-' && c != '+' && c != '.' && (c < '0' || c > '9'):
		return String
	case intForm().MatchString(s):
		return Int
	case floatForm().MatchString(s):
		return Float
	}
	return String
}

// wrong returns the error for a value of another kind than expected.
func (n *Node) wrong(expected string) error {
	switch n.kind {
	case Bool, Int, Float:
		return n.Errorf("expected %s, found %v: %s", expected, n.kind, clip(n.text))
	case String:
		return n.Errorf("expected %s, found text: %q", expected, clip(n.text))
	}
	return n.Errorf("expected %s, found %v", expected, n.kind)
}

// AsString returns text. Other kinds are errors, numbers and booleans too: a tool that
// converts numbers would read version: 1.10 as 1.1.
func (n *Node) AsString() (string, error) {
	switch n.kind {
	case String:
		return n.text, nil
	case Bool, Int, Float:
		return "", n.wrong("text in quotes")
	}
	return "", n.wrong("text")
}

// AsScalar returns the text of any scalar, as written: "1.10" for 1.10. Null, maps
// and sequences are errors.
func (n *Node) AsScalar() (string, error) {
	switch n.kind {
	case Null, Map, Sequence:
		return "", n.wrong("text")
	}
	return n.text, nil
}

// AsStrings returns the items of a sequence of text, which may be empty. Other values
// are errors.
func (n *Node) AsStrings() ([]string, error) {
	if n.kind != Sequence {
		return nil, n.wrong("a list of text")
	}
	all := make([]string, len(n.items))
	for i, item := range n.items {
		var err error
		if all[i], err = item.AsString(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// AsStringOrStrings returns one text, or the items of a sequence of text that is not
// empty. Other values are errors.
func (n *Node) AsStringOrStrings() ([]string, error) {
	const expected = "text or a list of text"
	switch {
	case n.kind == Sequence && len(n.items) == 0:
		return nil, n.Errorf("expected %s, found an empty list", expected)
	case n.kind == Sequence:
		return n.AsStrings()
	case n.kind == Null || n.kind == Map:
		return nil, n.wrong(expected)
	}
	s, err := n.AsString()
	return []string{s}, err
}

// AsInt returns an integer of at most 64 bits. Other values are errors: 1.0 is a
// number, but not an integer.
func (n *Node) AsInt() (int64, error) {
	if n.kind != Int {
		return 0, n.wrong("an integer")
	}
	digits, base := n.text, 10
	if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0o") {
		base = 0 // by the prefix; 010 is ten
	}
	i, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		return 0, n.Errorf("expected an integer of at most 64 bits, found %s", clip(n.text))
	}
	return i, nil
}

// AsFloat returns a finite number, with or without a fraction. Other values are errors.
func (n *Node) AsFloat() (float64, error) {
	if n.kind != Int && n.kind != Float {
		return 0, n.wrong("a number")
	}
	if strings.HasPrefix(n.text, "0x") || strings.HasPrefix(n.text, "0o") {
		i, err := n.AsInt()
		return float64(i), err
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		// strconv does not accept .inf and .nan, and 1e999 is out of range.
		return 0, n.Errorf("expected a finite number, found %s", clip(n.text))
	}
	return f, nil
}

// AsBool returns true or false. Other values are errors: yes and no are text, as in
// YAML 1.2.
func (n *Node) AsBool() (bool, error) {
	if n.kind != Bool {
		return false, n.wrong("true or false")
	}
	return strings.EqualFold(n.text, "true"), nil
}
