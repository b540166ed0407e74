package check

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The tests compare the default validators of problemtools and BAPCtools with ours on
// random outputs. The other validators are not part of this project: an environment
// variable names a checkout in which the validator is built, beside its source.
//
// The other validators differ from the specification in known ways. Each difference
// is a quirk: a change of the reference that makes it behave like the other program.
// With all quirks of a program, the reference must agree with it on every output, so
// that every disagreement is explained. Without quirks, the reference is the
// specification, and our validator must agree with it.

// A quirk is one difference between another validator and the specification.
type quirk struct {
	name string
	cite string // the section of the specification (2025-09) that decides, and its text
	// The smallest known example, the other program's result and ours.
	args, answer, output string
	theirs, ours         string
}

const (
	accepts = "AC"
	rejects = "WA"
	fails   = "error" // the program rejected the arguments, or crashed
)

// A foreign is another default validator.
type foreign struct {
	name    string
	env     string // environment variable that names the checkout
	program string // path of the program in the checkout
	quirks  []quirk
}

const (
	general  = "General requirements: "
	defaults = "Default output validator specification: "
	floats   = "Comparing floating-point tokens: "
	parsing  = "Output parsing: "
)

var foreigners = []foreign{
	{"problemtools", "CRUCIBLE_PROBLEMTOOLS", "support/default_validator/default_validator", []quirk{
		{"repeated", defaults + "it is an error to give a tolerance twice, or float_tolerance beside another. In legacy packages the last counts for us, too (LegacyArgs)",
			"float_tolerance 1 float_tolerance 2", "1", "3", accepts, fails},
		{"negative", general + "and " + defaults + "an error of at most ε < 0 cannot be asked for; problemtools takes it as not set",
			"float_tolerance -1", "1", "1.0", rejects, fails},
		{"scanf", general + "the grammar has no hexadecimal numbers, and digits after the exponent's letter",
			"float_tolerance 0", "1", "0x1", accepts, rejects},
		{"range", general + "limits on the number of digits are allowed, none on the size; beyond a double problemtools compares strings",
			"float_tolerance 0", "1e400", "10e399", rejects, accepts},
		{"double", general + "52 bits of mantissa are enough, so the rounding of either is allowed; ours is exact",
			"float_absolute_tolerance 0.1", "0.3", "0.4", rejects, accepts},
		{"digits", general + "reasonable limits on the number of digits are allowed, beyond 30; ours is 4096 bytes",
			"float_tolerance 0", "1", "1." + strings.Repeat("0", 5000), accepts, rejects},
		{"nul", parsing + "whitespace ends a token, a NUL byte does not",
			"", "a", "a\x00b", accepts, rejects},
	}},
	{"BAPCtools", "CRUCIBLE_BAPCTOOLS", "bapctools/resources/support/default_output_validator", []quirk{
		{"unknown", defaults + "the arguments are those of the table; BAPCtools passes over others",
			"float_tolerence 1", "1", "1", accepts, fails},
		{"stold", general + "the grammar of numbers is for tolerances, too: no hexadecimal ones, inf, nor text after the number",
			"float_tolerance 0x1", "1", "2", accepts, fails},
		{"range", general + "limits on the number of digits are allowed, none on the size; beyond a long double BAPCtools compares strings",
			"float_tolerance 0", "1e5000", "10e4999", rejects, accepts},
		{"digits", general + "reasonable limits on the number of digits are allowed, beyond 30; ours is 4096 bytes",
			"float_tolerance 0", "1", "1." + strings.Repeat("0", 5000), accepts, rejects},
		{"zero", floats + "accepted if |s-a| ≤ ε|a|, which holds for 0 and 0.0; BAPCtools divides by a",
			"float_relative_tolerance 0.1", "0", "0.0", rejects, accepts},
		{"long double", general + "52 bits of mantissa are enough, so the rounding of either is allowed; ours is exact",
			"float_absolute_tolerance 0.1", "0.7", "0.8", rejects, accepts},
	}},
}

// A model predicts the results of a program: it is the specification, changed by some
// of the program's quirks.
type model struct {
	has                map[string]bool
	cases, spaces      bool
	absolute, relative *big.Rat // nil when not set
	infinite           bool     // the tolerances are infinite
}

