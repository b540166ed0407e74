package verify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"crucible/judge/strength/inputs"
)

// A Kind is what an output is, compared with a right one.
type Kind string

const (
	Empty     Kind = "empty"
	Truncated Kind = "truncated"
	Repeated  Kind = "repeated"
	Swapped   Kind = "swapped"    // two lines or tokens
	OtherCase Kind = "other case" // right for another case
	Malformed Kind = "malformed"
	Huge      Kind = "huge"
	NotUTF8   Kind = "not UTF-8"
	Number    Kind = "number" // one number is different
	Missing   Kind = "missing token"
	Extra     Kind = "extra text" // after a right output
	Letters   Kind = "other letter case"
	Space     Kind = "other white space"
)

// kinds has all kinds, and how certain it is that an output of the kind is wrong.
var kinds = []struct {
	kind  Kind
	wrong certainty
}{
	{Empty, always}, {Malformed, always}, {NotUTF8, always}, {Huge, always}, {Extra, always},
	{Number, ifUnique}, {Missing, ifUnique}, {Truncated, ifUnique}, {Repeated, ifUnique}, {Swapped, ifUnique},
	{OtherCase, ifUnique},
	{Letters, never}, {Space, never},
}

// A certainty says when an output is certainly wrong.
type certainty byte

const (
	always   certainty = iota // if the right answer is not empty
	ifUnique                  // if there is only one right answer, which is likely where submissions agree
	never                     // validators may accept it
)

func (k Kind) wrong() certainty {
	for _, row := range kinds {
		if row.kind == k {
			return row.wrong
		}
	}
	return never
}

// An output is fed to an output validator.
type output struct {
	kind Kind
	what string // how it was made: "3 changed to 4"
	text []byte
}

// hugeBytes is the size of huge outputs. It is below the output limits of most problems.
const hugeBytes = 1 << 20

// nonsense is a word that no answer contains.
const nonsense = "crucible?nonsense"

// outputsOf makes outputs from a right one and right ones of other cases.
func outputsOf(right []byte, others [][]byte, random *rand.Rand) (all []output) {
	add := func(kind Kind, what string, text []byte) {
		if !bytes.Equal(bytes.Join(bytes.Fields(text), []byte(" ")), bytes.Join(bytes.Fields(right), []byte(" "))) ||
			kind == Space {
			all = append(all, output{kind, what, text})
		}
	}
	text := string(right)
	tokens := strings.Fields(text)
	add(Empty, "no output", nil)
	add(Empty, "a line feed", []byte("\n"))
	add(Malformed, "a word in place of the output", []byte(nonsense+"\n"))
	add(Malformed, "zero bytes", bytes.Repeat([]byte{0}, 16))
	add(Malformed, "NaN", []byte(strings.Repeat("nan ", len(tokens[:min(len(tokens), 100)]))+"\n"))
	add(NotUTF8, "bytes that are not UTF-8", []byte("\xff\xfe\xc3\x28\n"))
	add(NotUTF8, "the output with a byte that is not UTF-8 at its end",
		slices.Concat(bytes.TrimSpace(right), []byte(" \xff\n")))
	add(Huge, "a number of many digits", append(bytes.Repeat([]byte("9"), hugeBytes), '\n'))
	add(Huge, "many numbers", bytes.Repeat([]byte("-1 "), hugeBytes/3))
	add(Huge, "2^63 in place of each number", eachNumber(text, "9223372036854775808"))
	add(Huge, "-10^30 in place of each number", eachNumber(text, "-1000000000000000000000000000000"))
	add(Extra, "a word after the output", slices.Concat(bytes.TrimRight(right, "\n"), []byte("\n"+nonsense+"\n")))
	if len(tokens) > 0 {
		add(Repeated, "the output twice", slices.Concat(bytes.TrimSpace(right), []byte("\n"), right))
		add(Truncated, "the first half of the bytes", right[:len(right)/2])
		add(Truncated, "without the last token", withoutLast(text))
	}
	for i, other := range others {
		add(OtherCase, fmt.Sprintf("the output of another case (%d)", i+1), other)
	}
	all = append(all, swaps(text, random)...)
	all = append(all, tokenChanges(text, random)...)
	add(Space, "spaces and line feeds added", []byte("\n "+strings.Join(strings.SplitAfter(text, "\n"), "  \n")+" \n"))
	add(Space, "no line feed at the end", bytes.TrimRight(right, "\n"))
	add(Space, "carriage returns before line feeds", bytes.ReplaceAll(right, []byte("\n"), []byte("\r\n")))
	return all
}

