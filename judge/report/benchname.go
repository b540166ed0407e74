package report

import (
	"crucible/judge/terminal"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A BenchName is what a benchmark line is about. Its String is the part of the
// line's name that says so:
//
//	problem=poj3074/sol=accepted:dlx.go/case=secret:03
//
// which benchstat can group by (-row /sol -col /case). A slash in a name is
// written ":", and whatever else could not stand there as Go would escape it. A
// name that ends as if in a number of processors, big-10, gets a colon at its
// end. So [ParseBenchName] gives the names back.
type BenchName struct {
	Problem, Submission, Case string
	Size                      float64 // n, of inputs that grow; 0 otherwise
}

func (n BenchName) String() string {
	s := "problem=" + element(n.Problem) + "/sol=" + element(n.Submission)
	if n.Case != "" {
		s += "/case=" + element(n.Case)
	}
	if n.Size != 0 {
		s += "/n=" + strconv.FormatFloat(n.Size, 'f', -1, 64)
	}
	return s
}

// ParseBenchName finds in the name of a benchmark line, such as
// Benchmark/problem=sum/sol=accepted:a.go/case=1-8, what it is about. The
// result is false if it has no problem= or no sol=.
func ParseBenchName(line string) (n BenchName, ok bool) {
	line, _ = cutProcessors(line)
	var has [2]bool
	for part := range strings.SplitSeq(line, "/") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "problem":
			n.Problem, has[0] = name(value), true
		case "sol":
			n.Submission, has[1] = name(value), true
		case "case":
			n.Case = name(value)
		case "n":
			size, err := strconv.ParseFloat(value, 64)
			if err == nil && size > 0 && !math.IsInf(size, 0) {
				n.Size = size
			}
		}
	}
	return n, has[0] && has[1]
}

// cutProcessors cuts off "-8".
func cutProcessors(s string) (string, bool) {
	short := strings.TrimRight(s, "0123456789")
	if len(short) < len(s) && strings.HasSuffix(short, "-") {
		return short[:len(short)-1], true
	}
	return s, false
}

// element writes a name as one element of a benchmark's name.
func element(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		switch {
		case s[0] == '/' && len(s) > 1:
			b.WriteByte(':')
		case strings.IndexByte(`/:\ `, s[0]) >= 0:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		default:
			b.WriteString(terminal.Clean(s[:size]))
		}
		s = s[size:]
	}
	if _, ambiguous := cutProcessors(b.String()); ambiguous {
		b.WriteByte(':')
	}
	return b.String()
}

// name is the reverse of element.
func name(s string) string {
	s = strings.ReplaceAll(strings.TrimSuffix(s, ":"), ":", "/")
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' {
			end := strings.IndexByte(s, '\\')
			if end < 0 {
				end = len(s)
			}
			b.WriteString(s[:end])
			s = s[end:]
			continue
		}
		r, wide, rest, err := strconv.UnquoteChar(s, 0)
		switch {
		case err != nil:
			b.WriteByte('\\')
			s = s[1:]
			continue
		case wide || r < utf8.RuneSelf:
			b.WriteRune(r)
		default:
			b.WriteByte(byte(r))
		}
		s = rest
	}
	return b.String()
}
