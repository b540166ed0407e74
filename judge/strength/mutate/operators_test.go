package mutate

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
)

// TestExamples checks that each operator makes its two examples, and runs them: one
// is killed by its input, the other is not.
func TestExamples(t *testing.T) {
	names := make(map[string]bool)
	for _, op := range Operators {
		if op.Bug == "" || names[op.Name] || strings.Trim(op.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%q: the name must be unique and in small letters, and the bug must be named", op.Name)
		}
		names[op.Name] = true
		for _, killed := range []bool{true, false} {
			example, kind := op.Killed, "/killed"
			if !killed {
				example, kind = op.Equivalent, "/equivalent"
			}
			t.Run(op.Name+kind, func(t *testing.T) {
				t.Parallel() // some use all of their CPU time
				made(t, op.Name, example)
				if testkit.Raced {
					return // the race detector does not see into the programs
				}
				before, after := output(t, example, example.Before), output(t, example, example.After)
				if before == "" || (before != after) != killed {
					t.Errorf("input %q: the original prints %q, the mutant %q; expected different output: %v", example.Input, before, after, killed)
				}
			})
		}
	}
}

// made checks that the operator makes the mutant of an example.
func made(t *testing.T, operator string, e Example) {
	t.Helper()
	l := language.Builtin.ByCode(languageOf(e))
	all, err := Mutants(l, map[string][]byte{"main" + l.Ext(): []byte(e.Before)})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(all, func(m *Mutant) bool { return string(m.Source()) == e.After && m.Operator == operator }) {
		t.Errorf("not made: %q\nmade:\n%s", e.After, list(all))
	}
}

// python returns the interpreter itself, because the python3 of a version manager
// starts slowly; "" if there is none.
var python = sync.OnceValue(func() string {
	out, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out))
})

// output returns what a program prints, or the reason why it does not end well.
func output(t *testing.T, e Example, program string) string {
	t.Helper()
	dir := t.TempDir()
	command := []string{python(), "main.py"}
	name := "main.py"
	if languageOf(e) == "c" {
		name, command = "main.c", []string{filepath.Join(dir, "main")}
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if languageOf(e) == "c" {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("no gcc")
		}
		if out, err := exec.Command("gcc", "-w", "-fwrapv", "-o", command[0], filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	} else if python() == "" {
		t.Skip("no python3")
	}
	testkit.Needs(t, "sh")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// A limit on CPU time does not depend on what else runs on the machine.
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -t 1; exec "$@"`, "sh"}, command...)...)
	c.Dir, c.Stdin = dir, strings.NewReader(e.Input)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return out.String() + err.Error()
	}
	return out.String()
}

func TestNothingElseIsChanged(t *testing.T) {
	for _, test := range []struct{ name, code, text string }{
		{"comments, strings and preprocessor lines of C", "c", "#include <a.h>\n#define F(x) (x + 1)\n#define S \"1\"\n/* if (a < b) x = 0; */\n// a + 1\n#if 0\nint a = 1 + 1;\n#endif\nint main(void) { return 0; }\n"},
		{"imports of Java", "java", "import java.util.*;\npublic class A { /* 1 + 1 */ }\n"},
		{"strings and imports of Python", "python3", "import a.b\nfrom c import d\n\"\"\"x = 1 + 1\"\"\"\n# x = 1\n"},
		{"attributes and uses of Rust", "rust", "#![allow(dead_code)]\nuse std::cmp::{max, min};\n/// a < b\nfn main() {}\n"},
		{"regular expressions and templates of JavaScript", "javascript", "'use strict';\nconst r = /a-1/;\nconst s = `${1 + 1}`;\n"},
		{"code after the end of a function of C", "c", "int main(void) { return 0; int x = 1; x = x + 1; }\n"},
		{"a function of C++ that is not called", "cpp", "int f(int x) { if (x < 1) x = 1; return x + 1; }\nint main() {}\n"},
		{"a function of Go that is not called", "go", "package main\nfunc f(x int) int { return x + 1 }\nfunc main() {}\n"},
	} {
		l := language.Builtin.ByCode(test.code)
		all, err := Mutants(l, map[string][]byte{"A" + l.Ext(): []byte(test.text)})
		if err != nil || len(all) > 0 {
			t.Errorf("%s: error %v, mutants:\n%s", test.name, err, list(all))
		}
	}
}

func languageOf(e Example) string {
	if e.Language == "" {
		return "python3"
	}
	return e.Language
}
