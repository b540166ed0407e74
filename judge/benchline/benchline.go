// Package benchline has the names and the configuration lines of Go benchmarks
// that measure submissions, for those that write or read benchmark lines.
package benchline

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"crucible/judge/terminal"
)

// Keys of configuration lines. OS, Arch and CPU are those that go test writes.
const (
	OS             = "goos"
	Arch           = "goarch"
	CPU            = "cpu"
	Cores          = "cores"           // number of logical processors
	Kernel         = "kernel"          // release of the kernel
	Protection     = "protection"      // how programs are confined: a sandbox level
	Pinned         = "pinned"          // whether each program has a core of its own
	FixedAddresses = "fixed-addresses" // whether programs have the same addresses on every run
	Ended          = "ended"           // "interrupted" if runs may be missing
)

// Config returns a configuration line without its line break. Readers forget a
// key whose value is empty.
func Config(key, value string) string { return key + ": " + terminal.Clean(value) }

// A Name says what a benchmark line measures. Its String is the part of the line's
// name that says so:
//
//	problem=poj3074/sol=accepted:dlx.go/case=secret:03
//
// which benchstat can group by (-row /sol -col /case). A slash in a name is
// written ":", and a character that cannot stand there is escaped as in Go. A name
// that seems to end in a number of processors, such as big-10, gets a colon at its
// end. [ParseName] reverses all of this.
type Name struct {
	Problem    string
	Submission string
	Case       string  // "" for the submission on all cases
	Size       float64 // n, of inputs that grow; 0 otherwise
}

// String returns the name as elements "key=value" with slashes between them.

func (n Name) String() string {
	s := "problem=" + element(n.Problem) + "/sol=" + element(n.Submission)
	if n.Case != "" {
		s += "/case=" + element(n.Case)
	}
	if n.Size != 0 {
		s += "/n=" + strconv.FormatFloat(n.Size, 'f', -1, 64)
	}
	return s
}

// ParseName finds in the name of a benchmark line, such as
// Benchmark/problem=sum/sol=accepted:a.go/case=1-8, what the line measures. It
// reports false if the name has no problem= or no sol=.
func ParseName(line string) (n Name, ok bool) {
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
