package language

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"crucible/judge/internal/lazy"
)

// A lexer reads the tokens of a Java, Kotlin or Scala source, as far as is needed to find
// declarations: sections 3.3 to 3.10 of the Java Language Specification. Comments are
// left out.
type lexer struct {
	text     []byte
	java     bool // Unicode escapes are translated, comments do not nest, and \ escapes characters of text blocks
	unpaired bool // the character before text is a \ that is not itself escaped, so no Unicode escape begins here
}

const (
	literal       = `""` // the token of a string, a text block or a character
	byteOrderMark = "\ufeff"
	endOfText     = rune(-1)
)

// tokens returns the tokens of a source: words, literals, and single characters.
func tokens(text []byte, java bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		l := &lexer{text: bytes.TrimPrefix(text, []byte(byteOrderMark)), java: java}
		for {
			token := l.token()
			if token == "" || !yield(token) {
				return
			}
		}
	}
}

// next returns the next character, after the translation of Unicode escapes.
func (l *lexer) next() rune {
	if len(l.text) == 0 {
		return endOfText
	}
	if l.java && !l.unpaired {
		if c, n := unicodeEscape(l.text); n > 0 {
			l.text = l.text[n:]
			if low, n := unicodeEscape(l.text); n > 0 && 0xd800 <= c && c < 0xdc00 && 0xdc00 <= low && low < 0xe000 {
				l.text = l.text[n:]
				c = (c-0xd800)<<10 + low - 0xdc00 + 0x10000
			}
			return c
		}
	}
	c, n := utf8.DecodeRune(l.text)
	l.text, l.unpaired = l.text[n:], c == '\\' && !l.unpaired
	return c
}

// unicodeEscape returns the UTF-16 code unit of the Unicode escape at which text begins,
// and the length of the escape; 0 if text begins with none.
func unicodeEscape(text []byte) (unit rune, n int) {
	if len(text) == 0 || text[0] != '\\' {
		return 0, 0
	}
	for n = 1; n < len(text) && text[n] == 'u'; n++ {
	}
	if n == 1 || len(text) < n+4 {
		return 0, 0
	}
	for _, c := range text[n : n+4] {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if digit < 0 || c < '0' {
			return 0, 0
		}
		unit = unit<<4 + rune(digit)
	}
	return unit, n + 4
}

// skip reports whether the next characters are s, and then consumes them.
func (l *lexer) skip(s string) bool {
	ahead := *l
	for _, c := range s {
		if ahead.next() != c {
			return false
		}
	}
	*l = ahead
	return true
}

