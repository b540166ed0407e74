package yaml

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainKind(t *testing.T) {
	for text, want := range map[string]Kind{
		"": Null, "~": Null, "null": Null, "NULL": Null, "nULL": String,
		"true": Bool, "False": Bool, "tRUE": String, "yes": String, "no": String, "on": String,
		"0": Int, "-0": Int, "+1": Int, "010": Int, "08": Int, "0o17": Int, "0x1F": Int, "12345678901234567890123": Int,
		"0o8": String, "-0x1": String, "1_000": String, "0b11": String, "0x": String, "+": String, "1:30": String,
		"1.0": Float, "1.": Float, ".5": Float, "-.5e-3": Float, "1e3": Float, "09.5": Float,
		".inf": Float, "-.INF": Float, "+.Inf": Float, ".nan": Float, ".NaN": Float,
		".": String, "1e": String, ".e1": String, "-.nan": String, "Infinity": String, "nan": String, "1.2.3": String,
		"2025-01-01": String, "2025-01-01T00:00:00Z": String, "2025-09": String,
	} {
		n, err := Parse("f.yaml", []byte("k: "+text+"\n"))
		if err != nil {
			t.Errorf("Parse(k: %s): %v", text, err)
			continue
		}
		if got := n.Get("k").Kind(); got != want {
			t.Errorf("Parse(k: %s) is %v, want %v", text, got, want)
		}
		if got := n.Get("k").Text(); want != Null && got != text {
			t.Errorf("Parse(k: %s).Text() = %q", text, got)
		}
	}
}

func TestFieldsKeepTheirOrder(t *testing.T) {
	n, err := Parse("f.yaml", []byte("b: 1\n\"a\": 2\n'': 3\n7: 4\n"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range n.Fields() {
		keys = append(keys, f.Key.Text()+"="+f.Value.Text())
	}
	if diff := cmp.Diff([]string{"b=1", "a=2", "=3", "7=4"}, keys); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if n.Get("absent") != nil {
		t.Error("Get(absent) is not nil")
	}
}

func TestAs(t *testing.T) {
	const file = "s: text\ni: 010\nx: 0x1F\no: 0o17\nf: 1.50\ne: 2e3\nb: True\ny: yes\nz: ~\nm: {a: 1}\nl: [a, 'b']\nmixed: [a, 1]\nnone: []\nbig: 9223372036854775808\nhuge: 1e999\ninf: -.inf\n"
	n, err := Parse("f.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	text := func(n *Node) (any, error) { return n.AsString() }
	scalar := func(n *Node) (any, error) { return n.AsScalar() }
	texts := func(n *Node) (any, error) { return n.AsStrings() }
	either := func(n *Node) (any, error) { return n.AsStringOrStrings() }
	integer := func(n *Node) (any, error) { return n.AsInt() }
	number := func(n *Node) (any, error) { return n.AsFloat() }
	boolean := func(n *Node) (any, error) { return n.AsBool() }
	for _, c := range []struct {
		name string
		as   func(*Node) (any, error)
		key  string
		want any // the value, or the text of the error from the column on
	}{
		{"text is text", text, "s", "text"},
		{"yes is text", text, "y", "yes"},
		{"a number is not", text, "f", "4: expected text in quotes, found a number: 1.50"},
		{"nor a boolean", text, "b", "4: expected text in quotes, found a boolean: True"},
		{"nor nothing", text, "z", "4: expected text, found nothing"},
		{"nor a map", text, "m", "4: expected text, found a map"},
		{"a scalar keeps its zeros", scalar, "f", "1.50"},
		{"null is no scalar", scalar, "z", "4: expected text, found nothing"},
		{"a list is no scalar", scalar, "l", "4: expected text, found a list"},
		{"a list of text", texts, "l", []string{"a", "b"}},
		{"an empty list", texts, "none", []string{}},
		{"text is no list", texts, "s", `4: expected a list of text, found text: "text"`},
		{"a number in a list of text", texts, "mixed", "12: expected text in quotes, found an integer: 1"},
		{"one text of one or more", either, "s", []string{"text"}},
		{"several of one or more", either, "l", []string{"a", "b"}},
		{"none of one or more", either, "none", "7: expected text or a list of text, found an empty list"},
		{"a number of one or more", either, "i", "4: expected text in quotes, found an integer: 010"},
		{"a map of one or more", either, "m", "4: expected text or a list of text, found a map"},
		{"zeros before an integer mean nothing", integer, "i", int64(10)},
		{"hexadecimal", integer, "x", int64(31)},
		{"octal", integer, "o", int64(15)},
		{"a fraction is no integer", integer, "f", "4: expected an integer, found a number: 1.50"},
		{"an integer of 65 bits", integer, "big", "6: expected an integer of at most 64 bits, found 9223372036854775808"},
		{"a fraction", number, "f", 1.5},
		{"an exponent", number, "e", 2000.0},
		{"an integer is a number", number, "x", 31.0},
		{"a large integer too", number, "big", 9223372036854775808.0},
		{"more than a float holds", number, "huge", "7: expected a finite number, found 1e999"},
		{"infinity", number, "inf", "6: expected a finite number, found -.inf"},
		{"text is no number", number, "s", `4: expected a number, found text: "text"`},
		{"true", boolean, "b", true},
		{"yes is no boolean", boolean, "y", `4: expected true or false, found text: "yes"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.as(n.Get(c.key))
			if err != nil {
				e := err.(*Error)
				got = fmt.Sprintf("%d: %s", e.Column, e.Msg)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.key, diff)
			}
		})
	}
}