// spans returns the positions of the tokens of a text.
func spans(text string) (all [][2]int) {
	start := -1
	for i, r := range text + " " {
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			all, start = append(all, [2]int{start, i}), -1
		}
	}
	return all
}

func eachNumber(text, number string) []byte {
	return replaceTokens(text, func(token string) string {
		if inputs.IsNumber(token) {
			return number
		}
		return token
	})
}

func replaceTokens(text string, with func(string) string) []byte {
	var b []byte
	last := 0
	for _, s := range spans(text) {
		b = append(append(b, text[last:s[0]]...), with(text[s[0]:s[1]])...)
		last = s[1]
	}
	return append(b, text[last:]...)
}

func withoutLast(text string) []byte {
	all := spans(text)
	return []byte(text[:all[len(all)-1][0]])
}

// swaps returns outputs in which two lines or two tokens have changed their places.
func swaps(text string, random *rand.Rand) (all []output) {
	split := strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n")
	split = split[:len(split)-1]
	if i, k, ok := pair(split, random); ok {
		split[i], split[k] = split[k], split[i]
		all = append(all, output{Swapped, fmt.Sprintf("lines %d and %d swapped", i+1, k+1), []byte(strings.Join(split, ""))})
	}
	tokens := strings.Fields(text)
	if i, k, ok := pair(tokens, random); ok {
		n := -1
		changed := replaceTokens(text, func(token string) string {
			switch n++; n {
			case i:
				return tokens[k]
			case k:
				return tokens[i]
			}
			return token
		})
		all = append(all, output{Swapped, fmt.Sprintf("tokens %d and %d swapped", i+1, k+1), changed})
	}
	return all
}

// pair returns the indexes of two different elements.
func pair(all []string, random *rand.Rand) (i, k int, ok bool) {
	for range 20 {
		if len(all) < 2 {
			break
		}
		i, k := random.IntN(len(all)), random.IntN(len(all))
		if all[i] != all[k] {
			return i, k, true
		}
	}
	return 0, 0, false
}

// changedTokens is the number of tokens of an output that are changed.
const changedTokens = 4

// tokenChanges returns outputs in which one token is different, missing, or additional.
func tokenChanges(text string, random *rand.Rand) (all []output) {
	tokens := spans(text)
	if len(tokens) == 0 {
		return nil
	}
	chosen := []int{0, len(tokens) - 1}
	for len(chosen) < min(changedTokens, len(tokens)) {
		chosen = append(chosen, random.IntN(len(tokens)))
	}
	done := make(map[int]bool)
	for _, i := range chosen {
		if done[i] {
			continue
		}
		done[i] = true
		s := tokens[i]
		token := text[s[0]:s[1]]
		put := func(kind Kind, what, with string) {
			changed := text[:s[0]] + with + text[s[1]:]
			all = append(all, output{kind, fmt.Sprintf("token %d, %.40q, %s", i+1, token, what), []byte(changed)})
		}
		for _, with := range otherNumbers(token) {
			put(Number, "changed to "+with, with)
		}
		put(Missing, "left out", "")
		if other := otherLetters(token); other != token {
			put(Letters, "changed to "+fmt.Sprintf("%.40q", other), other)
		}
	}
	return all
}

// otherNumbers returns numbers that differ from one by more than validators usually
// tolerate: by one if it is small, else in the first digit.
func otherNumbers(token string) (others []string) {
	if !inputs.IsNumber(token) {
		return nil
	}
	if n, ok := inputs.Integer(token); ok && n > -1000 && n < 1000 {
		others = append(others, strconv.FormatInt(n+1, 10), strconv.FormatInt(n-1, 10))
		if n > 1 || n < -1 {
			others = append(others, strconv.FormatInt(-n, 10))
		}
		return others
	}
	v, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return nil
	}
	if v > -1 && v < 1 {
		return []string{strings.Replace(token, "0", "1", 1)}
	}
	first := strings.IndexFunc(token, func(r rune) bool { return r >= '1' && r <= '9' })
	digit := token[first] + 1
	if digit > '9' {
		digit = '1'
	}
	others = append(others, token[:first]+string(digit)+token[first+1:])
	if rest, negative := strings.CutPrefix(token, "-"); negative {
		return append(others, rest)
	}
	return append(others, "-"+token)
}

// otherLetters returns a token with upper-case letters for lower-case ones, and the other
// way round.
func otherLetters(token string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, token)
}
