package check

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// A chopped reader returns a random number of bytes at a time, sometimes none, and
// sometimes the end together with the last bytes.
type chopped struct {
	r    io.Reader
	rand *rand.Rand
	most int
}

func (c chopped) Read(p []byte) (int, error) {
	n := min(len(p), c.rand.IntN(c.most))
	if n == 0 {
		return 0, nil
	}
	return c.r.Read(p[:n])
}

// readings lists the ways in which a reader can divide a text.
var readings = []struct {
	name string
	open func(text string) io.Reader
}{
	{"whole", func(s string) io.Reader { return strings.NewReader(s) }},
	{"end with the data", func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) }},
	{"halves", func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) }},
	{"bytes", func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) }},
	{"few at a time", func(s string) io.Reader { return chopped{strings.NewReader(s), rand.New(rand.NewPCG(1, 2)), 9} }},
	{"many at a time", func(s string) io.Reader {
		return chopped{iotest.DataErrReader(strings.NewReader(s)), rand.New(rand.NewPCG(3, 4)), 9000}
	}},
}

// onlyWithoutRaces skips a long test of a single goroutine under the race detector,
// which can find nothing there. TestChecksDoNotShareState uses several goroutines.
func onlyWithoutRaces(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("one goroutine")
	}
}

func mustParse(t testing.TB, args []string) Rules {
	t.Helper()
	c, err := ParseRules(args)
	if err != nil {
		t.Fatalf("ParseRules(%q): %v", args, err)
	}
	return c
}

func TestDefaultFollowsTheSpecification(t *testing.T) {
	onlyWithoutRaces(t)
	facts := map[string]bool{}
	for _, s := range vectors {
		t.Run(s.says, func(t *testing.T) {
			for _, v := range s.vectors {
				if facts[v.fact] {
					t.Errorf("two vectors are named %q", v.fact)
				}
				facts[v.fact] = true
				t.Run(v.fact, func(t *testing.T) { v.test(t) })
			}
		})
	}
	if n := len(facts); n < 500 {
		t.Errorf("only %d vectors", n)
	}
}

func (v vector) test(t *testing.T) {
	args := strings.Fields(v.args)
	if v.want == refused {
		if _, err := ParseRules(args); err == nil || !newReference(args).refused {
			t.Fatalf("ParseRules(%q): %v; the reference refuses: %v", args, err, newReference(args).refused)
		}
		return
	}
	rules := mustParse(t, args)
	if !refHuge.MatchString(v.args + " " + v.answer + " " + v.output) {
		checkAgainstReference(t, args, v.answer, v.output)
	}
	var first Finding
	for i, a := range readings {
		for k, o := range readings {
			if i != k && len(v.answer)+len(v.output) > block {
				continue // long texts are expensive and have few tokens
			}
			f, err := rules.Check(Case{Answer: a.open(v.answer), Output: o.open(v.output)})
			if err != nil {
				t.Fatalf("answer %s, output %s: %v", a.name, o.name, err)
			}
			var kind Kind
			if f.Diff != nil {
				kind = f.Diff.Kind
			}
			if kind != v.want || f.OK != (v.want == "") {
				t.Fatalf("answer %s, output %s: OK %v, %q, %s; expected %q", a.name, o.name, f.OK, kind, f.Why, v.want)
			}
			if i == 0 && k == 0 {
				first = f
			} else if diff := cmp.Diff(first, f); diff != "" {
				t.Fatalf("answer %s, output %s: not what it was when both came whole: -whole +now\n%s", a.name, o.name, diff)
			}
		}
	}
}

// checkAgainstReference compares the validator's finding with the reference, and the
// position of a difference with the text.
func checkAgainstReference(t *testing.T, args []string, answer, output string) (accepted bool) {
	t.Helper()
	f, err := mustParse(t, args).Check(Case{Answer: strings.NewReader(answer), Output: strings.NewReader(output)})
	if err != nil {
		t.Fatal(err)
	}
	ok, token := newReference(args).accepts([]byte(answer), []byte(output))
	if f.OK != ok {
		t.Fatalf("rules %q, answer %s, output %s: OK %v, %s; the reference says %v", args, Clip(answer), Clip(output), f.OK, f.Why, ok)
	}
	if ok {
		if f.Diff != nil || f.Why != "" {
			t.Fatalf("accepted with a reason: %+v", f)
		}
		return true
	}
	d := f.Diff
	if d.Token != token {
		t.Fatalf("rules %q, answer %s, output %s: token %d, expected %d", args, Clip(answer), Clip(output), d.Token, token)
	}
	checkPlace(t, "output", output, d.Kind, token, d.Line, d.Column, d.Offset, d.Got)
	checkPlace(t, "answer", answer, d.Kind, token, d.AnswerLine, d.AnswerColumn, d.Offset, d.Want)
	for i := range len(f.Why) {
		if f.Why[i] < ' ' || f.Why[i] == 0x7f {
			t.Fatalf("an unprintable byte in %q", f.Why)
		}
	}
	return false
}

