package yaml

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The forms of plain scalars (YAML 1.2.2, section 10.3.2, core schema).
var (
	intForm   = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatForm = regexp.MustCompile(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// plainKind is the kind of a scalar that was written without quotes.
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
	case intForm.MatchString(s):
		return Int
	case floatForm.MatchString(s):
		return Float
	}
	return String
}

// scalar reports whether n is a single value other than null.
func (n *Node) scalar() bool {
	switch n.kind {
	case Bool, Int, Float, String:
		return true
	}
	return false
}

// got says what n is, for an error about what it is not.
func (n *Node) got() string {
	switch n.kind {
	case Bool, Int, Float:
		return n.kind.String() + ": " + clip(n.text)
	case String:
		return "text: " + strconv.Quote(clip(n.text))
	}
	return n.kind.String()
}

// clip shortens text for a message.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return s
}

// AsString returns text. A number or boolean is an error: whoever writes
// version: 1.10 and means text must quote it, or lose the zero elsewhere.
func (n *Node) AsString() (string, error) {
	switch n.kind {
	case String:
		return n.text, nil
	case Bool, Int, Float:
		return "", n.Errorf("want text, got %s (put it in quotes)", n.got())
	}
	return "", n.Errorf("want text, got %s", n.got())
}

// AsScalar returns the text of any scalar, as written: "1.10" for 1.10.
// Null, maps and sequences are errors.
func (n *Node) AsScalar() (string, error) {
	if !n.scalar() {
		return "", n.Errorf("want text, got %s", n.got())
	}
	return n.text, nil
}

// AsStrings returns the items of a sequence of text.
func (n *Node) AsStrings() ([]string, error) {
	if n.kind != Sequence {
		return nil, n.Errorf("want a list of text, got %s", n.got())
	}
	all := make([]string, 0, len(n.items))
	for _, item := range n.items {
		s, err := item.AsString()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// AsStringOrStrings returns one text, or the items of a sequence of text that
// is not empty.
func (n *Node) AsStringOrStrings() ([]string, error) {
	switch {
	case n.kind == Sequence && len(n.items) == 0:
		return nil, n.Errorf("want text or a list of text, got an empty list")
	case n.kind == Sequence:
		return n.AsStrings()
	case n.kind == Null || n.kind == Map:
		return nil, n.Errorf("want text or a list of text, got %s", n.got())
	}
	s, err := n.AsString()
	if err != nil {
		return nil, err
	}
	return []string{s}, nil
}

// AsInt returns an integer. 1.0 is not one.
func (n *Node) AsInt() (int64, error) {
	if n.kind != Int {
		return 0, n.Errorf("want an integer, got %s", n.got())
	}
	s, base := n.text, 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case strings.HasPrefix(s, "0o"):
		s, base = s[2:], 8
	}
	i, err := strconv.ParseInt(s, base, 64)
	if err != nil {
		return 0, n.Errorf("want an integer of at most 64 bits, got %s", clip(n.text))
	}
	return i, nil
}

// AsFloat returns a finite number, written as an integer or with a fraction.
func (n *Node) AsFloat() (float64, error) {
	if n.kind != Int && n.kind != Float {
		return 0, n.Errorf("want a number, got %s", n.got())
	}
	if strings.HasPrefix(n.text, "0x") || strings.HasPrefix(n.text, "0o") {
		i, err := n.AsInt()
		return float64(i), err
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		// .inf and .nan are no numbers to strconv, and 1e999 is out of range.
		return 0, n.Errorf("want a finite number, got %s", clip(n.text))
	}
	return f, nil
}

// AsBool returns true or false. yes and no are text, as in YAML 1.2.
func (n *Node) AsBool() (bool, error) {
	if n.kind != Bool {
		return false, n.Errorf("want true or false, got %s", n.got())
	}
	return n.text[0] == 't' || n.text[0] == 'T', nil
}
