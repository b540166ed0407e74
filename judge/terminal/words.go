package terminal

import (
	"errors"
	"strings"
)

// Texts returns the results of f for all elements, in order.
func Texts[T any](all []T, f func(T) string) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = f(one)
	}
	return texts
}

// SplitWords splits text into words as a POSIX shell does, at spaces outside quotes,
// without expansions. If escapes is set, a backslash escapes the next character; in
// double quotes it only escapes them and itself.
func SplitWords(s string, escapes bool) ([]string, error) {
	var words []string
	var word []byte // nil between words
	var quote byte  // that is open, or 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == 0 && strings.IndexByte(" \t\n\r", c) >= 0:
			if word != nil {
				words, word = append(words, string(word)), nil
			}
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote, word = c, append([]byte{}, word...) // not nil
			continue
		case quote != 0 && c == quote:
			quote = 0
			continue
		case !escapes || c != '\\':
		case quote == 0 && i+1 == len(s):
			return nil, errors.New("ends with a backslash")
		case quote == 0 || quote == '"' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			c = s[i]
		}
		word = append(word, c)
	}
	if quote != 0 {
		return nil, errors.New("has a quote that is not closed")
	}
	if word != nil {
		words = append(words, string(word))
	}
	return words, nil
}

// Capital returns a text with a capital letter at the start, if that is a letter of ASCII.
func Capital(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }
