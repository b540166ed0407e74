package yaml

import (
	"path/filepath"
	"runtime"
	"testing"

	suite "github.com/goccy/go-yaml/testdata/yaml-test-suite"
	"github.com/google/go-cmp/cmp"
)

// Files of the suite that are wrong and yet read. Each reads as what its
// author must have meant.
var lenient = map[string]bool{
	"comment-without-whitespace-after-doublequoted-scalar": true, // "value"# comment
	"dash-in-flow-sequence":                                true, // [-]
	"plain-dashes-in-flow-sequence":                        true, // [-, -]
	"invalid-comment-after-comma":                          true, // [a,# comment
	"invalid-comment-after-end-of-flow-sequence":           true, // [a]# comment
	"tabs-in-various-contexts/003":                         true, // a tab before a word within brackets
	"wrong-indented-flow-sequence":                         true, // brackets go on at column 1
	"wrong-indented-multiline-quoted-scalar":               true, // a quoted text goes on at column 1
}

// The YAML test suite says of each of its files what JSON it is, or that it is
// wrong. This package reads less than all of YAML, so it may refuse a file;
// but what it reads must be what the suite says.
func TestWhatIsReadIsWhatTheSuiteSays(t *testing.T) {
	// The suite finds its files from the path of its source.
	if _, file, _, _ := runtime.Caller(0); !filepath.IsAbs(file) || runtime.GOOS == "windows" {
		t.Skip("the suite's files are not found with -trimpath, or on Windows")
	}
	tests, err := suite.TestSuites()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) {
			n, err := Parse("in.yaml", test.InYAML)
			switch {
			case err != nil:
				if lenient[test.Name] {
					t.Errorf("refused now, take it off the list: %v", err)
				}
			case lenient[test.Name]:
			case test.Error:
				t.Errorf("accepted, though it is wrong:\n%s", test.InYAML)
			case len(test.InJSON) > 1:
				t.Errorf("accepted, though it is %d documents:\n%s", len(test.InJSON), test.InYAML)
			case len(test.InJSON) == 1:
				read++
				if diff := cmp.Diff(test.InJSON[0], asJSON(t, n)); diff != "" {
					t.Errorf("value (-suite +got):\n%s\n%s", diff, test.InYAML)
				}
			}
		})
	}
	// Refusing everything would pass all of the above.
	if want := 190; read < want {
		t.Errorf("%d files of the suite read, want at least %d", read, want)
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
