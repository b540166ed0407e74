package vet

import (
	"math"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// statedLimits has what comments say about the size of the input and of the output.
type statedLimits struct {
	Most   int // the largest stated count of the input; 0 if none is stated
	Few    int // Most, if all stated limits are small; else 0
	Output int // the largest stated count of solutions; 0 if none is stated
}

const (
	small = 1000       // the largest limit for which input is small
	large = 10_000_000 // limits above are those of values, because no judge has such input
)

// amount is the pattern of a number: 300,000, 3*10^5, 3e5, 2^20, 300k, 500 x 500.
const amount = `((\d[.\d]*)\s*[*·x×]\s*)?` +
	`(?:(\d+)\s*\^\s*(\d+)|(\d[.\d]*)e(\d+)|(\d{1,3}(?:[,_ ]\d{3})+|\d+)(k\b|\s*thousand\b|\s*million\b)?)`

var (
	limit = lazy.Regexp(`(?i)(?:\b([a-z])\s*(?:(?:over|in|of) all (?:test\s?)?(?:tests?|cases|files)\s*)?(?:is|` +
		`are|does|do|will)?\s*)?` +
		`(<=?|≤|=|up to|at most|not? (?:more|greater|larger|bigger) than|less than|fewer than|below|not exceeds?)\s*` +
		amount)
	// A thing that is counted: 300 customers, 300 happy customers.
	thing  = lazy.Regexp(`^\s+([a-zA-Z]+)(?:\s+([a-zA-Z]+))?`)
	plural = lazy.Regexp(`(?i)^([a-z]{2,}s|people|children)$`)
	// Words between a number and a plural that is not what is counted.
	connects = lazy.Regexp(`(?i)^(and|or|in|for|with|of|as|per|each|by|on|is|are|to|at|the|which|that|from|if|` +
		`then)$`)
	// Plurals that measure something else than the input, and words that are none.
	unit = lazy.Regexp(`(?i)^(digits|(kilo|mega)?bytes|bits|(milli|micro|nano)?seconds|minutes|hours|days|years|` +
		`steps|iterations|times|rounds|` +
		`characters|chars|letters|symbols|coordinates|degrees|(kilo|centi)?met(er|re)s|miles|units|decimals|places|levels|` +
		`factors|` +
		`is|as|was|has|does|this|its|plus|minus|less|always|thus|modulus)$`)
	repeats = lazy.Regexp(`(?i)^(queries|tests|testcases|cases|datasets)$`)
	// What follows a number that is not all of a limit: 9^blanks, 2n.
	formula  = lazy.Regexp(`^(\s*[\^*·]|[a-zA-Z])`)
	solution = lazy.Regexp(`(?i)^(solutions|answers)$`)
)

var spelled = strings.NewReplacer("**", "^", "1<<", "2^", "1 << ", "2^",
	"⁰", "^0", "¹", "^1", "²", "^2", "³", "^3", "⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8", "⁹", "^9")

// limitsOf returns what comments state. Counts are limits of variables that are named like one,
// "1 <= n, m <= 2e5", and of things, "up to 10^5 vertices". Limits of values, such as "x
// up to 10^6" or "modulo 10^9+7", are none.
func limitsOf(comments []string) statedLimits {
	var s statedLimits
	isSmall := false
	for _, text := range comments {
		rest := spelled.Replace(strings.Join(strings.Fields(text), " "))
		for at := limit().FindStringSubmatchIndex(rest); at != nil; at = limit().FindStringSubmatchIndex(rest) {
			group := func(i int) string {
				if at[2*i] < 0 {
					return ""
				}
				return rest[at[2*i]:at[2*i+1]]
			}
			variable, equal, n := strings.ToLower(group(1)), group(2) == "=", int(min(number(group), math.MaxInt32))
			rest = rest[at[1]:]
			noun := counted(rest)
			switch {
			case formula().MatchString(rest):
				s.Few = max(s.Few, small+1)
			case n > large || equal && n <= small:
				// A value, or an example.
			case solution().MatchString(noun):
				s.Output = max(s.Output, n)
			case variable != "" && strings.Contains("nmqkt", variable) || noun != "" && !equal:
				s.Most = max(s.Most, n)
				isSmall = isSmall || !repeats().MatchString(noun) && (noun != "" || variable == "n" || variable == "m")
				s.Few = max(s.Few, n)
			default:
				s.Few = max(s.Few, n) // of something else, which may be large
			}
		}
	}
	if !isSmall || s.Few > small {
		s.Few = 0
	}
	return s
}

// counted returns the plural at the start of a text; "" if it is a unit.
func counted(text string) string {
	m := thing().FindStringSubmatch(text)
	for i := 1; i < len(m) && !connects().MatchString(m[i]) && !unit().MatchString(m[i]); i++ {
		if plural().MatchString(m[i]) {
			return m[i]
		}
	}
	return ""
}

// number returns the value of a limit: 300,000, 3*10^5, 3e5, 2^20, 300k, 500 x 500.
func number(group func(int) string) float64 {
	value := func(s string) float64 {
		f, _ := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "", " ", "").Replace(s), 64)
		return f
	}
	n := 0.0
	switch {
	case group(5) != "":
		n = math.Pow(value(group(5)), value(group(6)))
	case group(7) != "":
		n = value(group(7)) * math.Pow(10, value(group(8)))
	default:
		n = value(group(9))
		switch suffix := strings.ToLower(strings.TrimSpace(group(10))); suffix {
		case "k", "thousand":
			n *= 1e3
		case "million":
			n *= 1e6
		}
	}
	if group(4) != "" {
		n *= value(group(4))
	}
	return n
}
