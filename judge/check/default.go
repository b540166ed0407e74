package check

import (
	"bytes"
	"fmt"
	"io"
)

// Check is a [Checker].
func (r Rules) Check(c Case) (Finding, error) {
	answer, err := io.ReadAll(c.Answer)
	if err != nil {
		return Finding{}, fmt.Errorf("answer: %w", err)
	}
	output, err := io.ReadAll(c.Output)
	if err != nil {
		return Finding{}, fmt.Errorf("output: %w", err)
	}
	want, got := bytes.FieldsFunc(answer, isSpace), bytes.FieldsFunc(output, isSpace)
	for i, w := range want {
		if i >= len(got) || !r.same(w, got[i]) {
			return Finding{Why: fmt.Sprintf("token %d: want %s", i+1, Clip(string(w)))}, nil
		}
	}
	if len(got) > len(want) {
		return Finding{Why: fmt.Sprintf("token %d: got %s after the last of the answer", len(want)+1, Clip(string(got[len(want)])))}, nil
	}
	return Finding{OK: true}, nil
}

func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func (r Rules) same(want, got []byte) bool {
	if r.floats() {
		if a, ok := parseDecimal(want); ok {
			s, ok := parseDecimal(got)
			return ok && r.near(s, a)
		}
	}
	if r.caseSensitive {
		return bytes.Equal(want, got)
	}
	return bytes.EqualFold(want, got) && len(want) == len(got)
}
