package yaml

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"a plain text is trimmed", "k:   a b  \n", "a b"},
		{"a plain text goes on below", "k: a\n  b\n\n  c\n", "a b\nc"},
		{"a hash within a word is no comment", "k: a#b # c\n", "a#b"},
		{"a tab within it stays", "k: a\tb\n", "a\tb"},
		{"a single quote is doubled", "k: 'it''s'\n", "it's"},
		{"a doubled quote ends a line", "k: 'a ''\n  b'\n", "a ' b"},
		{"escapes", `k: "\x41\u00e9\n\t\""` + "\n", "Aé\n\t\""},
		{"a literal block keeps lines", "k: |\n  1 2\n   3\n\n  4\nl: x\n", "1 2\n 3\n\n4\n"},
		{"a block ends with one line feed", "k: |\n  a\n\n\n", "a\n"},
		{"even where the file does not", "k: |\n  a", "a\n"},
		{"a minus strips it", "k: |-\n  a\n", "a"},
		{"but not the spaces before it", "k: |-\n  a \n", "a "},
		{"a plus keeps them all", "k: |+\n  a\n\n\n", "a\n\n\n"},
		{"a digit is the indentation", "k: |1\n   a\n  b\n", "  a\n b\n"},
		{"it counts from the parent", "p:\n  k: |2\n      a\n     b\n", "  a\n b\n"},
		{"a folded block joins lines", "k: >\n  a\n  b\n\n  c\n   d\n  e\n", "a b\nc\n d\ne\n"},
		{"a comment below a block is not in it", "k: |\n  a\n# no\n", "a\n"},
		{"a hash in a block is", "k: |\n  a # b\n  # c\n", "a # b\n# c\n"},
		{"CRLF is a line feed", "k: |\r\n  a\r\n  b\r\n", "a\nb\n"},
		{"a colon within a quoted word in brackets", "k: 'a:b'", "a:b"},
		{"an alias is the value of its anchor", "a: &x text\nk: *x\n", "text"},
		{"a date is text", "k: 2025-01-01\n", "2025-01-01"},
		{"a key may follow a question mark", "? k\n: text\n", "text"},
		{"a colon within a word in brackets is part of it", "k: a:b\nl: [a:b]\n", "a:b"},
		{"a block may be empty", "k: |\nb: c\n", ""},
		{"a list may be indented like its key", "l:\n-\nk: c\n", "c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse("f.yaml", []byte(c.yaml))
			if err != nil {
				t.Fatal(err)
			}
			if p := n.Get("p"); p != nil {
				n = p // the text under test is inside the value of p
			}
			if got, err := n.Get("k").AsString(); err != nil || got != c.want {
				t.Errorf("Parse(%q): k = %q, %v, want %q", c.yaml, got, err, c.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	n, err := Parse("f.yaml", []byte("# c\nname: x\nlist:\n  - 1\n  - {é: z, \"k\": y}\n  - k: [a,\n         b]\n    l: |\n      t\nend: null\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := n.Get("list")
	spaces, err := Parse("f.yaml", []byte("a: 1   \nb:\n- a\n  - a\nc: x x  \n"))
	if err != nil {
		t.Fatal(err)
	}
	end, err := Parse("f.yaml", []byte("- 0\n -\n "))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what         string
		n            *Node
		line, column int
	}{
		{"the map", n, 2, 1},
		{"its value", n.Get("name"), 2, 7},
		{"the list", list, 4, 3},
		{"its item", list.Items()[0], 4, 5},
		{"a map in braces", list.Items()[1], 5, 5},
		{"a value after a letter of two bytes", list.Items()[1].Get("é"), 5, 9},
		{"a value after it", list.Items()[1].Get("k"), 5, 17},
		{"a map in a list", list.Items()[2], 6, 5},
		{"brackets", list.Items()[2].Get("k"), 6, 8},
		{"a value on another line", list.Items()[2].Get("k").Items()[1], 7, 10},
		{"a block", list.Items()[2].Get("l"), 8, 8},
		{"a key", n.Fields()[2].Key, 10, 1},
		{"null", n.Get("end"), 10, 6},
		{"a number before spaces", spaces.Get("a"), 1, 4},
		{"text on lines that look like a list", spaces.Get("b").Items()[0], 3, 3},
		{"a word twice", spaces.Get("c"), 5, 4},
		{"text on two lines before one of spaces", end.Items()[0], 1, 3},
	} {
		if c.n.Line() != c.line || c.n.Column() != c.column {
			t.Errorf("%s stands at %d:%d, want %d:%d", c.what, c.n.Line(), c.n.Column(), c.line, c.column)
		}
	}
}

func TestEmptyDocuments(t *testing.T) {
	for _, s := range []string{"", "\n\n", "# nothing\n", "---\n", "---\n...\n", "null\n"} {
		n, err := Parse("f.yaml", []byte(s))
		if err != nil || n.Kind() != Null || n.Line() < 1 || n.Column() != 1 {
			t.Errorf("Parse(%q) = %v, %v, want null", s, n, err)
		}
	}
}

func TestParseLast(t *testing.T) {
	root, repeated, err := ParseLast("f.yaml", []byte("a: 1\nb: {c: 2}\na: 3\nb:\n  d: 4\n  \"d\": 5\na: &x 6\ne: *x\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range root.Fields() {
		got = append(got, f.Key.Text()+"="+f.Value.Text())
	}
	for _, e := range repeated {
		got = append(got, e.Error())
	}
	if d := root.Get("b").Get("d"); d == nil || d.Text() != "5" || root.Get("b").Get("c") != nil {
		t.Errorf("b.d is %v, want 5 and no b.c", d)
	}
	want := []string{
		"a=6", "b=", "e=6",
		`f.yaml:3:1: the key "a" is given twice, also on line 1`,
		`f.yaml:4:1: the key "b" is given twice, also on line 2`,
		`f.yaml:6:3: the key "d" is given twice, also on line 5`,
		`f.yaml:7:1: the key "a" is given twice, also on line 3`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseLast (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"a key twice", "a: 1\nb: 2\na: 3\n", `3:1: the key "a" is given twice, also on line 1`},
		{"a key twice in braces", "{a: 1, \"a\": 2}", `1:8: the key "a" is given twice, also on line 1`},
		{"a tag with a tab in it", "!a\tb", "1:1: tag !a: expected no tag: quotes distinguish text from numbers"},
		{"an alias without a name", "* a\n\nb", "1: expected alphabetic or numeric character"},
		{"two documents", "a: 1\n---\nb: 2\n", "2:1: a second document: expected one in a file"},
		{"text after the end", "a: 1\n...\nb: 2\n", "3: expected <document start>"},
		{"a tag", "a: !!str 1\n", "1:4: tag !!str: expected no tag: quotes distinguish text from numbers"},
		{"a merge key", "a: &a {b: 1}\nc:\n  <<: *a\n", "3:3: the merge key << is not supported: write its keys"},
		{"a directive", "%YAML 1.2\n---\na: 1\n", "1:1: directives such as %YAML are not supported"},
		{"a directive below a comment", "# c\n\n%YAML 1.2\n---\na: 1\n", "3:1: directives such as %YAML are not supported"},
		{"a tag without a name", "a: ! 1\n", "1:4: tag !!int: expected no tag: quotes distinguish text from numbers"},
		{"an anchor with a colon in it", "a: &b:c d\n", "1:4: anchor &b: expected letters, digits, _ and - only"},
		{"a word that starts with a question mark in brackets", "[?a]", "1:3: ?a: expected quotes around text that starts with ?"},
		{"an alias of nothing", "a: *b\n", "1: alias *b: expected an anchor &b before it"},
		{"an alias of itself", "a: &x [*x]\n", "1:8: alias *x: expected an anchor &x before it"},
		{"two anchors", "a: &x &y b\n", "1: expected key"},
		{"a byte order mark", "\uFEFFa: 1\n", "1:1: the file begins with a byte order mark: expected UTF-8 without one"},
		{"Latin-1", "a: b\nc: \xe9\n", "2:4: expected UTF-8, found the byte 0xE9"},
		{"a NUL", "a: b\x00\n", `1:5: the character U+0000 is not allowed in YAML: write "\u0000" in quoted text`},
		{"a lone carriage return", "a: 1\rb: 2\n", "1:5: a carriage return without a line feed"},
		{"a line break of YAML 1.1", "a: b\u2028c\n", `1:5: the character U+2028 is not allowed in YAML: write "\u2028" in quoted text`},
		{"a map as key", "{a: 1}: b\n", "1:1: expected a word as key, found a map"},
		{"a tab as indentation", "a:\n\tb: 1\n", "2: found character that cannot start any token"},
		{"brackets left open", "a: [1,\n", "1: expected a value"},
		{"quotes left open", "a: 'x\n", "1: found unexpected end of stream"},
		{"a dash within brackets", "a: [- b]\n", "1: expected a value"},
		{"a key too long", strings.Repeat("k", 1025) + ": 1\n", "1: mapping values are not allowed in this context"},
		{"brackets too deep", strings.Repeat("[", 1<<20), "1: exceeded max depth of 10000"},
		{"braces too deep", strings.Repeat("{a: ", 100) + "b" + strings.Repeat("}", 100), "1:254: more than 64 maps and lists inside each other"},
		{"lists too deep", strings.Repeat("- ", 100), "1:129: more than 64 maps and lists inside each other"},
		{"too large", strings.Repeat("# comment\n", 1<<17), "1: found a file of 1310720 bytes: expected at most 1048576"},
		{"too many values", strings.Repeat("-\n", 100_001), "1:1: more than 100000 values, with aliases followed"},
		{"aliases of aliases", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + aliases(9), "5:9: more than 100000 values, with aliases followed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse("f.yaml", []byte(c.yaml))
			if err == nil {
				t.Fatalf("accepted: %v", n)
			}
			if got := err.Error(); got != "f.yaml:"+c.want {
				t.Errorf("error\n\t%s\nwant\n\tf.yaml:%s", got, c.want)
			}
			if e := new(Error); !errors.As(err, &e) {
				t.Errorf("error is a %T", err)
			}
		})
	}
}

// aliases returns n lists, each of ten aliases of the previous list.
func aliases(n int) string {
	var b strings.Builder
	for i := range n {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.TrimSuffix(strings.Repeat("*a"+from+", ", 10), ", ") + "]\n")
	}
	return b.String()
}

// FuzzParse checks that Parse does not panic, that errors have a position in the file,
// and that the reported positions of plain scalars are correct.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "a: 1\r\nb: [c, {d: 'e'}]\r\n", "\uFEFFa: 1\n", "a: b\x00\n", "%YAML 1.2\n---\na: !!str 1\n...\n", "? a\n: [?b, &c d, *c]\n",
		"a: &x [b, *x]\n", "<<: {a: b}\n", "# c\na: # d\n  # e\n  - f # g\n", "é: &é ü\nb: *é\n", "a0: &a0 [x, x]\n" + aliases(3), "- |\n  a\n- >-\n  b\n", "a: &x 1\nb: *x\n", "\"a\\n\": 'b\n c'\n", "k:\n- a: b\n  c: d\n- {}\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse("f.yaml", data)
		lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		if err != nil {
			e := new(Error)
			if !errors.As(err, &e) {
				t.Fatalf("error is a %T: %v", err, err)
			}
			if e.Line < 1 || e.Line > len(lines)+1 || e.Column < 0 || e.File != "f.yaml" {
				t.Fatalf("error is nowhere in the file: %v", err)
			}
			return
		}
		checkPlaces(t, n, lines)
	})
}

