package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/language"
)

// Linking returns the language as its programs are linked on this machine: with its flags of
// Static if its hello program builds and runs with them, otherwise without. why is the reason
// why it does not; "" if it does, or if the language is not meant to be linked statically. The
// hello program is linked once for each compiler and flags.
func (b *Builder) Linking(ctx context.Context, l *language.Language) (as *language.Language, why string, err error) {
	if len(l.Static) == 0 {
		return l, "", nil
	}
	if runtime.GOOS != "linux" || !l.LinksStatically() {
		return l.Dynamic(), "", nil
	}
	tc, err := b.Tools.Find(ctx, l)
	if err != nil {
		return nil, "", err
	}
	key := "static " + proofOf(l)
	defer b.lock(key).Unlock()
	if found, done := b.proven.Load(key); done {
		why = found.(string)
	} else {
		parts := slices.Concat([]string{key, tc.Version, l.Hello}, l.Compile, libraryTimes())
		why, err = b.Tools.remember(tc.Compiler, "static "+HashOf(parts...), func() (string, error) {
			hello := *l
			hello.Headers = nil // no header is worth precompiling for it
			err := b.runTestProgram(ctx, &hello)
			if refused, ok := errors.AsType[unproven](err); ok {
				return string(refused), nil
			}
			if err == nil {
				b.proven.Store(proofOf(l), nil)
			}
			return "", err
		})
		if err != nil {
			return nil, "", err
		}
		b.proven.Store(key, why)
	}
	if why != "" {
		return l.Dynamic(), why, nil
	}
	return l, "", nil
}

// unproven is why the hello program of a language does not build, or does not print hello.
type unproven string

func (e unproven) Error() string { return string(e) }

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
