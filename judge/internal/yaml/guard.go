package yaml

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// A file may come from anyone, and the parser underneath recurses without
// bound, spends time quadratic in the number of empty values and of blank
// lines, and keeps the whole path of every node. These bounds hold it to about
// a second whatever the bytes, and no honest file comes near them.
const (
	maxBytes  = 1 << 20  // of a file
	maxTokens = 50_000   // words and punctuation
	maxDepth  = 64       // maps and sequences within each other
	maxKey    = 1024     // bytes of a key; YAML's own limit, in characters
	maxPaths  = 64 << 20 // bytes of all nodes' paths together
	maxBlank  = 100      // blank lines in a row
	maxEmpty  = 1_000    // keys and items without a value
	maxWeight = 100_000  // nodes, aliases followed
)

// checkBytes refuses what is no YAML text whatever it says, and returns it
// with lines ended by line feeds alone.
func checkBytes(file string, data []byte) ([]byte, error) {
	if len(data) > maxBytes {
		return nil, &Error{file, 1, 1, fmt.Sprintf("%d bytes are too many: want at most %d", len(data), maxBytes)}
	}
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		return nil, &Error{file, 1, 1, "the file begins with a byte order mark: want UTF-8 without one"}
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(bytes.Clone(data), '\n')
	}
	line, column, blank := 1, 1, 0
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if msg := badRune(r, size); msg != "" {
			return nil, &Error{file, line, column, msg}
		}
		switch {
		case r == '\n':
			if line, column, blank = line+1, 1, blank+1; blank > maxBlank {
				return nil, &Error{file, line, 1, fmt.Sprintf("more than %d blank lines in a row", maxBlank)}
			}
		case r != ' ' && r != '\t':
			blank = -1
			fallthrough
		default:
			column++
		}
		rest = rest[size:]
	}
	return data, nil
}

// badRune says what is wrong with a character, or "" (YAML 1.2.2, section
// 5.1, c-printable).
func badRune(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size <= 1:
		return "not UTF-8 text"
	case r == '\r':
		return "a carriage return without a line feed"
	case r < ' ' && r != '\t' && r != '\n', r >= 0x7F && r < 0xA0 && r != 0x85, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
		return fmt.Sprintf("the character %U is not allowed in YAML (in a quoted text write \"\\u%04X\")", r, r)
	}
	return ""
}

// A level is one open map or sequence.
type level struct {
	column int // of its entries in block style; 0 in flow style, within brackets
	path   int // bytes of the path up to it
	key    int // bytes of its last key
}

// checkTokens refuses what this package does not read and what the parser
// underneath would recurse into too deep.
func checkTokens(file string, tokens token.Tokens) error {
	fail := func(t *token.Token, format string, args ...any) error {
		return errorAt(file, t, fmt.Sprintf(format, args...))
	}
	if len(tokens) > maxTokens {
		return fail(tokens[maxTokens], "more than %d words and signs", maxTokens)
	}
	var levels []level
	var anchored, ended, begun bool // by the tokens before this one
	var last *token.Token
	paths, empty := 0, 0
	open := func(column int) *level {
		for n := len(levels); n > 0 && levels[n-1].column > column; n-- {
			levels = levels[:n-1]
		}
		n := len(levels)
		if n == 0 || column == 0 || levels[n-1].column < column {
			l := level{column: column}
			if n > 0 {
				l.path = levels[n-1].path + levels[n-1].key + 8
			}
			levels = append(levels, l)
		}
		return &levels[len(levels)-1]
	}
	inFlow := 0
	for _, t := range tokens {
		if t.Type == token.CommentType {
			continue
		}
		if ended && t.Type != token.DocumentEndType {
			return fail(t, "a second document: want one in a file")
		}
		if len(levels) > 0 && isEmpty(last, t, levels[len(levels)-1].column) {
			if empty++; empty > maxEmpty {
				return fail(t, "more than %d keys and items without a value", maxEmpty)
			}
		}
		switch t.Type {
		case token.DocumentHeaderType:
			if begun {
				return fail(t, "a second document: want one in a file")
			}
		case token.DocumentEndType:
			ended = true
		case token.TagType:
			return fail(t, "the tag %s is not understood: text is told from numbers by quotes", clip(t.Value))
		case token.DirectiveType:
			return fail(t, "directives such as %%YAML are not understood")
		case token.MergeKeyType:
			return fail(t, "the merge key << is not understood: write the keys out")
		case token.MappingKeyType:
			return fail(t, `keys after "?" are not understood: write key: value`)
		case token.AnchorType:
			if anchored {
				return fail(t, "a second anchor for one value")
			}
		case token.SequenceStartType, token.MappingStartType:
			open(0)
			inFlow++
		case token.SequenceEndType, token.MappingEndType:
			if inFlow > 0 {
				inFlow--
				for n := len(levels); n > 0; n-- {
					flow := levels[n-1].column == 0
					levels = levels[:n-1]
					if flow {
						break
					}
				}
			}
		case token.SequenceEntryType:
			if inFlow > 0 {
				return fail(t, `a "-" within brackets: write [a, b], or quote the sign`)
			}
			open(t.Position.Column)
		case token.MappingValueType:
			key := t // a colon without a key
			if last != nil {
				key = last
			}
			if len(key.Value) > maxKey {
				return fail(key, "a key of %d bytes: want at most %d", len(key.Value), maxKey)
			}
			if inFlow == 0 {
				open(key.Position.Column).key = len(key.Value)
			} else {
				levels[len(levels)-1].key = len(key.Value)
			}
		}
		if len(levels) > maxDepth {
			return fail(t, "more than %d maps and lists within each other", maxDepth)
		}
		if n := len(levels); n > 0 {
			if paths += levels[n-1].path + levels[n-1].key; paths > maxPaths {
				return fail(t, "too much text, nested too deep, under keys too long")
			}
		}
		if inFlow > 0 && tightColon(t) {
			// The parser underneath would read a map, YAML reads one word.
			return fail(t, "a colon within a word: put the word in quotes, or a space after the colon")
		}
		// An anchor is two tokens: the sign and its name.
		anchored = t.Type == token.AnchorType || last != nil && last.Type == token.AnchorType
		begun, last = true, t
	}
	return nil
}

// tightColon reports whether a colon follows a plain word and has one right
// behind it, as in [a:b].
func tightColon(t *token.Token) bool {
	if t.Type != token.MappingValueType || t.Next == nil || t.Prev == nil {
		return false
	}
	switch t.Prev.Type {
	case token.SingleQuoteType, token.DoubleQuoteType:
		return false
	}
	switch t.Next.Type {
	case token.CollectEntryType, token.SequenceStartType, token.SequenceEndType, token.MappingStartType, token.MappingEndType:
		return false
	}
	return t.Next.Position.Line == t.Position.Line && t.Next.Position.Column == t.Position.Column+1
}

// isEmpty reports whether the next token leaves a key or item without a value;
// column is where the entries of its block stand, or 0 within brackets.
func isEmpty(last, next *token.Token, column int) bool {
	switch next.Type {
	case token.CollectEntryType, token.MappingEndType, token.SequenceEndType:
		return last.Type == token.MappingValueType
	}
	switch last.Type {
	case token.MappingValueType:
		if next.Type == token.SequenceEntryType {
			return false // a list may stand as far left as its key
		}
	case token.SequenceEntryType:
	default:
		return false
	}
	return next.Position.Line > last.Position.Line && next.Position.Column <= column
}
