package check

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// A chopped reader gives a random number of bytes at a time, now and then none,
// and sometimes the end together with the last bytes.
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

// readings are the ways in which a text can arrive.
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

func mustDefault(t testing.TB, args []string) Checker {
	t.Helper()
	c, err := Default(args)
	if err != nil {
		t.Fatalf("Default(%q): %v", args, err)
	}
	return c
}

func TestDefaultFollowsTheSpecification(t *testing.T) {
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
	if n := len(facts); n < 150 {
		t.Errorf("only %d vectors", n)
	}
}

func (v vector) test(t *testing.T) {
	args := strings.Fields(v.args)
	checker := mustDefault(t, args)
	if !refHuge.MatchString(v.args + " " + v.answer + " " + v.output) {
		if ok, _ := newReference(args).accepts([]byte(v.answer), []byte(v.output)); ok != (v.want == "") {
			t.Errorf("the reference accepts: %v; want %q", ok, v.want)
		}
	}
	var first Finding
	for i, a := range readings {
		for k, o := range readings {
			if i*k > 0 && i != k && len(v.answer)+len(v.output) > block {
				continue // the long ones cost much and have few tokens
			}
			f, err := checker(Case{Answer: a.open(v.answer), Output: o.open(v.output)})
			if err != nil {
				t.Fatalf("answer %s, output %s: %v", a.name, o.name, err)
			}
			var kind Kind
			if f.Diff != nil {
				kind = f.Diff.Kind
			}
			if kind != v.want || f.OK != (v.want == "") {
				t.Fatalf("answer %s, output %s: OK %v, %q, %s; want %q", a.name, o.name, f.OK, kind, f.Why, v.want)
			}
			if i == 0 && k == 0 {
				first = f
			} else if diff := cmp.Diff(first, f); diff != "" {
				t.Fatalf("answer %s, output %s: not what it was when both came whole: -whole +now\n%s", a.name, o.name, diff)
			}
		}
	}
}
