package yaml

import (
	"strings"
	"testing"
	"time"
)

// hostile lists texts that are expensive for a parser if they are repeated up to the
// maximum size of a file.
var hostile = []string{
	"[", "{", "{a: ", "- ", "? ", ": ", "-\n", "k:\n", "\n", " \n", "#\n", "# c\n\n", " # c\n", "a: #\n", "- # c\n", "&a ", "&a [", "- &a x\n- *a\n", "*a ",
	"'", "''", "\"", "\\", "|\n", "- |\n", ">\n", "- |\n\n\n", "a: |\n", "a\n", "a: b\n", "a ", "a b\n\n", "[a, ", "[],", "{}, ", "[]: ", "!", "!a ", "- !a x\n", "%a\n", "---\n", "...\n",
	"\t", " ", "\r\n", "é", "a:\n b", "- - ", "-\n -", "{? ", "? - ", "{\"a\":", "#", "<<: *a\n", "- a: b\n  c: d\n", "  # c\n- a\n", "a: # c\n  # d\n", "\"\\\n", "'\n\n", "a:\n  -\n", ",", "]", "}",
}

// An algorithm whose cost is quadratic in the size would take minutes.
func TestHostileFilesTakeLittleTime(t *testing.T) {
	for _, s := range hostile {
		for _, begin := range []string{"", "a: ["} {
			start := time.Now()
			Parse("f.yaml", []byte(begin+strings.Repeat(s, maxBytes/8/len(s))))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%q, then %q repeated: %v", begin, s, took)
			}
		}
	}
}
