package stress

import (
	"math/big"
	"strconv"
	"strings"
)

// A document is an input as lines of tokens. Single line feeds separate lines and single
// spaces separate tokens, so bytes returns exactly what parse read. The last line of most
// inputs has one empty token, because a line feed ends the line before it.
type document struct{ lines [][]string }

func parse(data []byte) *document {
	lines := strings.Split(string(data), "\n")
	d := &document{make([][]string, len(lines))}
	for i, line := range lines {
		d.lines[i] = strings.Split(line, " ")
	}
	return d
}

func (d *document) bytes() []byte {
	var b []byte
	for i, line := range d.lines {
		if i > 0 {
			b = append(b, '\n')
		}
		for k, token := range line {
			if k > 0 {
				b = append(b, ' ')
			}
			b = append(b, token...)
		}
	}
	return b
}

// clone copies the document. Lines are copied, too, because operators change them in
// place.
func (d *document) clone() *document {
	c := &document{make([][]string, len(d.lines))}
	for i, line := range d.lines {
		c.lines[i] = append(make([]string, 0, len(line)), line...)
	}
	return c
}

// end returns the number of lines without a last empty one.
func (d *document) end() int {
	n := len(d.lines)
	if n > 0 && len(d.lines[n-1]) == 1 && d.lines[n-1][0] == "" {
		n--
	}
	return n
}

// integer returns the value of a token that is an integer in the usual form: without
// plus sign and leading zeros, in 64 bits.
func integer(token string) (int64, bool) {
	n, err := strconv.ParseInt(token, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == token
}

// isNumber reports whether a token is an integer of any length or a decimal number.
func isNumber(token string) bool {
	digits, _ := strings.CutPrefix(token, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	return whole != "" && allDigits(whole) && (!point || fraction != "" && allDigits(fraction))
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// decimals returns the number of digits after the decimal point.
func decimals(token string) int {
	_, fraction, _ := strings.Cut(token, ".")
	return len(fraction)
}

// scaled returns a number as an integer multiple of 10^-places.
func scaled(token string, places int) *big.Int {
	whole, fraction, _ := strings.Cut(token, ".")
	fraction += strings.Repeat("0", max(0, places-len(fraction)))
	n, _ := new(big.Int).SetString(whole+fraction[:places], 10)
	if n == nil {
		n = new(big.Int)
	}
	return n
}

// decimal is the inverse of scaled.
func decimal(n *big.Int, places int) string {
	if places == 0 {
		return n.String()
	}
	text, sign := n.String(), ""
	if n.Sign() < 0 {
		text, sign = text[1:], "-"
	}
	text = strings.Repeat("0", max(0, places+1-len(text))) + text
	return sign + text[:len(text)-places] + "." + text[len(text)-places:]
}
