package check

import (
	"bytes"
	"math/big"
	"regexp"
	"strings"
)

// The reference is the simplest implementation of the specification. It shares no code
// with the validator and needs both texts in memory.

var (
	refSpaces = regexp.MustCompile(`[ \f\n\r\t\v]+`)
	refWords  = regexp.MustCompile(`[^ \f\n\r\t\v]+`)
	refFloat  = regexp.MustCompile(`^[+-]?([0-9]*\.[0-9]+|[0-9]+\.|[0-9]+)([Ee][+-]?[0-9]+)?$`)
	refHuge   = regexp.MustCompile(`[Ee][+-]?0*[1-9][0-9]{3}`) // exponents that are too large for big.Rat
)

type reference struct {
	refused            bool // the arguments are an error
	cases, spaces      bool
	absolute, relative *big.Rat
}

func newReference(args []string) reference {
	var r reference
	given := map[string]int{}
	for i := 0; i < len(args); i++ {
		var eps *big.Rat
		if strings.HasPrefix(args[i], "float_") && i+1 < len(args) {
			eps = refNumber([]byte(args[i+1]))
		}
		given[args[i]]++
		switch args[i] {
		case "case_sensitive":
			r.cases = true
			continue
		case "space_change_sensitive":
			r.spaces = true
			continue
		case "float_absolute_tolerance":
			r.absolute = eps
		case "float_relative_tolerance":
			r.relative = eps
		case "float_tolerance":
			r.absolute, r.relative = eps, eps
		default:
			eps = nil
		}
		if eps == nil || eps.Sign() < 0 {
			r.refused = true
			return r
		}
		i++
	}
	both, abs, rel := given["float_tolerance"], given["float_absolute_tolerance"], given["float_relative_tolerance"]
	r.refused = both > 1 || abs > 1 || rel > 1 || both > 0 && abs+rel > 0
	return r
}

func (r reference) accepts(answer, output []byte) (ok bool, token int) {
	return refAccepts(answer, output, r.spaces, r.equal)
}

// refAccepts compares two texts. The token is the number of the first one that
// differs, or the number of tokens if the texts are equal.
func refAccepts(answer, output []byte, spaces bool, equal func(want, got []byte) bool) (ok bool, token int) {
	want, got := refTokens(answer), refTokens(output)
	wantSpaces, gotSpaces := refRuns(answer), refRuns(output)
	for i := 0; i < len(want) || i < len(got); i++ {
		if spaces && (i >= len(wantSpaces) || i >= len(gotSpaces) || wantSpaces[i] != gotSpaces[i]) {
			return false, i + 1
		}
		if i >= len(want) || i >= len(got) || !equal(want[i], got[i]) {
			return false, i + 1
		}
	}
	if n := len(want); spaces && wantSpaces[n] != gotSpaces[n] {
		return false, n + 1
	}
	return true, len(want)
}

func (r reference) equal(want, got []byte) bool {
	if r.absolute != nil || r.relative != nil {
		if a := refNumber(want); a != nil {
			s := refNumber(got)
			if s == nil {
				return false
			}
			off := new(big.Rat).Sub(s, a)
			off.Abs(off)
			return r.absolute != nil && off.Cmp(r.absolute) <= 0 ||
				r.relative != nil && off.Cmp(new(big.Rat).Mul(r.relative, new(big.Rat).Abs(a))) <= 0
		}
	}
	if !r.cases {
		want, got = refLower(want), refLower(got)
	}
	return string(want) == string(got)
}

// refNumber parses a number. It returns nil if the text is not a number.
func refNumber(text []byte) *big.Rat {
	if !refFloat.Match(text) || len(text) > 4096 {
		return nil
	}
	v, ok := new(big.Rat).SetString(string(text))
	if !ok {
		panic("big.Rat refuses " + string(text))
	}
	return v
}

func refLower(text []byte) []byte {
	text = bytes.Clone(text)
	for i, c := range text {
		if n := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c); n >= 0 {
			text[i] = "abcdefghijklmnopqrstuvwxyz"[n]
		}
	}
	return text
}

func refTokens(text []byte) [][]byte {
	var tokens [][]byte
	for _, t := range refSpaces.Split(string(text), -1) {
		if t != "" {
			tokens = append(tokens, []byte(t))
		}
	}
	return tokens
}

// refRuns returns the whitespace before, between and after the tokens. The first and
// the last item may be empty.
func refRuns(text []byte) []string { return refWords.Split(string(text), -1) }
