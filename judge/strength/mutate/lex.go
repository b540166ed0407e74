package mutate

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// The lexers are copies of those of chroma's package lexers, because that package
// reads 280 of them when a program starts: 6 ms of CPU time for each start of the
// judge. A test compares them with the module.
//
//go:embed lexers/*.xml
var lexerFiles embed.FS

// A span is a range of bytes of a file.
type span struct{ from, to int }

func (s span) holds(t span) bool { return s.from <= t.from && t.to <= s.to }
func (s span) empty() bool       { return s.from >= s.to }

// A kind is the kind of a token.
type kind byte

const (
	mark    kind = iota // an operator or a bracket
	word                // a name or a keyword
	number              // a numeric literal
	text                // a string or character literal
	bracket             // < or > around arguments of templates or generics
)

// A lexeme is a token of a source file without comments, white space and
// preprocessor lines.
type lexeme struct {
	span
	kind kind
	text string
}

// lexer returns chroma's lexer of a file in the folder lexers.
var lexer = func() func(string) (chroma.Lexer, error) {
	var mu sync.Mutex
	known := make(map[string]chroma.Lexer)
	return func(file string) (chroma.Lexer, error) {
		mu.Lock()
		defer mu.Unlock()
		if l := known[file]; l != nil {
			return l, nil
		}
		l, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+file)
		if err != nil {
			return nil, err
		}
		known[file] = l
		return l, nil
	}
}()

// tokens splits a source into tokens. chroma finds comments, strings and
// preprocessor lines; the rest is split here, because its lexers cut operators and
// numbers into pieces ("<" "<", "0." ".9").
func (d *dialect) tokens(name string, source []byte) ([]lexeme, error) {
	if d.golang {
		return goTokens(name, source)
	}
	lexer, err := lexer(d.lexer)
	if err != nil {
		return nil, err
	}
	short, original := compact(source)
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, short)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	start := time.Now()
	var (
		out   []lexeme
		read  int          // bytes of the shortened text
		at    int          // their number in the source
		code  = span{0, 0} // code that is not yet split
		depth int          // of expressions inside a string
		flush = func() {
			out = append(out, d.split(string(source[code.from:code.to]), code.from)...)
		}
	)
	for t := next(); t != chroma.EOF; t = next() {
		from := original(read)
		if !strings.HasPrefix(short[min(read, len(short)):], t.Value) {
			if strings.TrimSpace(t.Value) == "" {
				break // a line end that the lexer adds
			}
			return nil, fmt.Errorf("%s: the lexer does not return the text of the source at byte %d", name, from)
		}
		if time.Since(start) > mostTime {
			return nil, fmt.Errorf("%s: reading it takes more than %v", name, mostTime)
		}
		read += len(t.Value)
		at = original(read)
		inString := t.Type.InSubCategory(chroma.LiteralString)
		if t.Type == chroma.LiteralStringInterpol {
			depth = max(0, depth+strings.Count(t.Value, "{")-strings.Count(t.Value, "}"))
		}
		switch {
		case t.Type.InCategory(chroma.Comment) || t.Type == chroma.LiteralStringDoc && d.lexer != "python.xml":
			flush()
			code = span{at, at}
		case inString || depth > 0:
			flush()
			code = span{at, at}
			if n := len(out) - 1; n >= 0 && out[n].kind == text && out[n].to == from {
				out[n].to, out[n].text = at, string(source[out[n].from:at])
			} else if t.Value != "" {
				out = append(out, lexeme{span{from, at}, text, string(source[from:at])})
			}
		default:
			code.to = at
		}
	}
	flush()
	return out, nil
}

// mostTime bounds the time of reading one file, because the lexers' regular
// expressions can take a time that is cubic in the length of unusual texts.
const mostTime = 10 * time.Second

// compact returns the source with at most 16 white space characters in a row, of
// which longer sequences take the lexers a cubic time, and a function from its
// offsets to those of the source.
func compact(source []byte) (string, func(int) int) {
	const most = 16
	var short []byte
	var cuts, sums []int // offsets in the shortened text, and how many bytes are left out before them
	for i := 0; i < len(source); {
		end := i
		for end < len(source) && strings.IndexByte(" \t\r\n", source[end]) >= 0 {
			end++
		}
		switch {
		case end-i > most:
			// The first line end and the last characters decide the meaning.
			kept := source[end-most+1 : end]
			if at := bytes.IndexByte(source[i:end], '\n'); at >= 0 {
				short = append(short, '\n')
			} else {
				short = append(short, ' ')
			}
			short = append(short, kept...)
			left := end - i - most
			if len(sums) > 0 {
				left += sums[len(sums)-1]
			}
			cuts, sums = append(cuts, len(short)-len(kept)), append(sums, left)
			i = end
		case end > i:
			short, i = append(short, source[i:end]...), end
		default:
			short, i = append(short, source[i]), i+1
		}
	}
	return string(short), func(at int) int {
		if n, _ := slices.BinarySearch(cuts, at+1); n > 0 {
			return at + sums[n-1]
		}
		return at
	}
}