// says returns the expected result for one output.
func (m model) says(args []string, answer, output string) string {
	if !m.parse(args) {
		return fails
	}
	if ok, _ := refAccepts([]byte(answer), []byte(output), m.spaces, m.equal); !ok {
		return rejects
	}
	return accepts
}

func (m *model) parse(args []string) bool {
	given := map[string]int{}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; arg {
		case "case_sensitive":
			m.cases = true
		case "space_change_sensitive":
			m.spaces = true
		case "float_tolerance", "float_absolute_tolerance", "float_relative_tolerance":
			if i++; i == len(args) {
				return false
			}
			eps := m.tolerance(args[i])
			if eps == nil || eps.Sign() < 0 && !m.has["negative"] {
				return false
			}
			if arg != "float_relative_tolerance" {
				m.absolute = eps
			}
			if arg != "float_absolute_tolerance" {
				m.relative = eps
			}
			given[arg]++
		default:
			if !m.has["unknown"] {
				return false
			}
		}
	}
	both, abs, rel := given["float_tolerance"], given["float_absolute_tolerance"], given["float_relative_tolerance"]
	return m.has["repeated"] || both <= 1 && abs <= 1 && rel <= 1 && (both == 0 || abs+rel == 0)
}

// tolerance parses a tolerance. It returns nil if the program rejects the text.
func (m *model) tolerance(text string) *big.Rat {
	const spaces = " \f\n\r\t\v"
	if m.has["scanf"] {
		text = strings.Trim(text, spaces)
	}
	if !m.has["stold"] {
		return m.number([]byte(text))
	}
	text = numberOfC.FindString(strings.TrimLeft(text, spaces))
	if strings.EqualFold(strings.TrimPrefix(text, "+"), "inf") {
		m.infinite = true
		return new(big.Rat)
	}
	return m.valueOfC(text)
}

var (
	decimalOfC = `[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)`
	hexOfC     = `[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)`
	// The numbers that strtod and similar functions accept, and inf, but not nan.
	numberOfC = regexp.MustCompile(`^(?:\+?[iI][nN][fF]|` + hexOfC + `(?:[pP][+-]?[0-9]+)?|` + decimalOfC + `(?:[eE][+-]?[0-9]+)?)`)
	// In scanf of the GNU C library, the digits of the exponent may be missing, and 0x.
	// is 0.
	unended = regexp.MustCompile(`^(?:(` + hexOfC + `)(?:[pP][+-]?)?|(` + decimalOfC + `)[eE][+-]?|([+-]?0)[xX]\.(?:[pP][+-]?[0-9]*)?)$`)
)

// number parses a token. It returns nil if the token is not a number for the program.
func (m *model) number(text []byte) *big.Rat {
	s := string(text)
	switch {
	case refFloat.MatchString(s) && (len(s) <= maxFloat || m.has["digits"]):
		return m.valueOfC(s)
	case !m.has["scanf"]:
		return nil
	case numberOfC.FindString(s) == s && strings.ContainsAny(s, "xX"):
		return m.valueOfC(s)
	}
	parts := unended.FindStringSubmatch(s)
	return m.valueOfC(strings.Join(parts[min(1, len(parts)):], ""))
}

// valueOfC parses a number of C. It returns nil for "" and for numbers that the
// program's type cannot represent.
func (m *model) valueOfC(s string) *big.Rat {
	if s == "" {
		return nil
	}
	if strings.ContainsAny(s, "xX") && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("big.Rat refuses " + s)
	}
	if m.has["range"] && m.beyond(v) {
		return nil
	}
	return v
}

// beyond reports whether v is outside the range of the program's type.
func (m *model) beyond(v *big.Rat) bool {
	if m.has["double"] {
		x, _ := v.Float64()
		return math.IsInf(x, 0)
	}
	x := new(big.Float).SetPrec(64).SetRat(v)
	return x.Sign() != 0 && (x.MantExp(nil) > 16384 || x.MantExp(nil) < -16381)
}

