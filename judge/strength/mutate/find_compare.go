package mutate

import (
	"slices"
	"strconv"
	"strings"
)

// add hands a mutant over. All edits are made together.
type add func(edits ...edit)

var (
	weaker     = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
	otherRange = map[string]string{"..": "..=", "..=": ".."}
	flipped    = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "==", "===": "!==",
		"!==": "==="}
)

// loopBounds finds comparisons in headers of loops, and the last values of ranges.
func loopBounds(o *outline, add add) {
	for _, b := range o.binaries {
		if op, ok := weaker[b.op]; ok && b.loop != nil {
			add(edit{b.at, op})
		}
	}
	for _, l := range o.loops {
		if l.limit.empty() {
			continue
		}
		at := slices.IndexFunc(o.ranges, func(r bounds) bool { return r.hi == l.limit })
		if at >= 0 {
			add(edit{o.ranges[at].at, otherRange[o.ranges[at].op]})
		}
		if at < 0 || l.closed {
			add(edit{l.limit, moved(o.text(l.limit), 1)})
		}
		if at < 0 || !l.closed {
			add(edit{l.limit, moved(o.text(l.limit), -1)})
		}
	}
}

// moved returns an expression plus a number.
func moved(text string, by int) string {
	if n, err := strconv.Atoi(text); err == nil {
		return strconv.Itoa(n + by)
	}
	for _, op := range []string{"+", "-"} {
		if rest, ok := strings.CutSuffix(text, op+" 1"); ok && (op == "+") == (by < 0) {
			return strings.TrimSpace(rest)
		}
	}
	sign := " + "
	if by < 0 {
		sign, by = " - ", -by
	}
	return enclosed(text) + sign + strconv.Itoa(by)
}

// loopStarts finds the first values of counting loops.
func loopStarts(o *outline, add add) {
	for _, l := range o.loops {
		switch text := o.text(l.start); {
		case len(l.vars) == 0 || l.vars[0] == "_": // the same as another number of executions
		case l.start.empty() && !l.limit.empty() && strings.HasPrefix(o.text(span{l.limit.from - 1, l.limit.from}), "(") &&
			o.words.and == "and":
			add(edit{span{l.limit.from, l.limit.from}, "1, "}) // range(n)
		case l.start.empty() || enclosed(text) != text || strings.ContainsAny(text, ".>[") && !isNumber(text):
			// May be a pointer.
		case text == "1":
			add(edit{l.start, "0"})
		default:
			add(edit{l.start, moved(text, 1)})
		}
	}
}

// offByOne finds sums with one: n - 1, hi - lo + 1. Loop headers are included.
func offByOne(o *outline, add add) {
	for _, b := range o.binaries {
		if (b.op == "+" || b.op == "-") && o.text(b.right) == "1" && b.place&inText == 0 {
			add(edit{span{b.left.to, b.right.to}, ""})
			add(edit{b.right, "2"})
		}
	}
	for _, r := range o.ranges {
		if !r.hi.empty() {
			add(edit{r.at, otherRange[r.op]})
		}
	}
}

// sameAsWeaker is the change of the right side of a comparison of integers that gives
// the same as the weaker comparison: x < 9 + 1 is x <= 9.
var sameAsWeaker = map[string]int{"<": 1, "<=": -1, ">": -1, ">=": 1}

// wrongConstants finds numbers in comparisons.
func wrongConstants(o *outline, add add) {
	for _, b := range o.binaries {
		if !b.compares() {
			continue
		}
		same := sameAsWeaker[b.op]
		for _, side := range []span{b.right, b.left} {
			n, err := strconv.Atoi(o.text(side))
			for _, by := range []int{-1, 1} {
				if err == nil && n > 1 && n < 1<<30 && by != same {
					add(edit{side, strconv.Itoa(n + by)})
				}
			}
			same = -same
		}
	}
}

// smallSizes finds sizes of arrays and constants, which stand for the largest input.
func smallSizes(o *outline, add add) {
	for _, l := range o.literals {
		if n, err := strconv.Atoi(l.text); err == nil && l.place&(inSize|inConst) != 0 && n >= 8 && n < 1<<30 {
			add(edit{l.span, strconv.Itoa(n / 2)})
		}
	}
}

// weakened finds comparisons that are neither in loop headers nor decide between two
// candidates.
func weakened(o *outline, add add) {
	for _, b := range o.binaries {
		if op, ok := weaker[b.op]; ok && b.loop == nil && b.place&(inUpdate|inReturn|inConst|inCase) == 0 {
			add(edit{b.at, op})
		}
	}
}

func flippedComparisons(o *outline, add add) {
	for _, b := range o.binaries {
		if op, ok := flipped[b.op]; ok && b.place&inCase == 0 {
			add(edit{b.at, op})
		}
	}
}

