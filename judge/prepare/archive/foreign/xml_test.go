package foreign

import (
	"strings"
	"testing"
)

func TestXMLIsBounded(t *testing.T) {
	for _, c := range []struct{ fact, text, want string }{
		{"declared entities do not expand", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "f:1: invalid character entity &b;"},
		{"depth", strings.Repeat("<a>", 60) + strings.Repeat("</a>", 60), "nested at most 50 deep"},
		{"another encoding", `<?xml version="1.0" encoding="windows-1251"?><a/>`, "f:1"},
		{"two elements", "<a/><b/>", "f:1: expected one XML element"},
		{"no end", "<a>\n<b>", "f:2: unexpected EOF"},
		{"an empty file", "", "f:1: expected one XML element"},
	} {
		if _, err := parseXML("f", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: parseXML(%.40q) = %v; want %s", c.fact, c.text, err, c.want)
		}
	}
}

func TestNumberedNames(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"tests/%02d.a", "tests/07.a"}, {"tests/%d", "tests/7"}, {"%03d", "007"},
		{"%s", ""}, {"%d%d", ""}, {"%999999999d", ""}, {"tests/1", ""},
	} {
		got, err := numbered(&element{text: c.pattern, file: "f"}, 7)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("numbered(%q, 7) = %q, %v; want %q", c.pattern, got, err, c.want)
		}
	}
}
