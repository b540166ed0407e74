package lab

import (
	"runtime/debug"
	"testing"
)

func TestInstalled(t *testing.T) {
	for _, c := range []struct{ fact, module, version, sum, want string }{
		{"fetched from a module proxy", "example.org/crucible", "v1.2.3", "h1:x=", "example.org/crucible/judge/cmd/judge@v1.2.3 example.org/crucible/judge/cmd/judgelab@v1.2.3"},
		{"built in its own folder", "example.org/crucible", "(devel)", "", ""},
		{"a path that cannot be fetched", "crucible", "v1.2.3", "h1:x=", ""},
	} {
		info := &debug.BuildInfo{Path: c.module + "/judge/cmd/judgelab", Main: debug.Module{Path: c.module, Version: c.version, Sum: c.sum}}
		if got := installed(info); got != c.want {
			t.Errorf("%s: %q, expected %q", c.fact, got, c.want)
		}
	}
}