func (m *model) equal(want, got []byte) bool {
	if m.has["nul"] {
		want, _, _ = bytes.Cut(want, []byte{0})
		got, _, _ = bytes.Cut(got, []byte{0})
	}
	set := func(eps *big.Rat) bool { return eps != nil && eps.Sign() >= 0 }
	if set(m.absolute) || set(m.relative) {
		if a := m.number(want); a != nil {
			s := m.number(got)
			return s != nil && (m.near(s, a) || m.has["zero"] && string(want) == string(got))
		}
	}
	if !m.cases {
		want, got = refLower(want), refLower(got)
	}
	return string(want) == string(got)
}

func (m *model) near(s, a *big.Rat) bool {
	if m.infinite {
		return m.absolute != nil || !m.has["zero"] || a.Sign() != 0
	}
	switch {
	case m.has["double"]:
		return m.nearInDoubles(s, a)
	case m.has["long double"]:
		return m.nearInLongDoubles(s, a)
	}
	off := new(big.Rat).Sub(s, a)
	off.Abs(off)
	return m.absolute != nil && off.Cmp(m.absolute) <= 0 ||
		m.relative != nil && !(m.has["zero"] && a.Sign() == 0) && off.Cmp(new(big.Rat).Mul(m.relative, new(big.Rat).Abs(a))) <= 0
}

func (m *model) nearInDoubles(s, a *big.Rat) bool {
	double := func(v *big.Rat) float64 {
		if v == nil {
			return -1
		}
		x, _ := v.Float64()
		return x
	}
	off := math.Abs(double(a) - double(s))
	bound := double(m.relative) * math.Abs(double(a))
	return off <= double(m.absolute) || off <= bound
}

func (m *model) nearInLongDoubles(s, a *big.Rat) bool {
	long := func(v *big.Rat) *big.Float { return new(big.Float).SetPrec(64).SetRat(v) }
	given, expected := long(s), long(a)
	off := new(big.Float).SetPrec(64).Sub(given, expected)
	off.Abs(off)
	if m.absolute != nil && off.Cmp(long(m.absolute)) <= 0 {
		return true
	}
	if m.relative == nil {
		return false
	}
	if expected.Sign() == 0 {
		return !m.has["zero"] && off.Sign() == 0
	}
	off.Quo(off, expected)
	return off.Abs(off).Cmp(long(m.relative)) <= 0
}

// TestForeignValidators compares the results for outputs that a seed determines.
func TestForeignValidators(t *testing.T) {
	for _, f := range foreigners {
		t.Run(f.name, func(t *testing.T) {
			checkout := os.Getenv(f.env)
			if checkout == "" {
				t.Skipf("%s is not set: want a checkout of %s in which %s is built", f.env, f.name, f.program)
			}
			program, err := filepath.Abs(filepath.Join(checkout, f.program))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(program); err != nil {
				t.Fatalf("%v: expected it built", err)
			}
			all := model{has: map[string]bool{}}
			for _, q := range f.quirks {
				all.has[q.name] = true
				t.Run(q.name, func(t *testing.T) {
					args := strings.Fields(q.args)
					if got := runForeign(t, program, t.TempDir(), args, q.answer, q.output); got != q.theirs {
						t.Errorf("%s %q: %s says %s to %q for %q, expected %s", program, args, f.name, got, q.output, q.answer, q.theirs)
					}
					if got := ourVerdict(t, args, q.answer, q.output); got != q.ours {
						t.Errorf("%q: ours says %s to %q for %q, expected %s: %s", args, got, q.output, q.answer, q.ours, q.cite)
					}
				})
			}
			compareForeign(t, f, program, all)
		})
	}
}

