package yaml

import (
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files of the suite that are wrong and yet read. Each reads as what its
// author must have meant.
var lenient = map[string]bool{
	"comment-without-whitespace-after-doublequoted-scalar":    true, // "value"# comment
	"dash-in-flow-sequence":                                   true, // [-]
	"plain-dashes-in-flow-sequence":                           true, // [-, -]
	"invalid-comment-after-comma":                             true, // [a,# comment
	"invalid-comment-after-end-of-flow-sequence":              true, // [a]# comment
	"tabs-in-various-contexts/003":                            true, // a tab before a word within brackets
	"wrong-indented-flow-sequence":                            true, // brackets go on at column 1
	"block-scalar-with-more-spaces-than-first-content-line":   true, // a block of nothing but spaces
	"comment-without-whitespace-after-block-scalar-indicator": true, // ># comment
	"double-quoted-scalar-with-escaped-single-quote":          true, // "\'"
	"tabs-that-look-like-indentation/01":                      true, // a quoted text goes on after a tab
	"wrong-indented-multiline-quoted-scalar":                  true, // a quoted text goes on at column 1
}

// The YAML test suite (github.com/yaml/yaml-test-suite, MIT license, (c) 2016-2020
// Ingy döt Net) gives for each of its files the JSON values of its documents, or says
// that it is wrong. This package reads a part of YAML, so it may refuse a file; but
// what it reads must be what the suite says.
func TestWhatIsReadIsWhatTheSuiteSays(t *testing.T) {
	file, err := os.Open("testdata/yaml-test-suite.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	read := 0
	for tests := json.NewDecoder(file); ; {
		var test struct {
			Name  string
			YAML  string
			JSON  []any // one value for each document
			Error bool
		}
		if err := tests.Decode(&test); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		t.Run(test.Name, func(t *testing.T) {
			n, err := Parse("in.yaml", []byte(test.YAML))
			switch {
			case err != nil:
				if lenient[test.Name] {
					t.Errorf("refused now, take it off the list: %v", err)
				}
			case lenient[test.Name]:
			case test.Error:
				t.Errorf("accepted, though it is wrong:\n%s", test.YAML)
			case len(test.JSON) > 1:
				t.Errorf("accepted, though it is %d documents:\n%s", len(test.JSON), test.YAML)
			case len(test.JSON) == 1:
				read++
				if diff := cmp.Diff(test.JSON[0], asJSON(t, n)); diff != "" {
					t.Errorf("value (-suite +got):\n%s\n%s", diff, test.YAML)
				}
			}
		})
	}
	// Refusing everything would pass all of the above.
	if want := 181; read < want {
		t.Errorf("%d files of the suite are read, expected at least %d", read, want)
	}
}

// asJSON is n as encoding/json would decode it.
func asJSON(t *testing.T, n *Node) any {
	t.Helper()
	switch n.Kind() {
	case Map:
		m := map[string]any{}
		for _, f := range n.Fields() {
			m[f.Key.Text()] = asJSON(t, f.Value)
		}
		return m
	case Sequence:
		s := []any{}
		for _, item := range n.Items() {
			s = append(s, asJSON(t, item))
		}
		return s
	case String:
		return n.Text()
	case Bool:
		b, err := n.AsBool()
		if err != nil {
			t.Error(err)
		}
		return b
	case Int, Float:
		f, err := n.AsFloat()
		if err != nil {
			t.Error(err)
		}
		return f
	}
	return nil
}
