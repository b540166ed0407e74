package api

import (
	"strings"
	"testing"
)

// A registration comes from another machine: its texts are bounded and can be shown.
func TestRegistrationCheck(t *testing.T) {
	many := make(map[string]Compiler)
	for i := range 501 {
		many[strings.Repeat("a", i)] = Compiler{}
	}
	for name, tt := range map[string]struct {
		r    Registration
		want string
	}{
		"usual":            {Registration{Name: "a", CPU: "AMD EPYC 9V74 80-Core Processor", Fingerprint: Fingerprint{Compilers: map[string]Compiler{"cpp": {"g++ (Debian 12.2.0) 12.2.0", "-O2 -x 'c++'"}}}}, ""},
		"a long text":      {Registration{CPU: strings.Repeat("x", 301)}, "a text of 301 bytes"},
		"an escape":        {Registration{Kernel: "6.1\x1b[2J"}, `"6.1\x1b[2J": expected printable text`},
		"a line break":     {Registration{Fingerprint: Fingerprint{Microcode: "1\n2"}}, "expected printable text"},
		"no UTF-8":         {Registration{Languages: []string{"\xff"}}, "expected printable text"},
		"a right-to-left":  {Registration{Fingerprint: Fingerprint{Compilers: map[string]Compiler{"cpp": {Version: "a\u202eb"}}}}, "expected printable text"},
		"too many entries": {Registration{Fingerprint: Fingerprint{Compilers: many}}, "501 compilers: expected at most 500"},
	} {
		err := tt.r.Check()
		if got := ""; err != nil {
			if got = err.Error(); tt.want == "" || !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s, expected %q", name, got, tt.want)
			}
		} else if tt.want != "" {
			t.Errorf("%s: no error, expected %q", name, tt.want)
		}
	}
}
