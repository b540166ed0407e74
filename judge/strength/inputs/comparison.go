package inputs

import (
	"math/big"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
)

// A reader parses the tokens of a statement.
type reader struct {
	tokens  []token
	dotted  map[int]bool    // formulas with an ellipsis, whose subscripts are indexes
	indexes map[string]bool // subscripts that count
}

func newReader(text string) *reader {
	r := &reader{dotted: make(map[int]bool), indexes: make(map[string]bool)}
	all := tokensOf(text)
	for i, t := range all {
		// Outside formulas, an asterisk is emphasis unless it is between numbers.
		if t.text == "*" && t.math == 0 && (i == 0 || i+1 == len(all) || !all[i-1].number() || !all[i+1].number()) {
			continue
		}
		if t.text == "…" && t.math > 0 {
			r.dotted[t.math] = true
		}
		r.tokens = append(r.tokens, t)
	}
	for i, t := range r.tokens {
		if !t.name() {
			continue
		}
		if _, next, index := r.named(i); index {
			for _, t := range r.tokens[i+1 : next] {
				r.indexes[t.text] = true
			}
		}
	}
	return r
}

// An element is an operand of a comparison.
type element struct {
	value  *big.Rat // of a constant; else nil
	name   string   // of a single name; else ""
	length bool     // it is between bars
}

func (r *reader) is(i int, text string) bool { return i < len(r.tokens) && r.tokens[i].text == text }

// expression parses an operand from a token on. Next is the token after it; it is i if
// there is no operand.
func (r *reader) expression(i, depth int) (e element, next int) {
	e, next = r.product(i, depth)
	for next > i && (r.is(next, "+") || r.is(next, "-")) && r.tokens[next].math == r.tokens[next-1].math {
		minus := r.is(next, "-")
		right, after := r.product(next+1, depth)
		if after == next+1 {
			return e, next
		}
		switch {
		case e.value == nil || right.value == nil:
			e = element{}
		case minus:
			e.value = new(big.Rat).Sub(e.value, right.value)
		default:
			e.value = new(big.Rat).Add(e.value, right.value)
		}
		next = after
	}
	return e, next
}

// product parses factors with a sign between them, or next to each other as in 2n.
func (r *reader) product(i, depth int) (e element, next int) {
	e, next = r.factor(i, depth)
	for next > i && next < len(r.tokens) {
		t, last := r.tokens[next], r.tokens[next-1]
		from := next
		switch {
		case t.text == "*" || t.text == "/":
			from = next + 1
		case t.name() && (t.math > 0 && t.math == last.math || t.adjacent && last.number()):
		default:
			return e, next
		}
		right, after := r.factor(from, depth)
		if after == from {
			return e, next
		}
		switch {
		case e.value == nil || right.value == nil || t.text == "/" && right.value.Sign() == 0:
			e = element{}
		case t.text == "/":
			e.value = new(big.Rat).Quo(e.value, right.value)
		default:
			e.value = new(big.Rat).Mul(e.value, right.value)
		}
		next = after
	}
	return e, next
}

// maxExponent bounds numbers.
const maxExponent = 400

// factor parses a number, a name, or an operand in parentheses, with its exponent.
func (r *reader) factor(i, depth int) (e element, next int) {
	if r.is(i, "-") {
		if e, next = r.factor(i+1, depth); next == i+1 {
			return element{}, i
		}
		if e.value != nil {
			return element{value: new(big.Rat).Neg(e.value)}, next
		}
		return element{}, next
	}
	if e, next = r.atom(i, depth); next == i || !r.is(next, "^") {
		return e, next
	}
	exponent, after := r.atom(next+1, depth)
	if after == next+1 {
		return e, next
	}
	if e.value == nil || exponent.value == nil || !exponent.value.IsInt() || !exponent.value.Num().IsInt64() {
		return element{}, after
	}
	n := exponent.value.Num().Int64()
	if n < -maxExponent || n > maxExponent || e.value.Num().BitLen() > 64 || e.value.Sign() == 0 {
		return element{}, after
	}
	result := big.NewRat(1, 1)
	for range max(n, -n) {
		result.Mul(result, e.value)
	}
	if n < 0 {
		result.Inv(result)
	}
	return element{value: result}, after
}

// maxDepth bounds nested parentheses.
const maxDepth = 10

func (r *reader) atom(i, depth int) (e element, next int) {
	if i >= len(r.tokens) || depth > maxDepth {
		return e, i
	}
	t := r.tokens[i]
	switch {
	case t.number():
		return element{value: numberOf(t.text)}, i + 1
	case t.text == "(":
		if e, next = r.expression(i+1, depth+1); next > i+1 && r.is(next, ")") {
			return e, next + 1
		}
	case t.text == "|":
		if e, next = r.expression(i+1, depth+1); next > i+1 && r.is(next, "|") {
			e.length = true
			return e, next + 1
		}
	case t.name():
		name, next := r.name(i)
		return element{name: name}, next
	}
	return element{}, i
}

// numberOf returns the value of digits, or nil if it has too many.
func numberOf(text string) *big.Rat {
	if _, exponent, ok := strings.Cut(text, "e"); len(text) > maxExponent || ok && len(exponent) > 2 {
		return nil
	}
	v, _ := new(big.Rat).SetString(text)
	return v
}

// name parses a name with its subscript. A subscript that counts, as in a_i, is not a
// part of the name; one that distinguishes, as in x_1, is.
func (r *reader) name(i int) (name string, next int) {
	name, next, _ = r.named(i)
	return name, next
}

