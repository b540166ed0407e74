package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhySaysWhereAndWhat(t *testing.T) {
	sixty := strings.Repeat("abcdef", 10)
	tests := []struct {
		name, args, answer, output string
		why                        string
		diff                       Difference
	}{
		{"a token differs", "", "1 2\n3 foo\n", "1 2\n3 bar\n",
			`line 2, column 3: got "bar", expected "foo"`,
			Difference{Differs, 2, 3, 2, 3, 4, 0, "foo", "bar"}},
		{"the places differ", "", "1 2\n3 foo\n", "1\n2\n\n3  bar",
			`line 4, column 4 (line 2, column 3 of the answer): got "bar", expected "foo"`,
			Difference{Differs, 4, 4, 2, 3, 4, 0, "foo", "bar"}},
		{"a token is missing", "", "1 2 3\n", "1 2\n",
			`line 2, column 1 (line 1, column 5 of the answer): the output ends, expected "3"`,
			Difference{Missing, 2, 1, 1, 5, 3, 0, "3", ""}},
		{"a token too many", "", "1 2\n", "1 2 3\n",
			`line 1, column 5 (line 2, column 1 of the answer): got "3", expected the end`,
			Difference{Extra, 1, 5, 2, 1, 3, 0, "", "3"}},
		{"an answer without tokens", "", "", "6\n",
			`line 1, column 1: got "6", expected no output, as the answer is empty`,
			Difference{Extra, 1, 1, 1, 1, 1, 0, "", "6"}},
		{"whitespace differs", spaceArg, "1\n2\n", "1\n2 \n",
			`line 2, column 2: got whitespace " \n" before token 3, expected whitespace "\n"`,
			Difference{Space, 2, 2, 2, 2, 3, 0, "\n", " \n"}},
		{"whitespace is missing", spaceArg, "1\n", "1",
			`line 1, column 2: got no whitespace before token 2, expected whitespace "\n"`,
			Difference{Space, 1, 2, 1, 2, 2, 0, "\n", ""}},
		{"no number", tol, "3.14", "pi",
			`line 1, column 1: got "pi", expected a number near "3.14"`,
			Difference{NotFloat, 1, 1, 1, 1, 1, 0, "3.14", "pi"}},
		{"a number too far off", "float_absolute_tolerance 1e-6", "1 2.00", "1 2.01",
			`line 1, column 3: got "2.01", expected a number nearer "2.00": off by 0.01 (0.005 relative), allowed 1e-6`,
			Difference{Tolerance, 1, 3, 1, 3, 2, 0, "2.00", "2.01"}},
		{"a number relatively too far off", "float_relative_tolerance .001", "2.00", "2.01",
			`line 1, column 1: got "2.01", expected a number nearer "2.00": off by 0.01 (0.005 relative), allowed .001 relative`,
			Difference{Tolerance, 1, 1, 1, 1, 1, 0, "2.00", "2.01"}},
		{"a number too far off zero", tol, "0", "5",
			`line 1, column 1: got "5", expected a number nearer "0": off by 5, allowed 1e-6 or 1e-6 relative`,
			Difference{Tolerance, 1, 1, 1, 1, 1, 0, "0", "5"}},
		{"a number beyond all floats", tol, "1e999", "1e998",
			`line 1, column 1: got "1e998", expected a number nearer "1e999", allowed 1e-6 or 1e-6 relative`,
			Difference{Tolerance, 1, 1, 1, 1, 1, 0, "1e999", "1e998"}},
		{"what is hostile is quoted", "", "ok", "\x1b[2J\x07\u202e\xff",
			`line 1, column 1: got "\x1b[2J\a\u202e\xff", expected "ok"`,
			Difference{Differs, 1, 1, 1, 1, 1, 0, "ok", "\x1b[2J\x07\u202e\xff"}},
		{"what is long is cut at its end", "", "ok", "x" + sixty + sixty,
			`line 1, column 1: got "x` + sixty + `...", expected "ok"`,
			Difference{Differs, 1, 1, 1, 1, 1, 0, "ok", "x" + sixty + "..."}},
		{"a late difference is shown with what is around it", "", sixty + sixty + "1", sixty + sixty + "2",
			`line 1, column 1: got "...cdefabcdefabcdef2", expected "...cdefabcdefabcdef1"`,
			Difference{Differs, 1, 1, 1, 1, 1, 120, "...cdefabcdefabcdef1", "...cdefabcdefabcdef2"}},
		{"a difference in the middle is cut on both sides", "", sixty + "1" + sixty, sixty + "2" + sixty,
			`line 1, column 1: got "...cdefabcdefabcdef2abcdefabcdefabcdefabcdefabcdefabcdefabcde...", expected "...cdefabcdefabcdef1abcdefabcdefabcdefabcdefabcdefabcdefabcde..."`,
			Difference{Differs, 1, 1, 1, 1, 1, 60,
				"...cdefabcdefabcdef1abcdefabcdefabcdefabcdefabcdefabcdefabcde...",
				"...cdefabcdefabcdef2abcdefabcdefabcdefabcdefabcdefabcdefabcde..."}},
		{"columns count bytes", "", "\u00e5\u00e5 1", "\u00e5\u00e5 2",
			`line 1, column 6: got "2", expected "1"`,
			Difference{Differs, 1, 6, 1, 6, 2, 0, "1", "2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := mustParse(t, strings.Fields(test.args)).Check(Case{Answer: strings.NewReader(test.answer), Output: strings.NewReader(test.output)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Finding{Why: test.why, Diff: &test.diff}, f); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestClip(t *testing.T) {
	sixtyFour := strings.Repeat("x", 64)
	tests := []struct{ name, text, want string }{
		{"nothing", "", `""`},
		{"plain text stays", "a b", `"a b"`},
		{"printable UTF-8 stays", "Åsa 日本", `"Åsa 日本"`},
		{"quotes are escaped", `a"b\`, `"a\"b\\"`},
		{"a line end is escaped", "a\nb", `"a\nb"`},
		{"a terminal escape is escaped", "\x1b[31m", `"\x1b[31m"`},
		{"a C1 control is escaped", "\u009b31m", `"\u009b31m"`},
		{"a raw C1 byte is escaped", "\x9b31m", `"\x9b31m"`},
		{"a direction mark is escaped", "\u202e", `"\u202e"`},
		{"an invisible space is escaped", "\u200b", `"\u200b"`},
		{"DEL is escaped", "\x7f", `"\x7f"`},
		{"NUL is escaped", "\x00", `"\x00"`},
		{"64 bytes stay", sixtyFour, `"` + sixtyFour + `"`},
		{"65 bytes are cut", sixtyFour + "y", `"` + sixtyFour[:61] + `..."`},
		{"a character is not cut in two", sixtyFour[:59] + "日本語", `"` + sixtyFour[:59] + `..."`},
		{"bytes that continue nothing are cut", strings.Repeat("\x80", 65), `"` + strings.Repeat(`\x80`, 58) + `..."`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Clip(test.text); got != test.want {
				t.Errorf("Clip(%q) = %s, expected %s", test.text, got, test.want)
			}
		})
	}
}
