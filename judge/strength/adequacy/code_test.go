package adequacy

import (
	"errors"
	"strings"
	"testing"

	"crucible/judge/build"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// TestCode compares the code of a program with that of one with another text and the same
// meaning, which the compiler sees, and with that of one with another meaning.
func TestCode(t *testing.T) {
	if testing.Short() || testkit.Raced {
		t.Skip("runs compilers, which the race detector does not see into")
	}
	process := new(sandbox.Sandbox)
	t.Cleanup(func() { process.Close() })
	cache := testkit.Cache(t)
	b := &build.Builder{Runner: process, Cache: cache, Tools: build.Toolchains{Cache: cache}}
	for _, test := range []struct{ code, file, program, same, other string }{
		{"c", "a.c", "#include <stdio.h>\nint main(void) {\n\tint x;\n\tscanf(\"%d\", &x);\n\tprintf(\"%d\\n\", x * 2);\n}\n", "x + x", "x * 3"},
		{"cpp", "a.cpp", "#include <iostream>\nint main() {\n\tint x;\n\tstd::cin >> x;\n\tstd::cout << x * 2;\n}\n", "x + x\n", "x * 3"},
		{"go", "a.go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar x int\n\tfmt.Scan(&x)\n\tfmt.Println(x * 2)\n}\n", "x + x", "x * 3"},
		{"rust", "a.rs", "fn main() {\n    let mut s = String::new();\n    std::io::stdin().read_line(&mut s).unwrap();\n    let x: i64 = s.trim().parse().unwrap();\n    println!(\"{}\", x * 2);\n}\n", "x + x", "x * 3"},
		{"java", "Main.java", "class Main {\n\tpublic static void main(String[] args) {\n\t\tint x = args.length;\n\t\tSystem.out.println(x * 2);\n\t}\n}\n", "x /* twice */ * 2", "x * 3"},
		{"python3", "a.py", "x = int(input())\nprint(x * 2)\n", "x + x", "x * 3"},
	} {
		code := func(text string) (string, bool) {
			p, c, err := b.Build(t.Context(), build.Source{What: test.file, Files: map[string][]byte{test.file: []byte(text)}, Language: language.Builtin.ByCode(test.code)}, build.Usual)
			var unusable *build.UnusableError
			if errors.As(err, &unusable) {
				return "", false
			}
			if err != nil || p == nil {
				t.Fatal(test.code, c.Message, err)
			}
			hash, err := codeOf(p)
			if err != nil {
				t.Fatal(test.code, err)
			}
			return hash, true
		}
		first, usable := code(test.program)
		if !usable {
			t.Logf("%s is not usable here", test.code)
			continue
		}
		same, _ := code(strings.Replace(test.program, "x * 2", test.same, 1))
		other, _ := code(strings.Replace(test.program, "x * 2", test.other, 1))
		compiled := test.code != "python3"
		if (first != "") != compiled || first != same || compiled && first == other {
			t.Errorf("%s: code %.8s, with the same meaning %.8s, with another one %.8s", test.code, first, same, other)
		}
	}
}
