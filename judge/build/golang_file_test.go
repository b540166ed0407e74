package build

import (
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

func TestPlainGoFile(t *testing.T) {
	library := strings.Fields("embed fmt internal/abi os unsafe vendor/golang.org/x/net")
	for _, test := range []struct {
		fact, source string
		plain        bool
	}{
		{"packages of the library", "package main\nimport (\n\"fmt\"\n\"unsafe\"\n)\nfunc main() {}", true},
		{"no imports", "package main\nfunc main() {}", true},
		{"a build constraint does not exclude a file that is named", "//go:build ignore\n\npackage main\n", true},
		{"another package clause", "package x\n", false},
		{"C", "package main\nimport \"C\"\n", false},
		{"embedded files", "package main\nimport _ \"embed\"\n", false},
		{"an internal package", "package main\nimport \"internal/abi\"\n", false},
		{"a package that the library contains", "package main\nimport \"vendor/golang.org/x/net\"\n", false},
		{"an unknown package", "package main\nimport \"example.com/x\"\n", false},
		{"a package below", "package main\nimport \"./x\"\n", false},
		{"a directive for GODEBUG", "//go:debug panicnil=1\npackage main\n", false},
		{"a syntax error", "package main\nimport \"fmt\n", false},
	} {
		if got := plainGoFile([]byte(test.source), library); got != test.plain {
			t.Errorf("%s: plainGoFile = %v, expected %v", test.fact, got, test.plain)
		}
	}
}

// A program of one file is compiled without go build. It must behave as one that go
// build has compiled, also in its traces.
func TestGoFileIsCompiledAsByGoBuild(t *testing.T) {
	w := new(testkit.Witness)
	t.Cleanup(func() { w.Close() })
	cache := t.TempDir()
	b := &Builder{Runner: w, Cache: cache, Tools: Toolchains{Cache: cache}}
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"out\")\n\tpanic(\"why\")\n}\n"
	var traces []string
	for _, files := range []map[string][]byte{
		{"main.go": []byte(source)},
		{"main.go": []byte(source), "other.go": []byte("package main\n")},
	} {
		p, c, err := b.Build(t.Context(), Source{Language: language.Builtin.ByCode("go"), Files: files, What: "x"}, Usual)
		if err != nil || c.Exit != 0 {
			t.Fatal(c, err)
		}
		compiled := strings.Join(w.Last(t, "build go.mod").Args, " ")
		if byBuild := strings.Contains(compiled, " build "); byBuild != (len(files) > 1) {
			t.Errorf("%d files: the last command was %s", len(files), compiled)
		}
		var out, trace strings.Builder
		o, err := w.Run(t.Context(), sandbox.Cmd{Args: p.Args, Reads: []string{p.Dir}, Stdout: &out, Stderr: &trace})
		if err != nil || o.Exit != 2 || out.String() != "out\n" {
			t.Fatalf("%+v, %v, %q", o, err, out.String())
		}
		traces = append(traces, trace.String())
	}
	if !strings.Contains(traces[0], "./main.go:7") {
		t.Errorf("the trace does not have the file of the source:\n%s", traces[0])
	}
	strip := func(s string) string { return s[:strings.LastIndex(s, " ")] } // the offset in main
	if strip(traces[0]) != strip(traces[1]) {
		t.Errorf("one file:\n%s\nbuilt by go build:\n%s", traces[0], traces[1])
	}
}

// Only go build writes the messages of a rejected source.
func TestRejectedGoFileHasTheMessageOfGoBuild(t *testing.T) {
	b, _ := newBuilder(t, t.TempDir())
	for source, message := range map[string]string{
		"package main\n\nfunc main() { x }\n":                           "# command-line-arguments\n./main.go:3:15: undefined: x",
		"package main\n\nimport _ \"internal/abi\"\n\nfunc main() {}\n": "use of internal package internal/abi not allowed",
		"package main\n": "function main is undeclared in the main package",
		"package main\n\nfunc f()\n\nfunc main() { f() }\n": "missing function body",
	} {
		_, c, err := b.Build(t.Context(), Source{Language: language.Builtin.ByCode("go"), Files: map[string][]byte{"main.go": []byte(source)}, What: "x"}, Usual)
		if err != nil || c.Exit == 0 || !strings.Contains(c.Message, message) {
			t.Errorf("%q: %+v, %v; expected a message with %q", source, c, err, message)
		}
	}
}