func compareForeign(t *testing.T, f foreign, program string, all model) {
	const seed = 13
	n := 20_000
	if testing.Short() {
		n = 1000
	}
	var mu sync.Mutex
	verdicts, because := map[string]int{}, map[string]int{}
	disagreed := 0
	var unexplained atomic.Int32 // disagreements that no quirk explains, or errors of our validator
	var wg sync.WaitGroup
	const workers = 2
	for w := range workers {
		dir := t.TempDir()
		wg.Go(func() {
			for i := w; i < n && unexplained.Load() < 20; i += workers {
				args, answer, output := newMaker(seed, i).triple()
				theirs := runForeign(t, program, dir, args, answer, output)
				ours := ourVerdict(t, args, answer, output)
				mu.Lock()
				verdicts[ours]++
				if got := all.says(args, answer, output); got != theirs {
					unexplained.Add(1)
					t.Errorf("output %d of seed %d: %q, answer %q, output %q: %s says %s, with all its quirks expected %s; ours says %s",
						i, seed, args, answer, output, f.name, theirs, got, ours)
				}
				if want := (model{}).says(args, answer, output); ours != want {
					unexplained.Add(1)
					t.Errorf("output %d of seed %d: %q, answer %q, output %q: ours says %s, the specification %s", i, seed, args, answer, output, ours, want)
				}
				if ours != theirs {
					disagreed++
					alone := false
					for _, q := range f.quirks {
						if (model{has: map[string]bool{q.name: true}}).says(args, answer, output) == theirs {
							because[q.name]++
							alone = true
						}
					}
					if !alone {
						because["several together"]++
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d outputs, of which ours accepts %d, rejects %d and refuses the arguments of %d; %s differs on %d, of which %d unexplained: %v",
		n, verdicts[accepts], verdicts[rejects], verdicts[fails], f.name, disagreed, unexplained.Load(), because)
	for _, q := range f.quirks {
		if because[q.name] == 0 && !testing.Short() && !t.Failed() {
			t.Errorf("no output shows %s", q.name)
		}
	}
}

func ourVerdict(t *testing.T, args []string, answer, output string) string {
	rules, err := ParseRules(args)
	if err != nil {
		return fails
	}
	found, err := rules.Check(Case{Answer: strings.NewReader(answer), Output: strings.NewReader(output)})
	switch {
	case err != nil:
		t.Errorf("%q, answer %q, output %q: %v", args, answer, output, err)
		return fails
	case found.OK:
		return accepts
	}
	return rejects
}

func runForeign(t *testing.T, program, dir string, args []string, answer, output string) string {
	ans := filepath.Join(dir, "ans")
	if err := os.WriteFile(ans, []byte(answer), 0o644); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, slices.Concat([]string{ans, ans, dir + "/"}, args)...)
	cmd.Stdin = strings.NewReader(output)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		t.Errorf("%s ended with %v, expected exit status 42 or 43", program, err)
	case exit.ExitCode() == 42:
		return accepts
	case exit.ExitCode() == 43:
		return rejects
	}
	return fails
}

// A maker generates an answer, a similar output, and arguments that affect the result.
type maker struct{ *rand.Rand }

func newMaker(seed, i int) maker {
	return maker{rand.New(rand.NewPCG(uint64(seed), uint64(i)))}
}

func pick[T any](m maker, of ...T) T { return of[m.IntN(len(of))] }

func (m maker) triple() (args []string, answer, output string) {
	args, abs, rel := m.args()
	n := pick(m, 1, 1, 1, 2, 3, 30)
	var words, spaces []string
	for range n {
		words = append(words, m.word())
		spaces = append(spaces, m.space())
	}
	answer = m.lay(words, spaces)
	words, spaces = slices.Clone(words), slices.Clone(spaces)
	for range pick(m, 0, 1, 1, 1, 1, 2) {
		i := m.IntN(len(words))
		switch m.IntN(16) {
		case 0:
			words[i] = m.otherCase(words[i])
		case 1:
			spaces[i] = m.space()
		case 2:
			spaces[len(spaces)-1] = pick(m, "", "\n", "\n\n", " \n", "\r\n")
		case 3:
			words, spaces = append(words, pick(m, m.word(), "\x00", "\x1a")), append(spaces, m.space())
		case 4:
			words, spaces = words[:len(words)-1], spaces[:len(spaces)-1]
		case 5:
			words[i] += pick(m, "\x00", "\x00x", ".", ".0", "0", "e", "e0", "e+", "\u00a0", "\ufeff", "x", "f", ",")
		case 6:
			words[i] = m.word()
		case 7:
			if k := m.IntN(len(words[i]) + 1); k > 0 {
				words[i] = words[i][:k] + m.space() + words[i][k:]
			}
		case 8:
			words[i] = pick(m, "+", "-", "0", "0x", " ") + words[i]
		default:
			words[i] = m.nearTo(words[i], abs, rel)
		}
		if len(words) == 0 {
			break
		}
	}
	return args, answer, m.lay(words, spaces)
}

func (m maker) lay(words, spaces []string) string {
	var b strings.Builder
	b.WriteString(pick(m, "", "", "", "", " ", "\n"))
	for i := range words {
		b.WriteString(words[i] + spaces[i])
	}
	return b.String()
}

func (m maker) space() string {
	return pick(m, " ", " ", " ", "\n", "\n", "\n", "\n", "  ", "\t", "\r\n", "\v", "\f", " \n", "\n\n")
}

// args returns random arguments, and the tolerances among them that are numbers.
func (m maker) args() (args []string, abs, rel string) {
	if m.IntN(4) == 0 {
		args = append(args, "case_sensitive")
	}
	if m.IntN(4) == 0 {
		args = append(args, "space_change_sensitive")
	}
	eps := func() string {
		return pick(m, "0", "1", "0.1", "0.5", "1e-6", "1e-9", "0.0001", "1E-2", "3", ".25", "1e-300", "1e300", "1e-4", "0.001", "1e-15", "1e-17", "1e-20", "-0", "+1e-3", "7e-5")
	}
	odd := func() string {
		return pick(m, "-1", "-1e-9", "0x1", "0x1p-3", "inf", "nan", "1e400", "1e-400", "1e5000", "1e-5000", "1e", "1e+", "1e-6x", "", "x", ".", "1,5", "float_tolerance", "1 ", " 1", "1\x00"[:1])
	}
	switch m.IntN(12) {
	case 0, 1:
	case 2, 3, 4:
		abs = eps()
		args = append(args, "float_absolute_tolerance", abs)
	case 5, 6, 7:
		rel = eps()
		args = append(args, "float_relative_tolerance", rel)
	case 8, 9:
		abs = eps()
		rel = abs
		args = append(args, "float_tolerance", abs)
	case 10:
		abs, rel = eps(), eps()
		args = append(args, "float_absolute_tolerance", abs, "float_relative_tolerance", rel)
	default:
		kinds := []string{"float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"}
		switch m.IntN(5) {
		case 0:
			args = append(args, pick(m, kinds...), odd())
		case 1:
			args = append(args, pick(m, kinds...), eps(), pick(m, kinds...), pick(m, eps(), odd()))
		case 2:
			args = append(args, pick(m, kinds...))
		case 3:
			args = append(args, pick(m, "Case_sensitive", "case_insensitive", "float_tolerence", "1", "-x", "case_sensitive", "float_tolerance=1", ""))
		default:
			args = append(args, pick(m, kinds...), eps(), pick(m, "1", "unknown", "case_sensitive"))
		}
	}
	return args, abs, rel
}

func (m maker) word() string {
	switch m.IntN(10) {
	case 0, 1:
		return m.text()
	case 2:
		return pick(m, "0", "-0", "0.0", "+0", "00", "0e5", "0e", "1e", "1E+", "1e-", "0x10", "0X1.8p3", "0x", "0x.", "0x1p", "0x.8", "0x1p-", "0xg",
			".", "..", "-.", "+", "-", "-.5", "5.", "+.5e1", "inf", "INF", "-Inf", "infinity", "nan", "NaN(1)", "-nan", "1_0", "1,5", "1f", "1.5.2", "1e5.0",
			"1e400", "1e-400", "-1e400", "1e308", "1.8e308", "5e-324", "2e-324", "1e5000", "1e-5000", "1e4932", "2e4932", "1e-4940", "1e0005", "1e-0005", "+-1", "--1", "1e+-1",
			"\u0661", "\uff11", "1\u00a0", "\u22121", "1'000", "1e1e1", "1e0x1", "0b1", "0o7", "1d5", "1p5", "1l", "e5", ".e5", "0.1e", "9007199254740993", "18446744073709551617",
			"0."+strings.Repeat("3", 40), strings.Repeat("9", 300), "0."+strings.Repeat("0", 400)+"1", "1."+strings.Repeat("0", 5000), strings.Repeat("0", 5000)+"7")
	}
	return m.decimal()
}

func (m maker) text() string {
	if m.IntN(20) == 0 {
		return strings.Repeat(pick(m, "a", "Ab", "é"), 1500)
	}
	var b []byte
	for range 1 + m.IntN(5) {
		switch m.IntN(12) {
		case 0:
			b = append(b, pick(m, "\x00", "\x1c", "\x1f", "\x7f", "\x85", "\xa0", "\xff", "\x08")...)
		case 1:
			b = append(b, pick(m, "É", "é", "ß", "\u212a", "\u017f", "İ", "ı", "\u2003", "\u200b", "日", "😀", "@", "[", "`", "{")...)
		default:
			b = append(b, "aAbBzZkKsS0123456789"[m.IntN(20)])
		}
	}
	return string(b)
}

func (m maker) decimal() string {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('0' + m.IntN(10))
		}
		return string(b)
	}
	s := pick(m, "", "", "", "-", "+")
	switch m.IntN(6) {
	case 0, 1:
		s += digits(1 + m.IntN(3))
	case 2:
		s += digits(1+m.IntN(20)) + "." + digits(m.IntN(20))
	case 3:
		s += "." + digits(1+m.IntN(6))
	default:
		s += digits(1+m.IntN(3)) + "." + digits(m.IntN(7))
	}
	switch m.IntN(6) {
	case 0:
		s += pick(m, "e", "E") + pick(m, "", "+", "-") + digits(1+m.IntN(2))
	case 1:
		if m.IntN(10) == 0 {
			s += "e" + pick(m, "", "-") + digits(3)
		}
	}
	return s
}

func (m maker) otherCase(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c |= 0x20; 'a' <= c && c <= 'z' && m.IntN(2) == 0 || m.IntN(30) == 0 {
			b[i] ^= 0x20
		}
	}
	return string(b)
}

