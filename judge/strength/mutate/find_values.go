package mutate

import (
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

var (
	infinite = lazy.Regexp(`^\(*-?\(?(?:\(?(?:int|ll|long long|i32|i64|float|double)\)?\s*)?\(?(?:INF|inf|INFTY|` +
		`INFINITY|Infinity|oo|INT_MAX|LLONG_MAX|LONG_MAX|UINT_MAX|1e9|1e18|1e17|1e15|1e12|1e10|1e8|float\(["']-?inf["']\)|` +
		`math\.(?:inf|MaxInt|MaxInt32|MaxInt64)|(?:Integer|Long|Double)\.MAX_VALUE|(?:Number|` +
		`std::f64)\.?(?:MAX_SAFE_INTEGER|MAX_VALUE|POSITIVE_INFINITY)|[iu](?:32|64|size)::MAX|usize::MAX|` +
		`numeric_limits<[a-z ]+>::max\(\)|1(?:LL|ll|L)? ?<< ?(?:2\d|3\d|5\d|6\d)|0x3f3f3f3f|0x7fffffff)\)*$`)
	least = lazy.Regexp(`^\(*(?:INT_MIN|LLONG_MIN|LONG_MIN|math\.(?:MinInt|MinInt32|MinInt64)|(?:Integer|` +
		`Long)\.MIN_VALUE|i(?:32|64|size)::MIN|numeric_limits<[a-z ]+>::(?:min|lowest)\(\))\)*$`)
)

// otherPrimes replace the moduli of contests.
var otherPrimes = map[string]string{"1000000007": "1000000009", "998244353": "1000000007", "1000000009": "1000000007"}

// instead returns the edit that replaces a constant by a number, without making an
// import superfluous.
func (o *outline) instead(s span, number string) edit {
	e := edit{s, number}
	if o.refuses != nil && o.refuses([]edit{e}) {
		e.text = "0*" + enclosed(o.text(s)) + " + " + number
	}
	return e
}

// initialValues finds variables that are set to 0, 1, -1, true, false or a value that
// stands for infinity.
func initialValues(o *outline, add add) {
	for _, v := range o.values {
		text := o.text(v.span)
		number, err := strconv.Atoi(strings.TrimRight(text, "lLuU"))
		switch {
		case v.place&inSize != 0:
		case text == o.words.yes || text == "true":
			add(edit{v.span, flipWord(text)})
		case text == o.words.no || text == "false":
			add(edit{v.span, flipWord(text)})
		case least().MatchString(text) || infinite().MatchString(text) && strings.Contains(text, "-"), err == nil &&
			number <= -1e5 && v.place&inConst == 0:
			add(o.instead(v.span, "0"))
		case infinite().MatchString(text) || err == nil && number >= 1e8 && v.place&inConst == 0 && otherPrimes[text] == "":
			add(o.instead(v.span, "1000000")) // below the largest sums of a contest
			add(o.instead(v.span, "0"))
		case text == "0":
			add(edit{v.span, "1"})
		case text == "1":
			add(edit{v.span, "0"})
		case text == "-1":
			add(edit{v.span, "0"})
		case text == "0.0" || text == "0.":
			add(edit{v.span, "1.0"})
		}
	}
}

func flipWord(text string) string {
	return map[string]string{"true": "false", "false": "true", "True": "False", "False": "True", "1": "0", "0": "1"}[text]
}

// missingResets finds statements in a loop that set a variable to a constant or
// empty a container, and declarations in a loop.
func missingResets(o *outline, add add) {
	for _, s := range o.stmts {
		if s.clears && s.loops > 0 && !s.fixed {
			add(edit{s.span, o.words.drop})
		}
	}
	for _, h := range o.hoists {
		add(h...)
	}
}

func narrowTypes(o *outline, add add) {
	for _, t := range o.types {
		add(t)
	}
}

// moduloSlips finds remainders: left out, without the correction of negative values,
// or with another of the usual primes.
func moduloSlips(o *outline, add add) {
	for _, b := range o.binaries {
		if b.op != "%" || b.place&(inConst|inText) != 0 {
			continue
		}
		add(edit{span{b.left.to, b.right.to}, ""})
		left, mod := strings.TrimSpace(o.text(b.left)), o.text(b.right)
		if strings.HasPrefix(left, "(") && strings.HasSuffix(left, ")") {
			for _, c := range o.binaries {
				if c.op == "+" && b.left.holds(c.span()) && (o.text(c.right) == mod || o.text(c.left) == mod) {
					if o.text(c.right) == mod {
						add(edit{span{c.left.to, c.right.to}, ""})
					} else {
						add(edit{span{c.left.from, c.right.from}, ""})
					}
				}
			}
		}
	}
	for _, l := range o.literals {
		if p, ok := otherPrimes[l.text]; ok {
			add(edit{l.span, p})
		}
	}
	for _, v := range o.values {
		switch text := o.text(v.span); text {
		case "1e9 + 7", "1e9+7":
			add(edit{v.span, "1e9 + 9"})
		case "10**9 + 7", "10**9+7", "10 ** 9 + 7":
			add(edit{v.span, "10**9 + 9"})
		}
	}
}

// wrongRounding finds quotients that are rounded up by adding to the dividend, and
// functions that round.
func wrongRounding(o *outline, add add) {
	for _, b := range o.binaries {
		if b.op != "/" && b.op != "//" || b.place&inText != 0 {
			continue
		}
		if left := o.text(b.left); strings.HasPrefix(left, "(") && strings.HasSuffix(left, ")") {
			divisor := o.text(b.right)
			for _, c := range o.binaries {
				text := strings.ReplaceAll(o.text(c.span()), " ", "")
				if span := c.span(); span.from-1 <= b.left.from+1 && b.left.holds(span) && c.op == "-" &&
					strings.HasSuffix(text, "+"+divisor+"-1") {
					at := c.left.from + strings.LastIndex(o.text(c.left), "+")
					add(edit{spanOfTrimmed(o, at, c.right.to), ""})
				} else if c.op == "+" && divisor == "2" && o.text(c.right) == "1" && b.left.holds(span) && c.whole {
					add(edit{spanOfTrimmed(o, c.at.from, c.right.to), ""})
				}
			}
		}
	}
	for _, c := range o.calls {
		for _, pair := range [][2]string{{"floor", "ceil"}, {"Floor", "Ceil"}, {"round", "floor"}, {"Round", "Floor"},
			{"lround", "floor"}, {"llround", "floor"}} {
			if c.name == pair[0] || c.name == pair[1] && strings.EqualFold(pair[0], "floor") {
				o.rename(c, pair, add)
			}
		}
	}
}

// spanOfTrimmed is a part with the white space before it.
func spanOfTrimmed(o *outline, from, to int) span {
	for from > 0 && o.code[from-1] == ' ' {
		from--
	}
	return span{from, to}
}

// swappedInput finds neighbouring variables that are read in one statement or alike.
func swappedInput(o *outline, add add) {
	for _, in := range o.inputs {
		for i := 1; i < len(in); i++ {
			if a, b := o.text(in[i-1]), o.text(in[i]); a != b && !strings.ContainsAny(a+b, "\"'*") {
				add(edit{in[i-1], b}, edit{in[i], a})
			}
		}
	}
}

// shortReads finds counting loops that read input and are not inside another loop
// over the same count.
func shortReads(o *outline, add add) {
	for _, l := range o.loops {
		if !l.reads {
			continue
		}
		if !l.limit.empty() {
			add(edit{l.limit, moved(o.text(l.limit), -1)})
			continue
		}
		for _, b := range o.binaries {
			if b.loop == l && (b.op == "<" || b.op == "<=" || b.op == "!=") && l.cond == b.span() {
				add(edit{b.right, moved(o.text(b.right), -1)})
			}
		}
		if name, ok := strings.CutSuffix(o.text(l.cond), "--"); ok {
			add(edit{l.cond, "--" + name})
		}
	}
}

// droppedCalls finds calls of functions that correct a value: abs, max, sorted.
func droppedCalls(o *outline, add add) {
	for _, c := range o.calls {
		if c.alone || strings.HasSuffix(c.object, ".") && !slices.Contains([]string{"Math.", "math.", "Collections.", "cmp."},
			c.object) {
			continue
		}
		switch n := len(c.args); {
		case n == 1 && slices.Contains([]string{"abs", "fabs", "llabs", "labs", "Abs", "sorted", "reversed", "sqrt", "set",
			"list"}, c.name):
			add(edit{c.span, "(" + o.text(c.args[0]) + ")"})
		case n == 2 && slices.Contains([]string{"min", "max", "Min", "Max"}, c.name) &&
			!strings.Contains(o.text(c.args[1]), "key="):
			add(edit{c.span, "(" + o.text(c.args[0]) + ")"})
			add(edit{c.span, "(" + o.text(c.args[1]) + ")"})
		}
	}
	for _, c := range o.calls {
		for _, pair := range [][2]string{{"min", "max"}, {"Min", "Max"}, {"fmin", "fmax"}, {"push_back", "push_front"},
			{"append", "appendleft"}, {"pop", "popleft"}, {"isupper", "islower"}} {
			if c.name != "append" && c.name != "pop" && c.name != "push_back" {
				o.rename(c, pair, add)
			}
		}
	}
}
