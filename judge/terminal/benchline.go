package terminal

import (
	"math"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
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
	Counter        = "counter"         // what counted instructions, if they were the clock
	Ended          = "ended"           // "interrupted" if runs may be missing
)

// BenchConfig returns a configuration line without its line break. Readers forget a
// key whose value is empty.
func BenchConfig(key, value string) string { return key + ": " + Clean(value) }

// A BenchName names what a benchmark line measures. Its String is a part of the name of
// the line:
//
//	problem=poj3074/sol=accepted:dlx.go/case=secret:03
//
// benchstat can group by its elements (-row /sol -col /case). A slash in a name is
// written ":", and a character that the format forbids is escaped as in Go. A name
// that seems to end in a number of processors, such as big-10, gets a colon at its
// end. [ParseBenchName] reverses all of this.
type BenchName struct {
	Problem    string
	Submission string
	Case       string  // "" for the submission on all cases
	Size       float64 // n, of inputs that grow; 0 otherwise
}

// String returns the name as elements "key=value" with slashes between them.
func (n BenchName) String() string {
	s := "problem=" + benchElement(n.Problem) + "/sol=" + benchElement(n.Submission)
	if n.Case != "" {
		s += "/case=" + benchElement(n.Case)
	}
	if n.Size != 0 {
		s += "/n=" + strconv.FormatFloat(n.Size, 'f', -1, 64)
	}
	return s
}

// ParseBenchName returns what a benchmark line measures, from the name of the line:
// Benchmark/problem=sum/sol=accepted:a.go/case=1-8. It reports false if the name has
// no problem= or no sol=.
func ParseBenchName(line string) (n BenchName, ok bool) {
	line, _ = cutProcessors(line)
	var has [2]bool
	for part := range strings.SplitSeq(line, "/") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "problem":
			n.Problem, has[0] = cleanBenchName(value), true
		case "sol":
			n.Submission, has[1] = cleanBenchName(value), true
		case "case":
			n.Case = cleanBenchName(value)
		case "n":
			size, err := strconv.ParseFloat(value, 64)
			if err == nil && size > 0 && !math.IsInf(size, 0) {
				n.Size = size
			}
		}
	}
	return n, has[0] && has[1]
}

// cutProcessors removes a number of processors from the end of a name: "-8".
func cutProcessors(s string) (string, bool) {
	short := strings.TrimRight(s, "0123456789")
	if len(short) < len(s) && strings.HasSuffix(short, "-") {
		return short[:len(short)-1], true
	}
	return s, false
}

// forbidden escapes the characters that an benchElement of a name cannot contain and that
// terminal.Clean keeps.
var forbidden = strings.NewReplacer(":", `\x3a`, `\`, `\x5c`, " ", `\x20`)

// benchElement formats a name as one benchElement of the name of a benchmark.
func benchElement(s string) string {
	s = Clean(forbidden.Replace(s))
	if before, ok := strings.CutSuffix(s, "/"); ok {
		s = before + `\x2f`
	}
	s = strings.ReplaceAll(s, "/", ":")
	if _, ambiguous := cutProcessors(s); ambiguous {
		s += ":"
	}
	return s
}

// escaped matches the escapes of an benchElement.
var escaped = lazy.Regexp(`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[abfnrtv\\])`)

// name is the reverse of benchElement.
func cleanBenchName(s string) string {
	s = strings.ReplaceAll(strings.TrimSuffix(s, ":"), ":", "/")
	return escaped().ReplaceAllStringFunc(s, func(e string) string {
		text, err := strconv.Unquote(`"` + e + `"`)
		if err != nil {
			return e // a number that is no character
		}
		return text
	})
}