// split splits code without comments and strings into tokens. offset is the place
// of the code in the file.
func (d *dialect) split(code string, offset int) []lexeme {
	var out []lexeme
	for i := 0; i < len(code); {
		r, n := utf8.DecodeRuneInString(code[i:])
		if unicode.IsSpace(r) || r == '\\' {
			i += n
			continue
		}
		t := lexeme{kind: mark}
		switch {
		case isLetter(r):
			n, t.kind = d.wordAt(code[i:]), word
		case isDigit(r) || r == '.' && len(code) > i+1 && isDigit(rune(code[i+1])):
			n, t.kind = numberAt(code[i:]), number
		default:
			for _, m := range d.marks {
				if strings.HasPrefix(code[i:], m) {
					n = len(m)
					break
				}
			}
		}
		t.text, t.span = code[i:i+n], span{offset + i, offset + i + n}
		out = append(out, t)
		i += n
	}
	return out
}

func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isLetter(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

// wordAt returns the length of the word at the start of the code. The names of
// Rust's macros end in an exclamation mark.
func (d *dialect) wordAt(code string) int {
	n := strings.IndexFunc(code, func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) })
	if n < 0 {
		return len(code)
	}
	if d.macros && code[n] == '!' && len(code) > n+1 && strings.IndexByte("([{", code[n+1]) >= 0 {
		n++
	}
	return n
}

// numberAt returns the length of the number at the start of the code. It has
// letters (0x1f, 1LL, 1_000u64), a sign after an exponent, and no two points (0..9).
func numberAt(code string) int {
	i := 0
	for i < len(code) {
		c := rune(code[i])
		switch {
		case isDigit(c) || c == '_' || unicode.IsLetter(c) && c < utf8.RuneSelf:
		case c == '\'' && i+1 < len(code) && isDigit(rune(code[i+1])): // 1'000 in C++
		case (c == '+' || c == '-') && i > 0 && strings.ContainsRune("eE", rune(code[i-1])) &&
			!strings.HasPrefix(code, "0x") && i+1 < len(code) && isDigit(rune(code[i+1])):
		case c == '.' && !strings.ContainsRune(code[:i], '.') && !(i+1 < len(code) &&
			(code[i+1] == '.' || isLetter(rune(code[i+1])))):
		default:
			return i
		}
		i++
	}
	return i
}

// fineTokens splits any code so that the tokens of a part are those of the whole:
// each sign is a token of its own. They only serve for comparing programs.
func fineTokens(code string, offset int) []lexeme {
	var out []lexeme
	for i := 0; i < len(code); {
		r, n := utf8.DecodeRuneInString(code[i:])
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		if isLetter(r) || isDigit(r) {
			if n = strings.IndexFunc(code[i:], func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) }); n < 0 {
				n = len(code) - i
			}
		}
		out = append(out, lexeme{span{offset + i, offset + i + n}, mark, code[i : i+n]})
		i += n
	}
	return out
}

// fine splits tokens of a language further.
func fine(tokens []lexeme) []lexeme {
	var out []lexeme
	for _, t := range tokens {
		if t.empty() {
			continue // a semicolon that is not in the source
		}
		if t.kind == text {
			out = append(out, t)
		} else {
			out = append(out, fineTokens(t.text, t.from)...)
		}
	}
	return out
}

// pairs returns for each bracket the index of its partner, and -1 for other tokens.
// An error names the first bracket that has none.
func pairs(name string, source []byte, tokens []lexeme) ([]int, error) {
	match := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		match[i] = -1
		if t.kind != mark || len(t.text) != 1 {
			continue
		}
		switch at := strings.IndexByte(")]}", t.text[0]); {
		case strings.IndexByte("([{", t.text[0]) >= 0:
			open = append(open, i)
		case at >= 0:
			if len(open) == 0 || tokens[open[len(open)-1]].text != "([{"[at:at+1] {
				return nil, fmt.Errorf("%s:%d: %q closes no bracket", name, lineOf(source, t.from), t.text)
			}
			match[i] = open[len(open)-1]
			match[match[i]] = i
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t := tokens[open[len(open)-1]]
		return nil, fmt.Errorf("%s:%d: %q is not closed", name, lineOf(source, t.from), t.text)
	}
	return match, nil
}

func lineOf(source []byte, at int) int { return 1 + strings.Count(string(source[:at]), "\n") }

// byLength sorts signs so that the longest comes first.
func byLength(signs string) []string {
	all := strings.Fields(signs)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return all
}
