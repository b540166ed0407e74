package terminal

import (
	"strings"
	"testing"
)

func TestBenchNames(t *testing.T) {
	tests := []struct {
		name string
		of   BenchName
		want string // on the line
	}{
		{"slashes are colons", BenchName{Problem: "sum", Submission: "accepted/a.go", Case: "secret/1/02"}, "problem=sum/sol=accepted:a.go/case=secret:1:02"},
		{"a size", BenchName{Problem: "sum", Submission: "a", Case: "c", Size: 1048576}, "problem=sum/sol=a/case=c/n=1048576"},
		{"a size that is not whole", BenchName{Problem: "sum", Submission: "a", Case: "c", Size: 0.5}, "problem=sum/sol=a/case=c/n=0.5"},
		{"what looks like processors is no such number", BenchName{Problem: "sum", Submission: "a", Case: "big-10"}, "problem=sum/sol=a/case=big-10:"},
		{"spaces", BenchName{Problem: "sum", Submission: "a b", Case: "c"}, `problem=sum/sol=a\x20b/case=c`},
		{"colons stay apart from slashes", BenchName{Problem: "sum", Submission: "a:b", Case: "a/b"}, `problem=sum/sol=a\x3ab/case=a:b`},
		{"signs of equality", BenchName{Problem: "sum", Submission: "a=b", Case: "c"}, "problem=sum/sol=a=b/case=c"},
		{"backslashes", BenchName{Problem: "sum", Submission: `a\x3a\`, Case: "c"}, `problem=sum/sol=a\x5cx3a\x5c/case=c`},
		{"whole submissions", BenchName{Problem: "sum", Submission: "a"}, "problem=sum/sol=a"},
		{"hostile names", BenchName{Problem: "sum", Submission: "\x1b[2J\x1b]0;owned\x07 | `x` ``` </system-out>]]>\r\n# <img src=x> [a](javascript:b) \u202e\xff\x00", Case: "\n\x00\xff\u2028é/"}, ""},
		{"slashes at an end", BenchName{Problem: "/sum/", Submission: "a-1/", Case: "/"}, `problem=:sum\x2f/sol=a-1\x2f/case=\x2f`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := tt.of.String()
			if tt.want != "" && line != tt.want {
				t.Errorf("%+v is written %s, expected %s", tt.of, line, tt.want)
			}
			if fields := strings.Fields(line); len(fields) != 1 || Clean(line) != line {
				t.Errorf("%+v is written %q: expected one word, and nothing hostile", tt.of, line)
			}
			for _, suffix := range []string{"", "-8"} { // go test adds the number of processors
				if got, ok := ParseBenchName("Judge/" + line + suffix); !ok || got != tt.of {
					t.Errorf("ParseName of %s%s = %+v, %v, expected %+v", line, suffix, got, ok, tt.of)
				}
			}
		})
	}
	for _, other := range []string{"", "Sort", "Sort/n=5-8", "Judge/problem=sum", "Judge/sol=a/case=c"} {
		if got, ok := ParseBenchName(other); ok {
			t.Errorf("ParseName(%q) = %+v, expected none", other, got)
		}
	}
}
