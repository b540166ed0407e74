package build

import (
	"os"
	"path/filepath"
	"strings"

	"crucible/judge/internal/lazy"
)

// libraryTimes returns the times at which folders of libraries changed: what a linker finds
// there may have changed, too.
func libraryTimes() (times []string) {
	for _, pattern := range []string{"/usr/lib", "/usr/lib64", "/usr/lib/*-linux-*", "/usr/lib/gcc/*/*",
		"/usr/local/lib"} {
		found, _ := filepath.Glob(pattern)
		for _, name := range found {
			if info, err := os.Stat(name); err == nil {
				times = append(times, name, info.ModTime().String())
			}
		}
	}
	return times
}

// staticWarning matches the warnings of GNU ld about functions of glibc for which a static program
// needs shared libraries when it runs: names of hosts and users, and dlopen.
var staticWarning = lazy.Regexp(
	`(?m)^(?:.*: in function .*:\n)?.*: warning: Using '\w+' in statically linked applications requires .*\n?`)

// withoutStaticWarnings returns a compiler's message without these warnings. Programs
// of a box have neither a network nor users to look up.
func withoutStaticWarnings(message string) string {
	if !strings.Contains(message, "in statically linked applications") {
		return message
	}
	return staticWarning().ReplaceAllString(message, "")
}
