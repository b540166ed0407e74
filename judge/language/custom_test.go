package language

import (
	"slices"
	"strings"
	"testing"
)

func TestCustomize(t *testing.T) {
	text := "cpp: {flags: -O3, extensions: [.cc, .cpp]}\nzig:\n  extensions: .zig\n  compiler: [zig, zig2]\n  version: version\n  compile: '{compiler} build-exe {files}'\n  run: '{bin}'\n  hello: x\n"
	table, err := Builtin.Customize("languages.yaml", []byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	cpp, zig := table.ByCode("cpp"), table.ByCode("zig")
	if !slices.Equal(cpp.Flags, []string{"-O3"}) || !slices.Equal(cpp.Exts, []string{".cc", ".cpp"}) || cpp.Name != "C++" {
		t.Errorf("cpp is %+v", cpp)
	}
	if got := cpp.ForSubmissions().Flags; !slices.Equal(got, []string{"-DONLINE_JUDGE", "-O3"}) || len(cpp.Flags) != 1 {
		t.Errorf("submissions in C++ are compiled with %q", got)
	}
	if zig == nil || zig.Name != "zig" || !slices.Equal(zig.Compile, []string{"{compiler}", "build-exe", "{files}"}) || !slices.Equal(zig.Compilers, []string{"zig", "zig2"}) {
		t.Errorf("zig is %+v", zig)
	}
	if l, why := table.Of([]string{"a.zig"}); l != zig {
		t.Errorf("a.zig is %v, %s", l, why)
	}
	text = "zig: {compile: '{compiler} {flags} {files}', define: -DJUDGED}\ncpp: {define: []}\njava: {run: sh -c java, define: -DX}\n"
	if table, err = table.Customize("languages.yaml", []byte(text), false); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{"zig": "-DJUDGED", "cpp": "-O3", "java": "-DX -encoding UTF-8"} {
		if got := strings.Join(table.ByCode(code).ForSubmissions().Flags, " "); got != want {
			t.Errorf("submissions in %s are compiled with %q, want %q", code, got, want)
		}
	}
	if got := table.ByCode("java").ForSubmissions().Run; !slices.Equal(got, []string{"sh", "-c", "java"}) {
		t.Errorf("submissions in Java run by %q", got)
	}
	if table, err = table.Customize("languages.yaml", []byte("cpp: {static: []}\nc: {flags: -no-pie}"), false); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]bool{"cpp": false, "c": false, "cgmp": true, "rust": false} {
		if got := table.ByCode(code).LinksStatically(); got != want {
			t.Errorf("%s is linked statically: %v, want %v", code, got, want)
		}
	}
	if _, err := table.Customize("empty.yaml", nil, false); err != nil {
		t.Error(err)
	}
	if Builtin.ByCode("zig") != nil || Builtin.ByCode("cpp").Flags[0] == "-O3" {
		t.Error("the built-in table has changed")
	}
}

func TestCustomizeRejects(t *testing.T) {
	const rest = ", runtime: x, run: '{runtime} {entry}', hello: x}"
	for _, tt := range []struct{ text, want string }{
		{"- a", "languages.yaml:1:1: expected a map from codes of languages to their properties, found a list"},
		{"cpp: -O3", "languages.yaml:1:6: expected a map of properties, such as flags, found text"},
		{"C++: {flags: -O3}", `languages.yaml:1:1: language "C++": expected a code of small letters and digits`},
		{"cpp: {flag: -O3}", `languages.yaml:1:7: unknown property "flag" (did you mean "flags"?)`},
		{"cpp: {flags: {a: b}}", "languages.yaml:1:14: expected text, found a map"},
		{"python3: {flags: -O}", "languages.yaml:1:18: the flags of Python 3 cannot be changed: its command compile has no {flags}"},
		{"python3: {static: -X}", "languages.yaml:1:19: the flags of Python 3 cannot be changed"},
		{"python3: {define: -DX}", "languages.yaml:1:19: the flags of Python 3 cannot be changed"},
		{"new: {extensions: .new, compiler: x, compile: '{compiler} {bin}', define: -DX, hello: x}", "languages.yaml:1:75: the flags of new cannot be changed"},
		{"cpp: {define_run: -DX}", "languages.yaml:1:19: define_run has no effect on C++"},
		{"cpp: {compiler: /tmp/evil}", `languages.yaml:1:17: "/tmp/evil": expected the name of a tool on the PATH`},
		{"cpp: {compiler: [g++, ../evil]}", `languages.yaml:1:17: "../evil": expected the name of a tool on the PATH`},
		{"cpp: {version: -c evil}", "languages.yaml:1:16: version: expected --version, "},
		{"new: {extensions: .new}", "languages.yaml:1:1: language new: expected the property compiler or runtime"},
		{"new: {runtime: x, run: x, hello: x}", "languages.yaml:1:1: language new: expected the property extensions"},
		{"new: {extensions: new" + rest, `languages.yaml:1:19: extension "new": expected a dot before it`},
		{"new: {extensions: .cpp" + rest, "languages.yaml:1:1: language new: the extension .cpp belongs to C++"},
		{"new: {extensions: .new, runtime: x, run: '{runtime} {file}', hello: x}", "languages.yaml:1:1: language new: unknown name {file} in a command"},
		{"new: {extensions: .new, runtime: x, run: '{compiler}', hello: x}", "languages.yaml:1:1: language new: a command contains {compiler}, but there is no property compiler"},
		{"new: {extensions: .new, runtime: x, run: x}", "languages.yaml:1:1: language new: expected the property hello"},
		{"cpp: [", "languages.yaml:1: "},
	} {
		table, err := Builtin.Customize("languages.yaml", []byte(tt.text), false)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
		if len(table.All()) != len(Builtin.All()) {
			t.Fatalf("%s changed the table", tt.text)
		}
	}
	if _, err := Builtin.Customize("languages.yaml", []byte("cpp: {compiler: /opt/g++}"), true); err != nil {
		t.Errorf("a path in the user's own file: %v", err)
	}
}

func TestWithFlags(t *testing.T) {
	before := slices.Clone(Builtin.ByCode("rust").Flags)
	table, err := Builtin.WithFlags("rust", []string{"-g"})
	if err != nil || !slices.Equal(table.ByCode("rust").Flags, append(before, "-g")) {
		t.Errorf("%q, %v", table.ByCode("rust").Flags, err)
	}
	for _, code := range []string{"python3", "nothing"} {
		if _, err := table.WithFlags(code, nil); err == nil {
			t.Errorf("flags of %s were added", code)
		}
	}
}