// nearTo returns a number at or near the limit of a tolerance, in a random notation.
func (m maker) nearTo(word, abs, rel string) string {
	a := refNumber([]byte(word))
	if a == nil || len(a.Num().Bits())+len(a.Denom().Bits()) > 60 {
		return m.otherCase(word)
	}
	s := new(big.Rat).Set(a)
	var step *big.Rat
	if e := refNumber([]byte(abs)); e != nil {
		step = e
	}
	if e := refNumber([]byte(rel)); e != nil && (step == nil || m.IntN(2) == 0) {
		step = e.Mul(e, new(big.Rat).Abs(a))
	}
	if step != nil && m.IntN(5) > 0 {
		// The number is exactly at the limit, or off by a part that may be larger or
		// smaller than a rounding error.
		if part := pick(m, "0", "0", "0", "1e-3", "1e-10", "1e-15", "1e-16", "1e-17", "1e-18", "1e-19", "1e-20", "1e-30"); part != "0" {
			by := refNumber([]byte(part))
			if m.IntN(2) == 0 {
				by.Neg(by)
			}
			step.Mul(step, by.Add(by, big.NewRat(1, 1)))
		}
		if m.IntN(2) == 0 {
			step.Neg(step)
		}
		s.Add(s, step)
	}
	return m.form(s)
}

// form returns v, which has a finite decimal fraction, in a random notation.
func (m maker) form(v *big.Rat) string {
	places, exact := v.FloatPrec()
	if !exact || places > 700 {
		return "0"
	}
	s := v.FloatString(places)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	} else if m.IntN(6) == 0 {
		sign = "+"
	}
	switch m.IntN(5) {
	case 0: // digits and an exponent
		whole, fraction, _ := strings.Cut(s, ".")
		shift := m.IntN(8) - len(fraction)
		if zeros := shift + len(fraction); zeros > 0 {
			return sign + whole + fraction + strings.Repeat("0", 3) + pick(m, "e", "E") + strconv.Itoa(-len(fraction)-3)
		}
		return sign + whole + fraction + pick(m, "e", "E") + strconv.Itoa(-len(fraction))
	case 1:
		if !strings.Contains(s, ".") {
			s += "."
		}
		s += strings.Repeat("0", m.IntN(4))
	case 2:
		s = strings.Repeat("0", m.IntN(4)) + s
	case 3:
		if fraction, ok := strings.CutPrefix(s, "0."); ok {
			s = "." + fraction
		}
	}
	return sign + s
}
