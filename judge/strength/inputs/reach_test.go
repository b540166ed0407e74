package inputs

import (
	"math/big"
	"slices"
	"strings"
	"testing"
)

// reachable are kinds of inputs that wrong programs often fail on, and how soon a search
// makes one. The numbers are about twice those that were measured.
var reachable = []struct {
	grammar string
	goal    string
	reached func(lines [][]string) bool
	most    int // mutants, within which most seeds reach it
}{
	{"list", "all of several numbers are negative", func(l [][]string) bool { return len(l[1]) > 2 && allOf(l[1], func(v int64) bool { return v < 0 }) }, 100},
	{"list", "all numbers are the lower bound", func(l [][]string) bool { return len(l[1]) > 2 && allOf(l[1], func(v int64) bool { return v == -1000 }) }, 1000},
	{"list", "all of several numbers are equal", func(l [][]string) bool {
		return len(l[1]) > 2 && allOf(l[1], func(v int64) bool { return l[1][0] == l[1][1] && v == valuesOf(l[1])[0] })
	}, 50},
	{"list", "all of several numbers are zero", func(l [][]string) bool { return len(l[1]) > 3 && allOf(l[1], func(v int64) bool { return v == 0 }) }, 300},
	{"list", "the largest size", func(l [][]string) bool { return len(l[1]) == 100 }, 1200},
	{"list", "the smallest size", func(l [][]string) bool { return len(l[1]) == 1 }, 80},
	{"list", "six numbers in order, not all equal", func(l [][]string) bool {
		v := valuesOf(l[1])
		return len(v) > 5 && slices.IsSorted(v) && v[0] != v[len(v)-1]
	}, 150},
	{"list", "six numbers in descending order", func(l [][]string) bool {
		v := valuesOf(l[1])
		slices.Reverse(v)
		return len(v) > 5 && slices.IsSorted(v) && v[0] != v[len(v)-1]
	}, 400},
	{"list", "twenty distinct numbers", func(l [][]string) bool {
		v := valuesOf(l[1])
		slices.Sort(v)
		return len(v) >= 20 && len(slices.Compact(slices.Clone(v))) == len(v)
	}, 900},
	{"list", "the lower bound once and the upper bound once", func(l [][]string) bool {
		v := valuesOf(l[1])
		return slices.Contains(v, -1000) && slices.Contains(v, 1000)
	}, 1400},
	{"edges", "the same edge three times", func(l [][]string) bool {
		return len(l) == 4 && strings.Join(l[1], " ") == strings.Join(l[2], " ") && strings.Join(l[2], " ") == strings.Join(l[3], " ")
	}, 60},
	{"edges", "an edge from a vertex to itself", func(l [][]string) bool {
		return slices.ContainsFunc(l[1:], func(e []string) bool { return e[0] == e[1] })
	}, 30},
	{"tree", "twenty vertices", func(l [][]string) bool { return number(l[0], 0) >= 20 }, 400},
	{"grid", "ten equal rows", func(l [][]string) bool {
		return len(l) > 10 && !slices.ContainsFunc(l[1:], func(e []string) bool { return e[0] != l[1][0] })
	}, 700},
	{"grid", "one character in a grid of nine or more", func(l [][]string) bool {
		text := ""
		for _, line := range l[1:] {
			text += line[0]
		}
		return len(text) > 8 && strings.Count(text, text[:1]) == len(text)
	}, 100},
	{"cases", "the largest number of cases", func(l [][]string) bool { return l[0][0] == "20" }, 700},
	{"cases", "a case with all numbers negative", func(l [][]string) bool {
		for i := 2; i < len(l); i += 2 {
			if len(l[i]) > 2 && allOf(l[i], func(v int64) bool { return v < 0 }) {
				return true
			}
		}
		return false
	}, 300},
}

func allOf(tokens []string, ok func(int64) bool) bool {
	return !slices.ContainsFunc(valuesOf(tokens), func(v int64) bool { return !ok(v) })
}

func valuesOf(tokens []string) []int64 {
	values := make([]int64, len(tokens))
	for i, token := range tokens {
		values[i], _ = Integer(token)
	}
	return values
}

// mutantsUntil returns how many mutants a search makes until one is valid and reaches a
// goal; most if none does.
func mutantsUntil(seed uint64, inputs []string, valid func([][]string) error, reached func([][]string) bool, most int) int {
	var bounds []*big.Int
	for _, n := range []int64{1, 20, 50, 100, 1000, 1001} {
		bounds = append(bounds, big.NewInt(n))
	}
	m := NewMutator(seed, bounds)
	for _, text := range inputs {
		m.Add([]byte(text), 0, 0)
	}
	seen := make(map[string]bool)
	for made := 0; made < most; {
		mutant := m.Mutate()
		text := string(mutant.Input)
		if seen[text] {
			m.Learn(mutant, Repeated)
			continue
		}
		seen[text] = true
		made++
		if check(valid, mutant.Input) != nil {
			m.Learn(mutant, Invalid)
			continue
		}
		m.Learn(mutant, Valid)
		m.Add(mutant.Input, 0, 0)
		if reached(tokensIn(text)) {
			return made
		}
	}
	return most
}

func TestMutatorReaches(t *testing.T) {
	for _, one := range reachable {
		t.Run(one.grammar+"/"+one.goal, func(t *testing.T) {
			t.Parallel()
			g := grammars[slices.IndexFunc(grammars, func(g grammar) bool { return g.name == one.grammar })]
			var made []int
			for seed := range uint64(5) {
				made = append(made, mutantsUntil(seed, g.inputs, g.valid, one.reached, one.most))
			}
			slices.Sort(made)
			t.Logf("%d mutants", made)
			if made[len(made)/2] == one.most {
				t.Errorf("most of five searches do not reach it on %d mutants: %d", one.most, made)
			}
		})
	}
}
