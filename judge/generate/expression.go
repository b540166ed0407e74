package generate

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Expression reads a regular expression of "match:". Those are written for
// Python, with MULTILINE and DOTALL; what Go's expressions cannot say, such as
// looking ahead and references back, is an error.
func Expression(text string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString("(?ms)")
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		if text[i] != '\\' || i+1 == len(text) {
			continue
		}
		// The end of all: "\Z" there, "\z" here.
		if i++; text[i] == 'Z' {
			b.WriteByte('z')
			continue
		}
		b.WriteByte(text[i])
	}
	re, err := regexp.Compile(b.String())
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return nil, errors.New(wrong.Code.String() + ": " + clip(wrong.Expr))
	}
	return re, err
}