func (r *reader) named(i int) (name string, next int, index bool) {
	t := r.tokens[i]
	name, next = t.text, i+1
	if !r.is(next, "_") || next+1 >= len(r.tokens) {
		return name, next, false
	}
	subscript := r.tokens[next+1].text
	next += 2
	if subscript == "(" {
		for subscript = ""; next < len(r.tokens) && !r.is(next, ")") && len(subscript) < 20; next++ {
			subscript += r.tokens[next].text
		}
		next++
	}
	if t.math > 0 && r.dotted[t.math] || strings.Trim(subscript, "ijk,+-1") == "" &&
		strings.ContainsAny(subscript, "ijk") {
		return name, min(next, len(r.tokens)), true
	}
	return name + "_" + subscript, min(next, len(r.tokens)), false
}

// list parses operands with commas between them.
func (r *reader) list(i int) (elements []element, next int) {
	next = i
	for len(elements) < 20 {
		e, after := r.expression(next, 0)
		if after == next && r.is(next, "…") {
			after++
		} else if after == next {
			// A comma that no operand follows is not part of the list.
			if len(elements) > 0 {
				next--
			}
			return elements, next
		} else {
			elements = append(elements, e)
		}
		if next = after; !r.is(next, ",") {
			return elements, next
		}
		next++
	}
	return elements, next
}

// bounds returns the bounds of all comparisons.
func (r *reader) bounds() (found []Declared) {
	for i := 0; i < len(r.tokens); i++ {
		if bounds, next := r.chain(i); next > i {
			found, i = append(found, bounds...), next-1
		} else if d, ok := r.words(i); ok {
			found = append(found, d)
		}
	}
	return found
}

// chain parses comparisons in a row, such as 1 ≤ n, m ≤ 100.
func (r *reader) chain(i int) (found []Declared, next int) {
	lists := make([][]element, 1)
	var signs []string
	if lists[0], next = r.list(i); len(lists[0]) == 0 || next >= len(r.tokens) || !relation[r.tokens[next].text] {
		return nil, i
	}
	for next < len(r.tokens) && relation[r.tokens[next].text] {
		sign := r.tokens[next].text
		operands, after := r.list(next + 1)
		if len(operands) == 0 {
			break
		}
		signs, lists, next = append(signs, sign), append(lists, operands), after
	}
	constant := func(e element) bool { return e.value != nil }
	left := lists[0]
	if slices.ContainsFunc(left, constant) {
		left = left[len(left)-1:]
	}
	for k, sign := range signs {
		right, rest := lists[k+1], []element(nil)
		// In "1 ≤ n ≤ 5, 1 ≤ m ≤ 6" a comparison ends at the comma, and the next begins.
		if len(right) > 1 && (k+1 == len(signs) && right[0].value != nil || k+1 < len(signs) &&
			slices.ContainsFunc(right, constant)) {
			right, rest = right[:1], right[1:]
		}
		found = append(found, compared(left, sign, right)...)
		if left = right; rest != nil {
			if left = rest; slices.ContainsFunc(left, constant) {
				left = left[len(left)-1:]
			}
		}
	}
	return found, next
}

// compared returns the bounds that one comparison gives to names.
func compared(left []element, sign string, right []element) (found []Declared) {
	if sign == "≥" || sign == ">" {
		left, right = right, left
	}
	strict := sign == "<" || sign == ">"
	for _, l := range left {
		for _, h := range right {
			switch {
			case l.value != nil && h.name != "":
				found = append(found, Declared{Name: h.name, Low: l.value, Above: strict, Length: h.length})
			case h.value != nil && l.name != "":
				found = append(found, Declared{Name: l.name, High: h.value, Below: strict, Length: l.length})
			}
		}
	}
	return found
}

// phrases are bounds in words; N stands for a number.
var phrases = [][2]string{
	{"at least N and at most N", ""}, {"between N and N", ""}, {"mellan N och N", ""}, {"in the range from N to N", ""},
	{"in the range N to N", ""},
}

var spaces = lazy.Regexp(`\s+`)

// words parses a bound in words that begins at a token.
func (r *reader) words(i int) (d Declared, ok bool) {
	for _, phrase := range phrases {
		at, values := i, []*big.Rat(nil)
		for _, word := range spaces().Split(phrase[0], -1) {
			if word == "N" {
				e, next := r.expression(at, 0)
				if next == at || e.value == nil {
					break
				}
				values, at = append(values, e.value), next
				continue
			}
			if at >= len(r.tokens) || !strings.EqualFold(r.tokens[at].text, word) {
				break
			}
			at++
		}
		if len(values) == 2 && values[0].Cmp(values[1]) <= 0 {
			return Declared{Low: values[0], High: values[1]}, true
		}
	}
	return d, false
}

// functions are names that are no part of an input.
var functions = map[string]bool{"max": true, "min": true, "log": true, "mod": true, "sum": true, "frac": true,
	"gcd": true, "sqrt": true, "floor": true, "ceil": true}

// sequence returns the names in formulas, and bounds in words, in the order of their first
// mention.
func (r *reader) sequence() (found []Declared) {
	for i := 0; i < len(r.tokens); i++ {
		t := r.tokens[i]
		if d, ok := r.words(i); ok && t.math == 0 {
			found = append(found, d)
			continue
		}
		if !t.name() || t.math == 0 || functions[t.text] || strings.HasPrefix(t.text, macro) {
			continue
		}
		name, next := r.name(i)
		i = next - 1
		if !slices.ContainsFunc(found, func(d Declared) bool { return d.Name == name }) {
			found = append(found, Declared{Name: name})
		}
	}
	return found
}