// checkPlace checks that the excerpt is at the given line and column of the text, and
// that it belongs to the given token.
func checkPlace(t *testing.T, name, text string, kind Kind, token, line, column, offset int, excerpt string) {
	t.Helper()
	at := column - 1
	for rest := text; line > 1; line-- {
		n := strings.IndexByte(rest, '\n') + 1
		if n == 0 {
			t.Fatalf("%s: the place is %d lines behind its end", name, line-1)
		}
		rest, at = rest[n:], at+n
	}
	if at > len(text) {
		t.Fatalf("%s: column %d is behind the end", name, column)
	}
	if n := len(refTokens([]byte(text[:at]))); n != token-1 {
		t.Fatalf("%s: %d tokens before the place, expected %d", name, n, token-1)
	}
	if len(excerpt) > maxExcerpt {
		t.Fatalf("%s: an excerpt of %d bytes", name, len(excerpt))
	}
	rest := text[at:]
	n := strings.IndexFunc(rest, func(c rune) bool { return c < 0x80 && space[c] != (kind == Space) || c >= 0x80 && kind == Space })
	if n < 0 {
		n = len(rest)
	}
	whole := rest[:n]
	excerpt, cut := strings.CutSuffix(excerpt, "...")
	if offset > 0 && strings.HasPrefix(excerpt, "...") && !strings.HasPrefix(whole, excerpt) {
		excerpt = excerpt[3:]
		if offset > len(whole) || !strings.Contains(whole[max(0, offset-maxExcerpt):], excerpt) {
			t.Fatalf("%s: excerpt %q is not around byte %d of the token", name, excerpt, offset)
		}
	} else if cut && !strings.HasPrefix(whole, excerpt) || !cut && excerpt != whole {
		t.Fatalf("%s: excerpt %q, expected %s", name, excerpt, Clip(whole))
	}
}

// The texts consist of pieces that are significant to the validator, because they
// cover more of its code than random bytes.
func TestDefaultIsTheReference(t *testing.T) {
	pieces := []string{" ", "\n", "\r\n", "\t", "  ", "\v\f", "a", "A", "b", "0", "1", "10", "9", ".", "-", "+", "e", "E5", "1e", "\x00", "\xff", "Z", "[", "1.5", "0.000001", "abcdefgh", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
	argses := []string{"", caseArg, spaceArg, tol, abs, rel, "float_absolute_tolerance 1", "float_relative_tolerance 0.5", "float_tolerance 0", spaceArg + " " + caseArg, spaceArg + " " + tol, caseArg + " float_tolerance 1"}
	rng := rand.New(rand.NewPCG(7, 7))
	accepted := 0
	rounds := 20_000
	if raced {
		rounds = 3000
	}
	for range rounds {
		var answer, output strings.Builder
		for range rng.IntN(30) {
			p := pieces[rng.IntN(len(pieces))]
			answer.WriteString(p)
			switch rng.IntN(40) {
			case 0:
				output.WriteString(pieces[rng.IntN(len(pieces))])
			case 1:
				output.WriteString(strings.ToUpper(p))
			case 2, 3:
				if strings.TrimSpace(p) == "" {
					p = pieces[rng.IntN(6)]
				}
				output.WriteString(p)
			default:
				output.WriteString(p)
			}
		}
		args := strings.Fields(argses[rng.IntN(len(argses))])
		if checkAgainstReference(t, args, answer.String(), output.String()) {
			accepted++
		}
	}
	if accepted < rounds/10 || accepted > rounds*9/10 {
		t.Errorf("%d of %d accepted: too one-sided to say much", accepted, rounds)
	}
}
