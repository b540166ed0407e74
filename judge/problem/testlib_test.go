package problem

import "testing"

func TestFollowsTestlib(t *testing.T) {
	for _, c := range []struct {
		fact      string
		files     map[string]string
		want      bool // it is a checker or interactor that follows testlib
		validates bool // it is a validator of inputs that does
	}{
		{"included in quotes", map[string]string{"c.cpp": "#include \"testlib.h\"\n"}, true, false},
		{"included in brackets", map[string]string{"c.cpp": "  #  include <testlib.h>\n"}, true, false},
		{"from a folder", map[string]string{"c.cpp": "#include \"../lib/testlib.h\"\n"}, true, false},
		{"named only", map[string]string{"c.cpp": "// no testlib.h here\n"}, false, false},
		{"in a comment", map[string]string{"c.cpp": "/* was\n#include \"testlib.h\"\n*/\n"}, false, false},
		{"in the text of another language", map[string]string{"v.py": "\"\"\"\n#include \"testlib.h\"\n\"\"\"\n"}, false, false},
		{"in what is to be read", map[string]string{"c.cpp": "int main() {}\n", "README": "#include \"testlib.h\"\n"}, false, false},
		{"after what is no comment", map[string]string{"c.cpp": "char *s = \"/*\";\n#include \"testlib.h\"\n"}, true, false},
		{"after the end of a comment", map[string]string{"c.cpp": "// a /* b\n/* c */ \n#include \"testlib.h\"\n"}, true, false},
		{"with the format's statuses in a comment", map[string]string{"c.cpp": "// unlike OK_EXIT_CODE 42\n#include \"testlib.h\"\n"}, true, false},
		{"another header", map[string]string{"c.cpp": "#include \"mytestlib.h\"\n"}, false, false},
		{"with the format's statuses", map[string]string{"c.cpp": "#include \"testlib.h\"\n", "testlib.h": "#define OK_EXIT_CODE 42\n"}, false, false},
		{"with those by a flag", map[string]string{"c.cpp": "#include \"testlib.h\"\n", "build": "c++ -DOK_EXIT_CODE=42 c.cpp\n"}, false, false},
		{"with its own", map[string]string{"c.cpp": "#include \"testlib.h\"\n", "testlib.h": "#define OK_EXIT_CODE 0\n"}, true, false},
		{"a validator", map[string]string{"c.cpp": "#include \"testlib.h\"\nint main(int n, char **a) { registerValidation(n, a); inf.readEof(); }\n"}, true, true},
		{"a validator without arguments", map[string]string{"c.cc": "#include <testlib.h>\nint main() {\n  registerValidation ();\n}\n"}, true, true},
		{"a validator of two files", map[string]string{"c.cpp": "#include \"own.h\"\n", "own.h": "#include \"testlib.h\"\n#define BEGIN registerValidation(argc, argv)\n"}, true, true},
		{"only testlib.h registers", map[string]string{"c.cpp": "#include \"testlib.h\"\n", "testlib.h": "void registerValidation();\n"}, true, false},
		{"a validator in a comment", map[string]string{"c.cpp": "#include \"testlib.h\"\n// registerValidation();\n"}, true, false},
		{"another name", map[string]string{"c.cpp": "#include \"testlib.h\"\nint main() { myregisterValidation(); }\n"}, true, false},
		{"a generator", map[string]string{"c.cpp": "#include \"testlib.h\"\nint main(int n, char **a) { registerGen(n, a, 1); }\n"}, true, false},
		{"a validator without testlib.h", map[string]string{"c.cpp": "int main() { registerValidation(); }\n"}, false, false},
		{"a validator with the format's statuses", map[string]string{"c.cpp": "#define OK_EXIT_CODE 42\n#include \"testlib.h\"\nint main() { registerValidation(); }\n"}, false, false},
	} {
		files := make(map[string][]byte)
		for name, text := range c.files {
			files[name] = []byte(text)
		}
		if got := FollowsTestlib(files, false); got != c.want {
			t.Errorf("%s: FollowsTestlib = %v, want %v", c.fact, got, c.want)
		}
		if got := FollowsTestlib(files, true); got != c.validates {
			t.Errorf("%s: FollowsTestlib of an input validator = %v, want %v", c.fact, got, c.validates)
		}
	}
}
