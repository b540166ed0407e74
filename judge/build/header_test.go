package build

import (
	"bytes"
	"errors"
	"fmt"
	"os"
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
		if got := startsWithInclude([]byte(tt.source), "bits/stdc++.h"); got != tt.want {
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
	p, c, err := b.Build(t.Context(), Source{What: "a.cpp", Files: map[string][]byte{"a.cpp": []byte(text)}, Language: language.ByCode("cpp")}, Usual)
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

func TestPrecompiledHeader(t *testing.T) {
	b := boxBuilder(t)
	tc, err := b.Tools.Find(t.Context(), language.ByCode("cpp"))
	if err != nil || !strings.Contains(tc.Version, "g++") {
		t.Skip("not GCC:", tc.Version, err)
	}
	const source = "#include <bits/stdc++.h>\nusing namespace std;\nint main() { map<string, vector<int>> m; m[\"a\"].push_back(1); cout << m.size() << endl; }\n"
	without, _ := buildCpp(t, b, source)
	plain, err := os.ReadFile(filepath.Join(without.Dir, "bin", "program"))
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := filepath.Glob(filepath.Join(b.Cache, "headers", "*"))
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
	h, err := readPrecompiled(folder)
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
	attackHeader(t, b, gch)

	description := filepath.Join(folder, "header.json")
	old, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(old, fmt.Appendf(nil, `"size": %d`, h.Files[0].Size), []byte(`"size": 1`), 1)
	if err := os.WriteFile(description, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrecompiled(folder); err == nil {
		t.Error("a file of the library has changed, but the header is used")
	}
	if err := errors.Join(os.WriteFile(description, old, 0o644), os.Truncate(gch, 1000)); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrecompiled(folder); err == nil {
		t.Error("a damaged header is used")
	}
}

// attackHeader checks that no source can change a precompiled header through its
// compiler, and that programs do not see it.
func attackHeader(t *testing.T, b *Builder, gch string) {
	before, err := stateOf(gch)
	if err != nil {
		t.Fatal(err)
	}
	const include = "#include <bits/stdc++.h>\n"
	for _, text := range []string{
		include + "#pragma GCC optimize(\"dumpbase=" + gch + "\")\nint main() {}\n",
		include + "#pragma GCC pch_preprocess \"" + gch + "\"\nint main() {}\n",
		include + "asm(\".incbin \\\"" + gch + "\\\"\");\nint main() {}\n",
	} {
		buildCpp(t, b, text)
		if after, err := stateOf(gch); err != nil || after != before {
			t.Errorf("%s has changed the header: %v", text, err)
		}
	}
	p, _ := buildCpp(t, b, "#include <cstdio>\nint main() { return std::fopen(\""+gch+"\", \"r\") ? 1 : 0; }\n")
	o, err := b.Runner.Run(t.Context(), sandbox.Cmd{Args: p.Args, Dir: filepath.Join(p.Dir, "src"), Reads: p.Reads, Limits: sandbox.Limits{CPU: time.Second, Wall: 10 * time.Second, Output: 1 << 10, Processes: 8}})
	if err != nil || o.Exit != 0 {
		t.Errorf("%+v, %v; want a program that does not see the header", o, err)
	}
}

func TestOldHeadersAreRemoved(t *testing.T) {
	folder := t.TempDir()
	for i := range headersKept + 2 {
		dir := filepath.Join(folder, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+".wanted", nil, 0o644); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-time.Duration(i) * time.Hour)
		if err := os.Chtimes(dir, used, used); err != nil {
			t.Fatal(err)
		}
	}
	if err := pruneHeaders(folder); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	want := []string{filepath.Join(folder, "0"), filepath.Join(folder, "0.wanted"), filepath.Join(folder, "1"), filepath.Join(folder, "1.wanted")}
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}
