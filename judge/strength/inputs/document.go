package inputs

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A document is an input as lines of tokens. It keeps all white space, so bytes returns
// exactly what parse read.
type document struct {
	lines []line
	end   string // what follows the last line: usually a line feed
}

// A line is a line of a document.
type line struct {
	tokens []string
	space  []string // white space before each token, and after the last one; nil for one space between tokens
	gap    string   // an empty line that stands before it, and is not one of the lines; "" if there is none
	row    *row     // its structure; nil if it is not known
}

// parse splits an input into lines of tokens. If gaps is set, empty lines only separate
// others.
func parse(data []byte, gaps bool) *document {
	d := &document{}
	gap := ""
	for text := range strings.Lines(string(data)) {
		content, feed := strings.CutSuffix(text, "\n")
		l := newLine(content)
		if gaps && feed && len(l.tokens) == 0 && gap == "" {
			gap = text
			continue
		}
		l.gap, gap = gap, ""
		d.lines = append(d.lines, l)
		if d.end = ""; feed {
			d.end = "\n"
		}
	}
	d.end += gap
	return d
}

func newLine(text string) line {
	l := line{tokens: strings.Fields(text)}
	if strings.Join(l.tokens, " ") == text {
		return l
	}
	for rest, i := text, 0; i <= len(l.tokens); i++ {
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		l.space = append(l.space, rest[:len(rest)-len(trimmed)])
		if rest = trimmed; i < len(l.tokens) {
			rest = rest[len(l.tokens[i]):]
		}
	}
	return l
}

// bytes is the inverse of parse.
func (d *document) bytes() []byte {
	var b []byte
	for i, l := range d.lines {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, l.gap...)
		after := len(l.space) - 1
		for k, token := range l.tokens {
			if k < after {
				b = append(b, l.space[k]...)
			} else if k > 0 {
				b = append(b, ' ')
			}
			b = append(b, token...)
		}
		if after >= 0 {
			b = append(b, l.space[after]...)
		}
	}
	return append(b, d.end...)
}

// clone copies the document. Lines are copied, too, because changes are made in place.
func (d *document) clone() *document { return &document{cloneLines(d.lines), d.end} }

func cloneLines(lines []line) []line {
	copies := slices.Clone(lines)
	for i := range copies {
		copies[i].tokens = slices.Clone(copies[i].tokens)
	}
	return copies
}

// endsAlike returns the last line of all documents, as text, if it is the same in each and
// has no data: a word, or zeros; several zeros if there are few documents. It takes the line from the documents.
func endsAlike(all []*document) (last []string) {
	for _, d := range all {
		if len(d.lines) < 2 || last != nil && !slices.Equal(last, d.lines[len(d.lines)-1].tokens) {
			return nil
		}
		last = d.lines[len(d.lines)-1].tokens
	}
	for _, token := range last {
		if v, ok := Integer(token); ok && v != 0 || !ok && len(all) < enough {
			return nil
		}
	}
	if len(last) == 0 || len(last) == 1 && len(all) < enough {
		return nil
	}
	for _, d := range all {
		body := d.lines[:len(d.lines)-1]
		if slices.ContainsFunc(body, func(l line) bool { return slices.Equal(l.tokens, last) }) {
			return nil
		}
	}
	for _, d := range all {
		d.cut()
	}
	return last
}

// enough is the number of inputs whose last lines are not alike by chance.
const enough = 3

// cut makes the last line a part of what follows the lines.
func (d *document) cut() {
	n := len(d.lines) - 1
	last := document{d.lines[n:], d.end}
	d.lines, d.end = d.lines[:n], string(last.bytes())
	if n > 0 {
		d.end = "\n" + d.end
	}
}

// Integer returns the value of an integer in its usual form: without plus sign and leading
// zeros, in 64 bits.
func Integer(token string) (int64, bool) {
	n, err := strconv.ParseInt(token, 10, 64)
	if err != nil {
		return 0, false
	}
	first := strings.TrimPrefix(token, "-")[0]
	return n, first >= '1' && first <= '9' || token == "0"
}

// kindOf returns the kind of tokens: strings unless all are numbers in the usual form.
func kindOf(tokens []string) kind {
	k := integers
	for _, t := range tokens {
		if _, ok := Integer(t); ok {
			continue
		}
		if !IsNumber(t) {
			return words
		}
		k = decimals
	}
	return k
}

// IsNumber reports whether a token is a number without leading zeros, with digits on both
// sides of a point, or an integer of any size.
func IsNumber(token string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(token, "-"), ".")
	return allDigits(whole) && (len(whole) == 1 || whole[0] != '0') && (!point || allDigits(fraction))
}

func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// placesOf returns the number of digits after the decimal point.
func placesOf(token string) int {
	_, fraction, _ := strings.Cut(token, ".")
	return len(fraction)
}

// scaled returns a number as an integer multiple of 10^-places. More digits are cut off.
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

// pow10 returns 10^places.
func pow10(places int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
}
