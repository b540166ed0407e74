package inputs

import (
	"math/big"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// constantForms match numbers in sources and statements: 1000, 10^5, 1e9, 10**6, 1'000'000.
var constantForms = lazy.Regexp(`[0-9][0-9_']*(?:(?:\^\{?|\*\*|e)[0-9]{1,2})?`)

// Constants returns the numbers in the sources of the input validators, which usually are
// bounds.
func Constants(p *problem.Problem) (numbers []*big.Int, err error) {
	seen := make(map[string]bool)
	for _, v := range p.InputValidators {
		sources, err := v.Read()
		if err != nil {
			return nil, err
		}
		for _, source := range sources {
			for _, text := range constantForms().FindAllString(string(source[:min(len(source), 1<<20)]), 10000) {
				n := constantOf(text)
				if n != nil && !seen[n.String()] && len(numbers) < maxNumbers {
					seen[n.String()] = true
					numbers = append(numbers, n)
				}
			}
		}
	}
	return numbers, nil
}

// maxNumbers bounds the dictionary. A header such as testlib.h has thousands of numbers.
const maxNumbers = 500

func constantOf(text string) *big.Int {
	text = strings.NewReplacer("_", "", "'", "", "{", "", "**", "^").Replace(text)
	at := strings.IndexAny(text, "^e")
	if at < 0 {
		at = len(text)
	}
	n, ok := new(big.Int).SetString(text[:at], 10)
	if !ok || n.BitLen() > 70 || at == len(text) {
		return n
	}
	e, ok := new(big.Int).SetString(text[at+1:], 10)
	if !ok || e.Int64() > 64 || n.BitLen() > 10 {
		return nil
	}
	if text[at] == 'e' {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), e, nil))
	} else {
		n.Exp(n, e, nil)
	}
	if n.BitLen() > 70 {
		return nil
	}
	return n
}
