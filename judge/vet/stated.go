package vet

import (
	"regexp"
	"strconv"
	"strings"
)

// A number of a comment: 2e5, 3*10^5, 300,000. The groups are an exponent, an exponent,
// and digits.
const statedNumber = `(?:\d[.\d]*\s*[*·x×]\s*)?(?:\d[.\d]*e(\d+)|10\s*(?:\^|\*\*)\s*(\d+)|(\d{1,3}(?:[,_ ]?\d{3})+))`

// stated finds limits of counts in comments: of variables that are named like a count,
// "1 <= n, m <= 2e5", and of things, "up to 10^5 vertices". Limits of values, such as "x up
// to 10^6" or "modulo 10^9+7", are none.
var stated = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b[nmqkt]\s*(?:<=?|≤|=|is|up to|at most)+\s*(?:up to|at most)?\s*` + statedNumber),
	regexp.MustCompile(`(?i)(?:<=?|≤|up to|at most)\s*` + statedNumber + `\s+(?:[a-z]+\s+)?(?:vertices|queries|entries|[a-z]*(?:number|value|word|line|token|integer|node|edge|point|element|operation|interval|segment|string|name|pair|event|row|test|item|command|quer)s)\b`),
}

// statesLargeInput reports whether a comment says that the program reads manyValues
// values or more. More than 10^7 are a limit of something else, because no judge has
// such input.
func (p *program) statesLargeInput() bool {
	for _, file := range p.pass.Files {
		for _, group := range file.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			for _, limit := range stated {
				for _, m := range limit.FindAllStringSubmatch(text, -1) {
					if n := magnitude(m[1:]); n >= manyValues && n <= 10_000_000 {
						return true
					}
				}
			}
		}
	}
	return false
}

// magnitude returns a stated number, of one with an exponent only the power of ten; 0 if
// it is larger than a judge's input can be.
func magnitude(groups []string) int {
	digits := strings.NewReplacer(",", "", "_", "", " ", "").Replace(groups[2])
	if e, err := strconv.Atoi(groups[0] + groups[1]); err == nil && e < 10 {
		digits = "1" + strings.Repeat("0", e)
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