func checkPlaces(t *testing.T, n *Node, lines []string) {
	t.Helper()
	if n.Line() < 1 || n.Line() > len(lines) || n.Column() < 1 {
		t.Fatalf("%v stands at %d:%d of %d lines", n.Kind(), n.Line(), n.Column(), len(lines))
	}
	if n.Kind() != Null && n.Column() > 1 && n.Column() > len([]rune(lines[n.Line()-1])) {
		t.Fatalf("%v %q is said to stand at %d:%d, behind the end of the line", n.Kind(), n.Text(), n.Line(), n.Column())
	}
	rest := string([]rune(lines[n.Line()-1])[min(n.Column()-1, len([]rune(lines[n.Line()-1]))):])
	begin := n.Text()
	if n.Kind() == String {
		begin = ""
		if s := strings.TrimLeft(rest, "|>'\""); s == rest && n.Text() != "" {
			begin, _, _ = strings.Cut(n.Text(), " ")
			begin, _, _ = strings.Cut(begin, "\t")
			begin, _, _ = strings.Cut(begin, "\n")
		}
	}
	if !strings.HasPrefix(rest, begin) {
		t.Fatalf("%q is said to stand at %d:%d, before %q", n.Text(), n.Line(), n.Column(), rest)
	}
	for _, field := range n.Fields() {
		checkPlaces(t, field.Key, lines)
		checkPlaces(t, field.Value, lines)
		if n.Get(field.Key.Text()) != field.Value {
			t.Fatalf("Get(%q) is not the value of that key", field.Key.Text())
		}
	}
	for _, item := range n.Items() {
		checkPlaces(t, item, lines)
	}
}