// tieBreaks finds comparisons in comparators and in updates of a best value.
func tieBreaks(o *outline, add add) {
	for _, b := range o.binaries {
		if op, ok := weaker[b.op]; ok && b.place&(inUpdate|inReturn) != 0 {
			add(edit{b.at, op})
		}
	}
	for _, c := range o.calls {
		for _, pair := range [][2]string{{"lower_bound", "upper_bound"}, {"bisect_left", "bisect_right"}} {
			o.rename(c, pair, add)
		}
	}
}

// rename replaces one name of a pair by the other.
func (o *outline) rename(c call, pair [2]string, add add) {
	switch c.name {
	case pair[0]:
		add(edit{c.at, pair[1]})
	case pair[1]:
		add(edit{c.at, pair[0]})
	}
}

// swappedOperands finds operators that do not commute, calls with two arguments that
// can be exchanged, and two indexes in a row.
func swappedOperands(o *outline, add add) {
	for _, b := range o.binaries {
		left, right := o.text(b.left), o.text(b.right)
		if !slices.Contains([]string{"-", "/", "//"}, b.op) || b.place&(inText|inConst) != 0 || o.sameOrder(b) ||
			isNumber(right) {
			continue
		}
		add(edit{b.left, right}, edit{b.right, left})
	}
	for _, c := range o.calls {
		for i := 1; i < len(c.args); i++ {
			a, b := c.args[i-1], c.args[i]
			if o.exchangeable(c, i) {
				add(edit{a, o.text(b)}, edit{b, o.text(a)})
			}
		}
	}
	for _, x := range o.indexes {
		if !x.next.empty() && isName(o.text(x.span)) && isName(o.text(x.next)) {
			add(edit{x.span, o.text(x.next)}, edit{x.next, o.text(x.span)})
		}
	}
}

// sameOrder reports whether an operand has an operator that binds as much as the
// expression's, so that exchanging the operands would not change the order of evaluation.
func (o *outline) sameOrder(b binary) bool {
	ops := []string{"*", "/", "%", "//"}
	if b.op == "-" {
		ops = []string{"+", "-"}
	}
	return slices.ContainsFunc(o.binaries, func(c binary) bool {
		return c.at != b.at && slices.Contains(ops, c.op) && (c.span() == b.left || c.span() == b.right ||
			b.span().holds(c.span()) && c.span().from == b.left.from && c.span().to == b.left.to)
	})
}

// Functions whose result does not depend on the order of two arguments, or whose
// arguments have different meanings for which exchanging is no likely mistake.
var commutative = words("min max gcd lcm swap __gcd hypot Fprint Fprintf Fprintln Print Println Printf Sprint " +
	"Sprintf Sprintln Fscan Fscanf Sscanf scanf printf fprintf sscanf println! print! format! write! writeln! print " +
	"println assert assert! assert_eq! debug_assert! panic! memset fill sort rep push emplace_back make_pair range " +
	"fgets fgets_unlocked fread fwrite setvbuf vec! matches! open reserve resize")

// exchangeable reports whether arguments i-1 and i can be exchanged so that the call
// compiles: names or numbers of the same type, as far as types are known.
func (o *outline) exchangeable(c call, i int) bool {
	a, b := o.text(c.args[i-1]), o.text(c.args[i])
	return a != b && !commutative[c.name] && isName(a) && isName(b) && len(a) <= 3 && len(b) <= 3
}

func isName(text string) bool {
	return text != "" && !('0' <= text[0] && text[0] <= '9') &&
		!strings.ContainsFunc(text, func(r rune) bool { return !isWord(byte(min(r, 0xff))) })
}

// wrongVariables finds indexes that are the variable of a loop, where another loop
// is around.
func wrongVariables(o *outline, add add) {
	for _, x := range o.indexes {
		if at := slices.Index(x.vars, o.text(x.span)); at >= 0 {
			for i, v := range x.vars {
				if i != at && v != "_" && v != x.vars[at] && slices.Index(x.vars, v) == i {
					add(edit{x.span, v})
				}
			}
		}
	}
}

// wrongSigns finds sums and differences.
func wrongSigns(o *outline, add add) {
	for _, b := range o.binaries {
		if b.place&(inText|inConst) != 0 {
			continue
		}
		switch b.op {
		case "+":
			add(edit{b.at, "-"})
		case "-":
			add(edit{b.at, "+"})
		}
	}
}

// otherJunctions finds "and" and "or".
func otherJunctions(o *outline, add add) {
	for _, b := range o.binaries {
		switch b.op {
		case o.words.and:
			add(edit{b.at, o.words.or})
		case o.words.or:
			add(edit{b.at, o.words.and})
		}
	}
}
