package build

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

func TestStartsWithInclude(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   bool
	}{
		{"#include <bits/stdc++.h>\nint main() {}\n", true},
		{"\n\t # include<bits/stdc++.h>\n", true},
		{"// a\n/* b * / **/ #include <bits/stdc++.h>\n", true},
		{"\r\n// a\r\n#include <bits/stdc++.h>\r\n", true},
		{"#include <iostream>\n#include <bits/stdc++.h>\n", false},
		{"#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>\n", false},
		{"#define int long long\n#include <bits/stdc++.h>\n", false},
		{"#include \"bits/stdc++.h\"\n", false},
		{"// a \\\n#include <bits/stdc++.h>\n", false},
		{"/* #include <bits/stdc++.h>\n", false},
		{"#include <bits/stdc++.hpp>\n", false},
		{"", false},
	} {
		if got := firstInclude([]byte(tt.source)) == "bits/stdc++.h"; got != tt.want {
			t.Errorf("%q: %v, want %v", tt.source, got, tt.want)
		}
	}
}

func TestMadeFrom(t *testing.T) {
	got := madeFrom("out/stdc++.h.gch: header.h /usr/include/a.h \\\n /opt/a\\ b/c.h\n")
	if want := []string{"header.h", "/usr/include/a.h", "/opt/a b/c.h"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// boxBuilder returns a builder with an empty cache whose compilers run in a box.
func boxBuilder(t *testing.T) *Builder {
	testkit.NeedsBox(t)
	testkit.Needs(t, "g++")
	if testing.Short() || testkit.Raced {
		t.Skip("runs compilers, which the race detector does not see into")
	}
	process := new(sandbox.Sandbox)
	t.Cleanup(func() { process.Close() })
	cache := t.TempDir()
	return &Builder{Runner: process, Cache: cache, Tools: Toolchains{Cache: cache}}
}

func buildCpp(t *testing.T, b *Builder, text string) (*Program, Compile) {
	t.Helper()
	p, c, err := b.Build(t.Context(), Source{What: "a.cpp", Files: map[string][]byte{"a.cpp": []byte(text)}, Language: language.Builtin.ByCode("cpp")}, Usual)
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

func TestPrecompiledHeader(t *testing.T) {
	testkit.InMatrix(t)
	b := boxBuilder(t)
	tc, err := b.Tools.Find(t.Context(), language.Builtin.ByCode("cpp"))
	if err != nil || !strings.Contains(tc.Version, "g++") {
		t.Skip("not GCC:", tc.Version, err)
	}
	const source = "#include <bits/stdc++.h>\nusing namespace std;\nint main() { map<string, vector<int>> m; m[\"a\"].push_back(1); cout << m.size() << endl; }\n"
	without, _ := buildCpp(t, b, source)
	plain, err := os.ReadFile(filepath.Join(without.Dir, "bin", "program"))
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := filepath.Glob(filepath.Join(b.Cache, "headers", "stdc++.h", "*"))
	if err != nil || len(wanted) != 1 || filepath.Ext(wanted[0]) != ".wanted" {
		t.Fatalf("the first source left %q, %v; want its request alone", wanted, err)
	}
	if err := os.WriteFile(wanted[0], bytes.Repeat([]byte("."), wantedBefore), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := osfile.RemoveAll(without.Dir); err != nil {
		t.Fatal(err)
	}
	with, c := buildCpp(t, b, source)
	if c.Cached {
		t.Fatal("the program was not built again")
	}
	folder := strings.TrimSuffix(wanted[0], ".wanted")
	h, err := readPrepared(folder)
	if err != nil || h.Unusable != "" || len(h.Files) < 100 {
		t.Fatalf("%+v, %v; want a usable header made from the files of the library", h, err)
	}
	if text, err := os.ReadFile(filepath.Join(with.Dir, "bin", "program")); err != nil || !bytes.Equal(text, plain) {
		t.Errorf("the program differs from that without the header: %d and %d bytes, %v", len(text), len(plain), err)
	}

	if p, c := buildCpp(t, b, "#include <bits/stdc++.h>\nint main() { return undeclared; }\n"); p != nil || c.Exit != 1 || !strings.Contains(c.Message, "a.cpp:2") || strings.Contains(c.Message, "headers") {
		t.Errorf("a wrong source: %+v; want a message that does not name the header", c)
	}
	gch := filepath.Join(folder, "bits", "stdc++.h.gch")

	description := filepath.Join(folder, preparedFile)
	old, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(old, fmt.Appendf(nil, `"size": %d`, h.Files[0].Size), []byte(`"size": 1`), 1)
	if err := os.WriteFile(description, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrepared(folder); err == nil {
		t.Error("a file of the library has changed, but the header is used")
	}
	if err := errors.Join(os.WriteFile(description, old, 0o644), os.Truncate(gch, 1000)); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrepared(folder); err == nil {
		t.Error("a damaged header is used")
	}
}

// TestHeadersChangeNoProgram compiles with and without the precompiled headers that
// TestPrecompiledHeader does not use.
func TestHeadersChangeNoProgram(t *testing.T) {
	testkit.InMatrix(t)
	plain, eager := boxBuilder(t), boxBuilder(t)
	eager.Eager = true
	const rest = "#include <vector>\n#include <map>\n#include <algorithm>\nint main() { std::map<std::string, std::vector<int>> m; m[\"a\"].push_back(1); std::cout << m.size() << std::endl; }\n"
	for _, header := range language.Builtin.ByCode("cpp").Headers[1:] {
		source := "#include <" + header + ">\n" + rest
		without, _ := buildCpp(t, plain, source)
		with, _ := buildCpp(t, eager, source)
		if made, err := filepath.Glob(filepath.Join(eager.Cache, "headers", path.Base(header), "*", filepath.FromSlash(header)+".gch")); err != nil || len(made) != 1 {
			t.Errorf("%s: %q, %v; want one precompiled header", header, made, err)
		}
		if got, want := programOf(t, with), programOf(t, without); !bytes.Equal(got, want) {
			t.Errorf("%s: the program differs from that without the header: %d and %d bytes", header, len(got), len(want))
		}
	}
}

// TestHeaderOfSubmissions compiles a submission with a precompiled header, and one for
// which the user's flags undefine what the judge defines.
func TestHeaderOfSubmissions(t *testing.T) {
	b := boxBuilder(t)
	b.Eager = true
	undefined := *language.Builtin.ByCode("cpp")
	undefined.Flags = append(slices.Clone(undefined.Flags), "-UONLINE_JUDGE")
	for i, tt := range []struct {
		l       *language.Language
		because string
	}{
		{language.Builtin.ByCode("cpp"), "#ifndef ONLINE_JUDGE\n#error not defined\n#endif\n"},
		{&undefined, "#ifdef ONLINE_JUDGE\n#error defined\n#endif\n"},
	} {
		source := "#include <iostream>\n" + tt.because + "int main() {}\n"
		p, c, err := b.Build(t.Context(), Source{What: "a.cpp", Files: map[string][]byte{"a.cpp": []byte(source)}, Language: tt.l, Submission: true}, Usual)
		if err != nil || p == nil || c.Message != "" {
			t.Errorf("%q: %+v, %v; want it built without a message", tt.l.Flags, c, err)
		}
		if made, err := filepath.Glob(filepath.Join(b.Cache, "headers", "iostream", "*", "iostream.gch")); err != nil || len(made) != i+1 {
			t.Errorf("%q: headers %q, %v; want %d", tt.l.Flags, made, err, i+1)
		}
	}
}

func programOf(t *testing.T, p *Program) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Dir, "bin", "program"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHeaderIsAttacked checks that no source can change a precompiled header through its
// compiler or see other files of the cache, and that programs do not see the header. The
// header is a small one, which takes little time.
func TestHeaderIsAttacked(t *testing.T) {
	testkit.InMatrix(t)
	b := boxBuilder(t)
	b.Eager = true
	cpp := *language.Builtin.ByCode("cpp")
	cpp.Headers = []string{"cstddef"}
	compile := func(text string) (*Program, Compile) {
		t.Helper()
		p, c, err := b.Build(t.Context(), Source{What: "a.cpp", Files: map[string][]byte{"a.cpp": []byte(text)}, Language: &cpp}, Usual)
		if err != nil {
			t.Fatal(err)
		}
		return p, c
	}
	const include, main = "#include <cstddef>\n", "\nint main() {}\n"
	other, _ := compile(include + "int hidden;" + main) // the source of another submission
	made, err := filepath.Glob(filepath.Join(b.Cache, "headers", "cstddef", "*", "cstddef.gch"))
	if err != nil || len(made) != 1 {
		t.Fatalf("%q, %v; want one header", made, err)
	}
	gch := made[0]
	before, err := contentOf(gch)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(gch)
	hidden := filepath.Join(filepath.Dir(folder), "other", "hidden.h") // another header
	if err := errors.Join(os.Mkdir(filepath.Dir(hidden), 0o755), os.WriteFile(hidden, []byte("int hidden;\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{hidden, filepath.Join(other.Dir, "src", "a.cpp"), filepath.Join(b.Cache, "toolchains.json"), "../other/hidden.h", folder + "/../other/hidden.h"} {
		for _, text := range []string{
			"#include \"" + name + "\"\nint main() { return hidden; }\n",
			"#include <" + name + ">\nint main() { return hidden; }\n",
			"#if !__has_include(\"" + name + "\") && !__has_include(<" + name + ">)\n#error not there\n#endif" + main,
			"const char text[] = {\n#embed \"" + name + "\"\n};" + main,
			"asm(\".incbin \\\"" + name + "\\\"\");" + main,
			"asm(\".include \\\"" + name + "\\\"\");" + main,
			"#pragma GCC dependency \"" + name + "\"" + main,
			"#pragma GCC pch_preprocess \"" + name + "\"" + main,
		} {
			if p, c := compile(include + text); p != nil {
				t.Errorf("%s compiles (%s); want a compiler that does not see %s", text, c.Message, name)
			}
		}
	}
	for _, text := range []string{
		"#pragma GCC optimize(\"dumpbase=" + gch + "\")",
		"#pragma GCC optimize(\"fplugin=" + gch + "\")",
		"#pragma GCC optimize(\"-o" + gch + "\")",
		"__attribute__((optimize(\"fdump-tree-all=" + gch + "\"))) void f() {}",
		"#pragma GCC pch_preprocess \"" + gch + "\"",
		"asm(\".incbin \\\"" + gch + "\\\"\");",
		"#include <cstddef.gch>",
		"asm(\".section x; .file \\\"" + gch + "\\\"\");",
	} {
		compile(include + text + main)
		if after, err := contentOf(gch); err != nil || after != before {
			t.Errorf("%s has changed the header: %v", text, err)
		}
	}
	p, _ := compile("#include <cstdio>\nint main() { return std::fopen(\"" + gch + "\", \"r\") ? 1 : 0; }\n")
	o, err := b.Runner.Run(t.Context(), sandbox.Cmd{Args: p.Args, Dir: filepath.Join(p.Dir, "src"), Reads: p.Reads, Limits: sandbox.Limits{CPU: time.Second, Wall: 10 * time.Second, Output: 1 << 10, Processes: 8}})
	if err != nil || o.Exit != 0 {
		t.Errorf("%+v, %v; want a program that does not see the header", o, err)
	}
}

// contentOf returns the state of a file and a hash of its content.
func contentOf(name string) (string, error) {
	state, err := stateOf(name)
	data, readErr := os.ReadFile(name)
	return fmt.Sprint(state, HashOf(string(data))), errors.Join(err, readErr)
}
