package ctd

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestHostile(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for _, v := range []vector{
		{`REP(2^32-1) REP(2^32-1) END END`, "", "!g.ctd:1:13: takes too many steps"},
		{`SET(x=3) WHILE(1==1) SET(x=x*x) END`, "", "!g.ctd:1:22: takes too many steps"},
		{`SET(x=2^(2^16)) SET(x=x^99)`, "", "!g.ctd:1:23: x^99 is larger than 4194304 bits"},
		{`SET(x=1.1) WHILE(1==1) SET(x=x*x) END`, "", "!g.ctd:1:30: x*x is larger than 1048576 bits"},
		{`SET(a[0]=0) WHILEI(i,i<3*10^5) ASSERT(INARRAY(i,a)) SET(a[0]=i+1) UNSET(b) SET(b[i]=i) END`, "", ""},
		{`WHILEI(i,1==1) SET(a[i,i]=i) END`, "", "!g.ctd:1:20: needs too much memory for variables"},
		{deep("REP(1) ", "", " END", 300), "", "!g.ctd:1:1398: nested more than 200 deep"},
		{"ASSERT(" + deep("(", "1", ")", 300) + "==1)", "", "!g.ctd:1:108: nested more than 200 deep"},
		{"ASSERT(" + deep("-", "1", "", 300) + "==1)", "", "!g.ctd:1:207: nested more than 200 deep"},
		{"ASSERT(" + deep("!", "ISEOF", "", 300) + ")", "", "!g.ctd:1:207: nested more than 200 deep"},
		{`REGEX("` + deep("(", "a", ")", 300) + `")`, "", `!g.ctd:1:7: regular expression "(((((((((((((((((((((((((((((((((((((...": nested more than 200 deep`},
		{`REGEX("(((a|b){999}){999}){999}")`, "", `!g.ctd:1:7: regular expression "(((a|b){999}){999}){999}": it repeats too much`},
		{strings.Repeat(`REGEX("(a|b){60000}")`, 40), "", `!g.ctd:1:112: the regular expressions repeat too much`},
		{`REGEX("(){2147483647}b")`, "b", ""},
		{`REGEX("(a|aa)*(a|aa)*(a|aa)*b")`, strings.Repeat("a", 50_000), `1:1: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." want a match`},
		{strings.Repeat(" ", maxSource+1), "", "!g.ctd:1:1: expected a grammar of at most 262144 bytes, found 262145"},
	} {
		start := time.Now()
		got := within(t, v, Options{}, maxSteps/16, maxMemory/16)
		if got != v.want && (v.want == "" || !strings.HasPrefix(got, v.want)) {
			t.Errorf("%.60s: got %.300q, expected %q", v.grammar, got, v.want)
		}
		t.Logf("%.40s: %v", v.grammar, time.Since(start).Round(time.Millisecond))
	}
}

func TestContextEndsCheck(t *testing.T) {
	g, err := Parse("g.ctd", []byte(`WHILE(1==1) END`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := g.Check(ctx, nil, Options{}); err != why {
		t.Errorf("got %v, expected %v", err, why)
	}
}

// FuzzCheck checks that neither a grammar nor an input makes the package panic, and
// that every error is printable and has a place.
func FuzzCheck(f *testing.F) {
	for _, group := range vectors {
		for _, v := range group.facts {
			f.Add(v.grammar, []byte(v.input), false)
		}
	}
	f.Add(`INT(0,9) SPACE INT(0,9) NEWLINE`, []byte("1 \t 2\n"), true)
	f.Fuzz(func(t *testing.T, grammar string, input []byte, loose bool) {
		g, err := Parse("g.ctd", []byte(grammar))
		if err != nil {
			checkError(t, err)
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err = g.Check(ctx, input, Options{WhitespaceOK: loose})
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			checkError(t, err)
		}
	})
}

// FuzzParse checks only the parser, which is faster.
func FuzzParse(f *testing.F) {
	for _, group := range vectors {
		for _, v := range group.facts {
			f.Add(v.grammar)
		}
	}
	f.Fuzz(func(t *testing.T, grammar string) {
		if _, err := Parse("g.ctd", []byte(grammar)); err != nil {
			checkError(t, err)
		}
	})
}

func checkError(t *testing.T, err error) {
	var m *Mismatch
	var e *Error
	switch {
	case errors.As(err, &m) && m.Line > 0 && m.Column > 0 && m.Found != "" && m.Expected != "":
	case errors.As(err, &e) && e.Line > 0 && e.Column > 0 && e.Msg != "":
	default:
		t.Errorf("%T %v has no place", err, err)
	}
	if s := err.Error(); len(s) > 1000 || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("not printable: %.200q", s)
	}
}