// token returns the next token; "" at the end.
func (l *lexer) token() string {
	for {
		switch {
		case l.skip("//"):
			l.skipLine()
			continue
		case l.skip("/*"):
			l.skipComment()
			continue
		case l.skip(`"""`):
			l.skipString(`"""`)
			return literal
		case l.skip(`"`):
			l.skipString(`"`)
			return literal
		}
		ahead := *l
		c := l.next()
		switch {
		case c == endOfText:
			return ""
		case c <= ' ':
			continue
		case c == '\'':
			if l.skip(`\`) {
				l.next()
				l.skipString("'")
				return literal
			}
			ahead = *l
			if c = l.next(); c != '\n' && c != '\r' && l.skip("'") {
				return literal
			}
			*l = ahead // 'x without a second quote is a symbol of Scala
			return "'"
		case c == '`' && !l.java:
			word, _, _ := bytes.Cut(l.text, []byte("`"))
			l.text = l.text[min(len(l.text), len(word)+1):]
			return "`" + string(word) + "`"
		case identifierPart(c):
			var word strings.Builder
			for ; identifierPart(c); c = l.next() {
				if !ignorable(c) {
					word.WriteRune(c)
				}
				ahead = *l
			}
			*l = ahead
			if word.Len() > 0 {
				return word.String()
			}
		default:
			return string(c)
		}
	}
}

func (l *lexer) skipLine() {
	for c := l.next(); c != '\n' && c != '\r' && c != endOfText; c = l.next() {
	}
}

func (l *lexer) skipComment() {
	for depth := 1; depth > 0; {
		switch {
		case l.skip("*/"):
			depth--
		case !l.java && l.skip("/*"):
			depth++
		case l.next() == endOfText:
			return
		}
	}
}

// skipString consumes the rest of a literal. One that is not closed ends with its line.
func (l *lexer) skipString(end string) {
	block := len(end) > 1
	for !l.skip(end) {
		switch c := l.next(); {
		case c == endOfText || !block && (c == '\n' || c == '\r'):
			return
		case c == '\\' && (l.java || !block):
			l.next()
		}
	}
	for !l.java && block && l.skip(`"`) { // quotes before the end belong to the text
	}
}

// identifierStart reports whether an identifier may begin with c (section 3.8).
func identifierStart(c rune) bool {
	return unicode.IsLetter(c) || unicode.In(c, unicode.Nl, unicode.Sc, unicode.Pc)
}

func identifierPart(c rune) bool {
	return identifierStart(c) || unicode.In(c, unicode.Nd, unicode.Mc, unicode.Mn) || ignorable(c)
}

// ignorable reports whether c may occur in identifiers and does not belong to their
// names: Character.isIdentifierIgnorable.
func ignorable(c rune) bool {
	return unicode.Is(unicode.Cf, c) || 0 <= c && c <= 8 || 0xe <= c && c <= 0x1b || 0x7f <= c && c <= 0x9f
}

// identifier reports whether a word is an identifier of Java, or a keyword.
func identifier(word string) bool {
	for i, c := range word {
		if !identifierPart(c) || i == 0 && !identifierStart(c) {
			return false
		}
	}
	return word != ""
}

// A javaType is a type that a Java source declares at the top level.
type javaType struct {
	name   string
	public bool
}

// javaTypes returns the types that a source declares at the top level (sections 7.3 to
// 7.6), and whether it declares other members there, which form an implicit class.
func javaTypes(text []byte) (types []javaType, implicit bool) {
	var (
		depth       int
		begun       bool     // a declaration has begun
		known       bool     // it is the declaration of a type, a package or a module, or an import
		annotation  bool     // the last token belongs to the name of an annotation
		now         javaType // the type that is being declared, if it is one
		last, last2 string   // the last two tokens outside of brackets
	)
	end := func() {
		if now.name != "" {
			types = append(types, now)
		}
		implicit = implicit || begun && !known
		begun, known, now = false, false, javaType{}
	}
	for t := range tokens(text, true) {
		if depth > 0 && !strings.Contains("{([)]}", t) {
			continue
		}
		keyword := last2 != "." && (last == "class" || last == "interface" || last == "enum")
		arguments := annotation && t == "("
		annotation = last == "@" && t != "interface" || annotation && (t == "." || last == ".")
		switch {
		case annotation || arguments || t == "@":
		case depth > 0: // a bracket
		case !known && keyword && identifier(t):
			now.name, known = t, true
		case !known && last2 == "record" && identifier(last) && (t == "(" || t == "<"):
			now.name, known = last, true
		case t == "public":
			now.public = true
		case !begun && slices.Contains([]string{"import", "package", "module", "open"}, t):
			begun, known = true, true
		case t != ";":
			begun = true
		}
		switch {
		case strings.Contains("{([", t):
			depth++
		case strings.Contains(")]}", t):
			depth = max(depth-1, 0)
		}
		if depth == 0 && (t == ";" || t == "}") {
			end()
		}
		last, last2 = t, last
	}
	end() // the text is cut off
	return types, implicit
}

// javaName returns the name without extension that a Java source must have if its own is
// not allowed: that of its public type (section 7.6), or for an implicit class (section
// 8.1.8) any identifier. It returns "" for any name.
func javaName(stem string, text []byte) string {
	types, implicit := javaTypes(text)
	public := slices.DeleteFunc(types, func(t javaType) bool { return !t.public })
	switch {
	case slices.ContainsFunc(public, func(t javaType) bool { return t.name == stem }):
	case len(public) > 0 && len(public[0].name) <= longestName:
		return public[0].name
	case len(public) == 0 && implicit && !identifier(stem):
		return "Main"
	}
	return ""
}

// longestName is the length of the longest name of a class whose file can be written.
const longestName = 255 - len(".class")

// mainMethod matches the tokens of a method at which a Java, Kotlin or Scala program
// starts.
var mainMethod = lazy.Regexp(`\bstatic (?:[^;{}=]* )?void main \(|` + // Java
	`\bfun main \(|` + // Kotlin
	`\bdef main\b|@ main\b|\b(?:extends|with) App\b`) // Scala

// HasMain reports whether a source of the language seems to have a method at which a
// program starts.
func (l *Language) HasMain(text []byte) bool {
	return mainMethod().MatchString(strings.Join(slices.Collect(tokens(text, l.Code == "java")), " "))
}
