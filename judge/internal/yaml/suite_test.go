package yaml

import (
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lenient lists the invalid files of the suite that this package accepts. The result
// is what the author of such a file probably intended.
var lenient = map[string]bool{
	"comment-without-whitespace-after-doublequoted-scalar":    true, // "value"# comment
	"dash-in-flow-sequence":                                   true, // [-]
	"plain-dashes-in-flow-sequence":                           true, // [-, -]
	"invalid-comment-after-comma":                             true, // [a,# comment
	"invalid-comment-after-end-of-flow-sequence":              true, // [a]# comment
	"tabs-in-various-contexts/003":                            true, // a tab before a word in brackets
	"wrong-indented-flow-sequence":                            true, // brackets continue at column 1
	"block-scalar-with-more-spaces-than-first-content-line":   true, // a block of spaces only
	"comment-without-whitespace-after-block-scalar-indicator": true, // ># comment
	"double-quoted-scalar-with-escaped-single-quote":          true, // "\'"
	"tabs-that-look-like-indentation/01":                      true, // a quoted text continues after a tab
	"wrong-indented-multiline-quoted-scalar":                  true, // a quoted text continues at column 1
}

// The YAML test suite (github.com/yaml/yaml-test-suite, MIT license, (c) 2016-2020
// Ingy döt Net) lists for each of its files the JSON values of its documents, or marks
// the file as invalid. This package supports a part of YAML, so it may reject a valid
// file. The values of the files that it accepts must be those of the suite.
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
	// Without this check, a parser that rejects all files would pass.
	if want := 181; read < want {
		t.Errorf("%d files of the suite are read, expected at least %d", read, want)
	}
}

// asJSON returns n as encoding/json would decode it.
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
