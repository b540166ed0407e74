package report

import (
	"os"
	"path/filepath"
	"testing"
)

// A message shows the file that it begins with, or the first one of a folder that a
// compiler names.
func TestGithubAnnotation(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"p/problem.yaml", "p/validator/a.cpp", "p/1.in"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ fact, text, want string }{
		{"a file", "p/1.in: is rejected", "file=p/1.in,title=t::p/1.in: is rejected"},
		{"a line", "p/problem.yaml:3: unknown key", "file=p/problem.yaml,line=3,title=t::p/problem.yaml:3: unknown key"},
		{"a line and a column", "p/problem.yaml:3:5: unknown key", "file=p/problem.yaml,line=3,col=5,title=t::p/problem.yaml:3:5: unknown key"},
		{"a compiler", "p/validator: does not compile:\n./a.cpp:7:1: error: no", "file=p/validator/a.cpp,line=7,col=1,title=t::p/validator: does not compile:%0A./a.cpp:7:1: error: no"},
		{"a file that is missing", "p/2.in: is missing", "title=t::p/2.in: is missing"},
		{"a file elsewhere", "/etc/passwd: is no package", "title=t::/etc/passwd: is no package"},
		{"a path that climbs", "p/validator: does not compile:\n../../../etc/passwd:1:1: error", "title=t::p/validator: does not compile:%0A../../../etc/passwd:1:1: error"},
		{"no file", "it failed", "title=t::it failed"},
		{"escapes", "\x1b[2J%\r", `title=t::\x1b[2J%25\r`},
	} {
		if got := GithubAnnotation("error", "t", c.text); got != "::error "+c.want+"\n" {
			t.Errorf("%s:\n got %swant ::error %s", c.fact, got, c.want)
		}
	}
}
