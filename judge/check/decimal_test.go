package check

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func checkDecimal(t *testing.T, d decimal, want *big.Rat) {
	t.Helper()
	got, ok := new(big.Rat).SetString(fmt.Sprintf("%d.e%d", d.digits, d.exp))
	if !ok || got.Cmp(want) != 0 || d.sign() != want.Sign() {
		t.Fatalf("%+v is %v, expected %v", d, got, want)
	}
}

// decimalOf returns the exact value of a number; ok is false if the text is none.
func decimalOf(text string) (d decimal, ok bool) {
	var n number
	if ok = n.parse([]byte(text)); ok {
		d = n.exact()
	}
	return d, ok
}

func checkApproximation(t *testing.T, n number, want *big.Rat) {
	t.Helper()
	if n.extreme {
		return
	}
	off := new(big.Rat).Sub(new(big.Rat).SetFloat64(n.approx), want)
	if most := new(big.Rat).Mul(want, big.NewRat(1, 1<<50)); off.Abs(off).Cmp(most.Abs(most)) > 0 {
		t.Fatalf("%q is approximated by %v, off by more than 2^-50", n.text, n.approx)
	}
}

// randomFloat returns a random number in one of several notations of the grammar.
func randomFloat(rng *rand.Rand, exponent int) string {
	var b strings.Builder
	b.WriteString([]string{"", "-", "+"}[rng.IntN(3)])
	digits := func(n int) {
		for range n {
			b.WriteByte("00123456789999"[rng.IntN(14)])
		}
	}
	whole := rng.IntN(25)
	digits(whole)
	if whole == 0 || rng.IntN(2) == 0 {
		b.WriteByte('.')
		if whole == 0 {
			digits(1)
		}
		digits(rng.IntN(25))
	}
	if rng.IntN(2) == 0 {
		fmt.Fprintf(&b, "%s%s%d", []string{"e", "E"}[rng.IntN(2)], []string{"+", "-", ""}[rng.IntN(3)], rng.IntN(exponent))
	}
	return b.String()
}

func TestNumbersAreReadAsExactRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 5_000 {
		text := randomFloat(rng, 400)
		want := refNumber([]byte(text))
		var n number
		if want == nil || !n.parse([]byte(text)) {
			t.Fatalf("%q is refused", text)
		}
		checkDecimal(t, n.exact(), want)
		checkApproximation(t, n, want)
	}
}

func TestSignOfSumIsThatOfExactRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 5_000 {
		exponent := []int{2, 30, 300}[rng.IntN(3)]
		sum := new(big.Rat)
		var terms []decimal
		for range rng.IntN(4) {
			text := randomFloat(rng, exponent)
			if len(terms) > 0 && rng.IntN(3) == 0 {
				last := terms[len(terms)-1].neg() // makes terms cancel out
				text = fmt.Sprintf("%d.e%d", last.digits, last.exp)
			}
			d, _ := decimalOf(text)
			terms = append(terms, d)
			sum.Add(sum, refNumber([]byte(text)))
		}
		if got := signOfSum(terms...); got != sum.Sign() {
			t.Fatalf("signOfSum(%+v) = %d, expected %d", terms, got, sum.Sign())
		}
	}
}

// Arithmetic with rounding fails for numbers exactly at a tolerance, and for numbers
// just within or just outside it.
func TestTolerancesAreExactAtTheirEdge(t *testing.T) {
	onlyWithoutRaces(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 5_000 {
		answer := randomFloat(rng, 20)
		eps := fmt.Sprintf("%de-%d", 1+rng.IntN(9), rng.IntN(16))
		kind := []string{"float_absolute_tolerance", "float_relative_tolerance"}[rng.IntN(2)]
		a, bound := refNumber([]byte(answer)), refNumber([]byte(eps))
		if kind == "float_relative_tolerance" {
			bound.Mul(bound, a)
		}
		s := new(big.Rat).Add(a, bound)
		nudge, _ := new(big.Rat).SetString(fmt.Sprintf("%de-%d", rng.IntN(3)-1, 60+rng.IntN(100)))
		output := s.Add(s, nudge).FloatString(250) // exact: no number here has more decimal places
		checkAgainstReference(t, []string{kind, eps}, answer, output)
	}
}

func TestAnAstronomicalExponentCostsNothing(t *testing.T) {
	for _, text := range []string{"1e999999999999999999", "-1e-999999999999999999", "0e999999999999999999"} {
		d, ok := decimalOf(text)
		if !ok {
			t.Fatalf("%s is refused", text)
		}
		one, _ := decimalOf("1")
		allocated := testing.AllocsPerRun(10, func() { signOfSum(d, one, one.neg()) })
		if allocated > 100 {
			t.Errorf("%s: %v allocations", text, allocated)
		}
		if got := signOfSum(d, one, one.neg()); got != d.sign() {
			t.Errorf("sign of %s + 1 - 1: %d", text, got)
		}
	}
}
