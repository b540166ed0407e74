package inputs

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// Disagreements returns what the statements of a package declare in contradiction to
// problem.yaml or to each other: a bound that is not the constant of its name, another
// time or memory limit, and a bound that differs from that of another language. Each is a
// doubt, because statements are text.
func Disagreements(p *problem.Problem) (all []error) {
	var first *statement
	for _, name := range statementFiles(p) {
		text, err := statementText(p, name)
		if err != nil {
			continue
		}
		s := parseStatement(text, strings.HasSuffix(name, ".tex"))
		s.file = name
		doubt := func(format string, args ...any) {
			all = append(all, &problem.Defect{File: p.Where(name), Msg: fmt.Sprintf(format, args...)})
		}
		for _, d := range slices.Concat(s.sequence, s.others) {
			againstConstants(p, &d, doubt)
			if first != nil {
				againstOther(first, &d, p.Where(first.file), doubt)
			}
		}
		againstLimits(p, text, doubt)
		if first == nil {
			first = s
		}
	}
	return all
}

// againstConstants compares a bound with the constants that have its name: max_n, n_max,
// maxn and so on, in any case.
func againstConstants(p *problem.Problem, d *Declared, doubt func(string, ...any)) {
	if d.Name == "" || d.Length {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.Constants)) {
		value := p.Constants[name]
		if strings.Contains(name, ".") {
			continue
		}
		plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
		own := strings.ToLower(strings.ReplaceAll(d.Name, "_", ""))
		number, ok := new(big.Rat).SetString(value)
		if !ok {
			continue
		}
		for _, side := range []struct {
			word  string
			bound *big.Rat
			open  bool
		}{{"min", d.Low, d.Above}, {"max", d.High, d.Below}} {
			if (plain == side.word+own || plain == own+side.word) && side.bound != nil && !side.open &&
				side.bound.Cmp(number) != 0 {
				doubt("%s, but the constant %s of problem.yaml is %s", d, name, value)
			}
		}
	}
}

// againstOther compares a bound with that of the same name in another statement.
func againstOther(other *statement, d *Declared, where string, doubt func(string, ...any)) {
	if d.Name == "" || d.Low == nil && d.High == nil {
		return
	}
	for _, o := range slices.Concat(other.sequence, other.others) {
		if o.Name != d.Name || o.Length != d.Length || o.Low == nil && o.High == nil {
			continue
		}
		differ := func(a, b *big.Rat) bool { return a != nil && b != nil && a.Cmp(b) != 0 }
		if differ(o.Low, d.Low) || differ(o.High, d.High) {
			doubt("%s, but %s in %s", d, &o, where)
		}
		return
	}
}

// statedLimit matches a limit in a statement: "The time limit is 2 seconds".
var statedLimit = lazy.Regexp(`(?i)\b(time|memory)\s+limit\s*(?:is|of|:|` +
	`=)?\s*\$?([0-9]+(?:\.[0-9]+)?)\$?(?:\\,|~|\s)*(ms|milliseconds?|s|sec|seconds?|mb|mib|megabytes?|gb|gib|` +
	`gigabytes?)\b`)

// againstLimits compares the limits that a statement names with problem.yaml.
func againstLimits(p *problem.Problem, text string, doubt func(string, ...any)) {
	for _, found := range statedLimit().FindAllStringSubmatch(text, -1) {
		value, ok := new(big.Rat).SetString(found[2])
		unit := strings.ToLower(found[3])
		if !ok || strings.EqualFold(found[1], "time") != (strings.HasPrefix(unit, "s") || strings.HasPrefix(unit, "ms") ||
			strings.HasPrefix(unit, "milli")) {
			continue
		}
		limit, of := big.NewRat(p.Limits.Memory>>20, 1), "MiB"
		if strings.EqualFold(found[1], "time") {
			limit, of = big.NewRat(int64(p.Limits.Time), 1e9), "s"
			if unit[0] == 'm' {
				value.Quo(value, big.NewRat(1000, 1))
			}
			if p.Limits.Time == 0 {
				continue // it is inferred
			}
		} else if unit[0] == 'g' {
			value.Mul(value, big.NewRat(1024, 1))
		}
		if value.Cmp(limit) != 0 {
			doubt("%q, but the limit of problem.yaml is %s %s", found[0], show(limit), of)
		}
	}
}
