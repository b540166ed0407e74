package inputs

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// onlyMiddle reports whether a sequence of even length is a palindrome but for its middle.
func onlyMiddle(words []string) bool {
	n := len(words)
	if n == 0 || n%2 != 0 || words[n/2-1] == words[n/2] {
		return false
	}
	for i := range n/2 - 1 {
		if words[i] != words[n-1-i] {
			return false
		}
	}
	return true
}

// TestShrink makes inputs as small as possible where no range alone can be removed.
func TestShrink(t *testing.T) {
	list := func(input string) bool {
		words := strings.Fields(input)
		return len(words) > 0 && words[0] == strconv.Itoa(len(words)-1) && strings.Count(input, "\n") == 2 &&
			onlyMiddle(words[1:])
	}
	word := func(input string) bool {
		word, ok := strings.CutSuffix(input, "\n")
		return ok && onlyMiddle(strings.Split(word, ""))
	}
	long := strings.Repeat("abbcacba", 6)
	back := []byte(long)
	slices.Reverse(back)
	tests := []struct {
		name, input string
		accept      func(string) bool
		most        int
	}{
		{"letters", "acccacbaccca\n", word, 3},
		{"six letters", "acacca\n", word, 3},
		{"many letters", long + "xy" + string(back) + "\n", word, 3},
		{"numbers", "12\n1 3 3 3 1 3 2 1 3 3 3 1\n", list, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewMutator(1, nil)
			m.Add([]byte(tt.input), 0, 0)
			got := string(m.Shrink([]byte(tt.input), Shrinker{
				Accept: func(input []byte, _ string) bool { return tt.accept(string(input)) },
				Done:   func() bool { return false },
				Budget: time.Minute,
			}))
			if !tt.accept(got) || len(got) > tt.most {
				t.Errorf("got %q; expected at most %d bytes", got, tt.most)
			}
		})
	}
}
