package ctd

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// patterns contains the sentences of doc/regex-spec.md, shortened. Each fact is an
// expression, an input, and the matching prefix of the input: "-" if none matches.
// Errors begin with "!".
var patterns = []struct {
	sentence string
	facts    [][3]string
}{
	{"most characters match themselves; A and B in a row match what they match in a row", [][3]string{
		{"", "a", ""},
		{"ab", "abc", "ab"},
		{"ab", "ac", "-"},
		{"a b", "a b", "a b"},
		{"A", "a", "-"},
		{"^a$", "^a$", "^a$"},
		{"a-b/", "a-b/", "a-b/"},
		{"é", "é", "é"},
	}},
	{". matches any character, including newlines", [][3]string{
		{".+", "a\nb", "a\nb"},
		{"a.c", "a\nc", "a\nc"},
		{".", "", "-"},
		{"[^\n]*", "a\nb", "a"},
	}},
	{"[] is a set: literal characters and ranges", [][3]string{
		{"[abc]+", "cabd", "cab"},
		{"[a-cx-z]+", "axbyd", "axby"},
		{"[0-9]", "a", "-"},
		{"[*+?.]*", "+?*.a", "+?*."},
		{"[a{1,2}]+", "{1,2}", "{1,2}"},
		{"[z-a]", "", `!the range 'z'-'a' is in the wrong order`},
	}},
	{"- is literal if escaped, after a range, first or last", [][3]string{
		{`[a\-z]+`, "a-zb", "a-z"},
		{"[a-a-z]+", "a-zb", "a-z"},
		{"[-a]+", "a-b", "a-"},
		{"[a-]+", "a-b", "a-"},
		{"[-]", "-", "-"},
		{"[--]", "--", "-"},
		{"[---]+", "--", "--"},
		{"[+--]+", "+,-.", "+,-"},
	}},
	{"a set is complemented by ^ at its beginning, which is literal elsewhere or escaped", [][3]string{
		{"[^a]+", "bcab", "bc"},
		{`[\^]`, "^", "^"},
		{"[a^]+", "^a", "^a"},
		{"[^^]+", "a^", "a"},
	}},
	{"in a set only [ and ] must be escaped", [][3]string{
		{`[\]]`, "]", "]"},
		{`[\[\]]+`, "[]", "[]"},
		{`[\d]+`, `\d`, `\d`},
		{"[[]", "", `!a [ in a set: expected \[; names such as [:digit:] are not supported`},
		{"[[:digit:]]", "1", `!a [ in a set: expected \[; names such as [:digit:] are not supported`},
		{"[:digit:]", "d", "d"},
	}},
	{"it is an error if a set does not specify any characters", [][3]string{
		{"[]", "", "!a set without characters"},
		{"[^]", "", "!a set without characters"},
		{"[a", "", "!a [ without its ]"},
		{"[a-", "", "!a [ without its ]"},
		{"[", "", "!a [ without its ]"},
	}},
	{"{m,n} matches from m to n repetitions, as many as possible; m omitted is 0, n no bound", [][3]string{
		{"a{2,3}", "aaaa", "aaa"},
		{"a{2,3}", "a", "-"},
		{"a{,2}", "aaa", "aa"},
		{"a{2,}", "aaaa", "aaaa"},
		{"a{,}", "aaa", "aaa"},
		{"(a{2}){2}", "aaaaa", "aaaa"},
		{"(ab){2,3}", "abababab", "ababab"},
		{"a{3,4}a{3}b", "aaaaaaab", "aaaaaaab"},
		{"a{0}b", "b", "b"},
		{"a{3,2}", "", "!{3,2} has its numbers in the wrong order"},
		{"a{01}", "", "!a count with superfluous zeros: 01"},
		{"a{1", "", "!a { without its }"},
		{"a{x}", "", "!a { without a number"},
		{"a{99999999999}", "", "!it repeats too much"},
	}},
	{"{m} is {m,m}, where m must be given; * + ? are short", [][3]string{
		{"a{3}", "aaaa", "aaa"},
		{"a{}", "", "!a { without a number"},
		{"a*", "b", ""},
		{"a*b", "aaab", "aaab"},
		{"a+", "b", "-"},
		{"a?a", "a", "a"},
		{"[a-z]{1,100000}", strings.Repeat("x", 100_001), strings.Repeat("x", 100_000)},
		{"([a-z]x?){1,9000}", strings.Repeat("ax", 9001), strings.Repeat("ax", 9000)},
	}},
	{"it is an error to repeat nothing, or a repetition", [][3]string{
		{"*", "", "!nothing for * to repeat"},
		{"(+)", "", "!nothing for + to repeat"},
		{"a|?", "", "!nothing for ? to repeat"},
		{"a**", "", "!* repeats a repetition: expected parentheses"},
		{"a{1,2}{1,2}", "", "!{ repeats a repetition: expected parentheses"},
		{"(a{1,2}){1,2}", "aaaaa", "aaaa"},
		{"()*", "a", ""},
		{"(a?)*b", "aab", "aab"},
	}},
	{"A|B is a union, where any match of A is preferred", [][3]string{
		{"p|ps", "ps", "p"},
		{"ps|p", "ps", "ps"},
		{"a|b|c", "c", "c"},
		{"(a|ab)(c|bcd)", "abcd", "abcd"},
		{"(a|ab)c", "abc", "abc"},
		{"|a", "a", ""},
		{"(|a)*", "aa", "aa"},
		{"(foo|(bar|baz))+", "foobarbazba", "foobarbaz"},
		{"(a", "", "!a ( without its )"},
		{"a)", "", "!a ) without its ("},
	}},
	{`\ escapes a special character; before another it is literal`, [][3]string{
		{`\*\(\)\{\}\[\]\+\?\|\^\.\-`, `*(){}[]+?|^.-`, `*(){}[]+?|^.-`},
		{`\\`, `\\`, `\`},
		{`\d`, `\d`, `\d`},
		{`\d`, `1`, `-`},
		{`\`, `\`, `\`},
		{`a\.b`, "axb", "-"},
	}},
}

func begin(t testing.TB, expression, input string) string {
	re, err := parseRegex(expression)
	if err != nil {
		return "!" + err.Error()
	}
	m := &machine{g: &Grammar{}, ctx: context.Background(), steps: maxSteps, memory: maxMemory}
	n, ok := re.match(m, []byte(input))
	if re.runs != nil {
		// The automaton must have the same result, unless it is above the size limit and
		// therefore incomplete.
		if slow := slowly(t, expression); len(slow.prog) <= maxInsts {
			if n2, ok2 := slow.simulate(m, []byte(input)); n2 != n || ok2 != ok {
				t.Errorf("%q on %.40q: runs match %d, %v, the automaton %d, %v", expression, input, n, ok, n2, ok2)
			}
		}
	}
	if !ok {
		return "-"
	}
	return input[:n]
}

// slowly compiles an automaton even if runs can express the expression.
func slowly(t testing.TB, expression string) *regex {
	p := &regexParser{scanner: scanner{text: expression}}
	re := &regex{src: expression}
	re.automaton(p.choice())
	return re
}

func TestRegex(t *testing.T) {
	for _, group := range patterns {
		t.Run(strings.ReplaceAll(group.sentence, "/", "|"), func(t *testing.T) {
			for _, f := range group.facts {
				if got := begin(t, f[0], f[1]); got != f[2] {
					t.Errorf("%q on %.40q: got %.60q, expected %.60q", f[0], f[1], got, f[2])
				}
			}
		})
	}
}

// FuzzRegex compares expressions that have the same meaning in Go with package regexp.
func FuzzRegex(f *testing.F) {
	for _, group := range patterns {
		for _, fact := range group.facts {
			f.Add(fact[0], fact[1])
		}
	}
	f.Fuzz(func(t *testing.T, expression, input string) {
		got := begin(t, expression, input)
		// Expressions of these characters have the same meaning in both.
		same := !strings.ContainsFunc(expression+input, func(r rune) bool { return r > '~' || r < ' ' }) &&
			!strings.ContainsAny(expression, `\^$-[]{}`) && !strings.Contains(expression, "(?")
		if !same || len(expression) > 30 || len(input) > 200 || got == "!" || strings.HasPrefix(got, "!") {
			return
		}
		re, err := regexp.Compile(`(?s)^(?:` + expression + `)`)
		if err != nil {
			t.Fatalf("%q is valid here, but %v", expression, err)
		}
		want := "-"
		if at := re.FindStringIndex(input); at != nil {
			want = input[:at[1]]
		}
		if got != want && !emptyRounds(expression) {
			t.Errorf("%q on %q: got %q, Go has %q", expression, input, got, want)
		}
	})
}

// emptyRounds reports whether an expression may repeat the empty match: engines differ
// in the result.
func emptyRounds(expression string) bool {
	return strings.Contains(expression, ")*") || strings.Contains(expression, ")+") || strings.Contains(expression, ")?")
}
