package check

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDefault compares the validator with the reference, and checks that its finding
// does not depend on how the readers divide the texts.
func FuzzDefault(f *testing.F) {
	for _, s := range vectors {
		for _, v := range s.vectors {
			if len(v.answer)+len(v.output) < 10_000 {
				f.Add(v.args, v.answer, v.output, uint64(1))
			}
		}
	}
	f.Fuzz(func(t *testing.T, args, answer, output string, seed uint64) {
		words := strings.Fields(args)
		rules, err := ParseRules(words)
		if huge := refHuge.MatchString(args); !huge && (err != nil) != newReference(words).refused {
			t.Fatalf("ParseRules(%q): %v; the reference refuses: %v", words, err, newReference(words).refused)
		}
		if err != nil {
			return
		}
		whole, err := rules.Check(Case{Answer: strings.NewReader(answer), Output: strings.NewReader(output)})
		if err != nil {
			t.Fatal(err)
		}
		a := chopped{strings.NewReader(answer), rand.New(rand.NewPCG(seed, 1)), 20}
		o := chopped{strings.NewReader(output), rand.New(rand.NewPCG(seed, 2)), 20}
		parts, err := rules.Check(Case{Answer: a, Output: o})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, parts); diff != "" {
			t.Fatalf("the result depends on how the texts arrive: -whole +parts\n%s", diff)
		}
		if !refHuge.MatchString(args + " " + answer + " " + output) {
			checkAgainstReference(t, words, answer, output)
		}
	})
}

// FuzzNumber compares the parser of numbers with the grammar and with exact rational
// numbers.
func FuzzNumber(f *testing.F) {
	for _, s := range vectors {
		for _, v := range s.vectors {
			f.Add(v.answer)
			f.Add(v.output)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n number
		ok := n.parse([]byte(text))
		if len(text) > maxFloat || refHuge.MatchString(text) {
			return
		}
		want := refNumber([]byte(text))
		if ok != (want != nil) {
			t.Fatalf("parse(%q): %v", text, ok)
		}
		if ok {
			checkDecimal(t, n.exact(), want)
			checkApproximation(t, n, want)
		}
	})
}
