package judge

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/sandbox"
)

// needsBox skips the test where programs are not held in boxes.
func needsBox(t *testing.T) {
	t.Helper()
	var s sandbox.Sandbox
	defer s.Close()
	if p := s.Protection(); !p.Rung.Full() {
		if os.Getenv("CRUCIBLE_SANDBOX") == "require" {
			t.Fatal(p.Why)
		}
		t.Skipf("the sandbox is only %v: %s", p.Rung, p.Why)
	}
}

// In a box a submission finds nothing of the judge's, whatever name it tries,
// and writes only where the problem lets it.
func TestSubmissionInABox(t *testing.T) {
	needsBox(t)
	needs(t, "bash")
	t.Setenv("TMPDIR", t.TempDir())
	cache := t.TempDir()
	if err := os.MkdirAll(filepath.Join(cache, "go-build"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, allow := range []bool{false, true} {
		files := pack(everyProgram)
		files["problem.yaml"].Data = fmt.Appendf(slices.Clip(files["problem.yaml"].Data), "allow_file_writing: %v\n", allow)
		delete(files, "output_validator/checks.sh")
		dir := filepath.Join(t.TempDir(), "sum")
		files["submissions/accepted/answers.sh"].Data = fmt.Appendf(nil, `
read -r a b
for secret in '%[1]s' '%[1]s/data/sample/1.ans' '%[1]s/problem.yaml' '%[2]s/programs' '%[2]s/go-build' '%[2]s' "$HOME/../.." /root /home /work /etc/shadow /proc/1/root/etc; do
	[[ -r $secret && $secret != */../.. ]] && { found=$(ls "$secret" 2>&1 | head -n 3); [[ -n $found ]] && echo "I see $secret: $found"; }
done
own=${PWD#%[3]s/}
others=$(cd '%[3]s' && ls -d crucible-*/* | grep -v "^$own$"); [[ -n $others ]] && echo "I see $others beside $own"
if (echo x > new) 2> /dev/null; then writes=true; else writes=false; fi
[[ $writes = %[4]v && -z $(ls | grep -v -e answers.sh -e new) ]] || echo "I can write: $writes; here is $(ls)"
(echo 'exit 1' >> answers.sh) 2> /dev/null
[[ -e ../beside ]] && echo "I see what an earlier run left beside the working folder"
(echo x > ../beside) 2> /dev/null
(echo x >> /proc/self/fd/0) 2> /dev/null && echo "I can write to my input"
echo $((a + b))
exit
`, dir, cache, os.Getenv("TMPDIR"), allow)
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
		source, err := Folder(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		p, err := Open(source)
		if err != nil {
			t.Fatal(err)
		}
		j := &Judge{Jobs: 1, Cache: cache, KeepOutput: true, Repeat: 3}
		r := j.Run(t.Context(), p.Submissions[0], p.Samples())
		if r.JudgeError() != nil || r.Verdict != Accepted {
			t.Errorf("allow_file_writing %v: %s %v, it says: %s%s", allow, r.Verdict, r.JudgeError(), r.Runs[0].Output, r.Runs[0].Stderr)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A source cannot make the compiler read what is the judge's.
func TestCompilersInABoxDoNotSeeTheUsersPATH(t *testing.T) {
	needsBox(t)
	t.Setenv("PATH", os.Getenv("PATH")+":/home/someone/private/bin")
	w, counted := newWorkshop(t, t.TempDir())
	w.runner = counted.Runner // which tells its protection
	l := *languageByCode("bash")
	l.Compile = []string{"{runtime}", "-c", "echo $PATH"}
	if _, err := w.tools.find(t.Context(), &l); err != nil {
		t.Skip(err)
	}
	_, c, err := w.build(t.Context(), source{what: "a.sh", files: map[string][]byte{"a.sh": nil}, language: &l}, enough)
	if err != nil || c.Message == "" || strings.Contains(c.Message, "private") {
		t.Errorf("%+v, %v; want a PATH without the user's own folders", c, err)
	}
}

func TestCompilersInABox(t *testing.T) {
	needsBox(t)
	if testing.Short() || raced {
		t.Skip("runs compilers, which the race detector does not see into")
	}
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("int secret;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	if user, err := os.UserCacheDir(); err == nil && os.MkdirAll(filepath.Join(user, "crucible"), 0o755) == nil {
		cache = filepath.Join(user, "crucible") // Go's library is compiled there already, perhaps
	}
	for _, c := range []struct {
		name, code, text string
		refused          bool
	}{
		{"a file in C", "c", "#include \"" + secret + "\"\nint main(void) {}\n", true},
		{"the look-alike", "c", "#include <stdio.h>\nint main(void) {}\n", false},
		{"a file of bytes", "c", "__asm__(\".incbin \\\"" + secret + "\\\"\");\nint main(void) {}\n", true},
		{"passwords", "cpp", "#include \"/etc/shadow\"\nint main() {}\n", true},
		{"another program", "c", "#include \"" + filepath.Join(cache, "toolchains.json") + "\"\nint main(void) {}\n", true},
		{"no end", "c", "#include \"/dev/zero\"\nint main(void) {}\n", true},
		{"a large array", "c", "char a[1L << 36] = {1};\nint main(void) { return a[0]; }\n", true},
		{"text in Rust", "rust", "fn main() { print!(\"{}\", include_str!(\"" + secret + "\")); }\n", true},
		{"a parent folder in Go", "go", "package main\n\nimport _ \"embed\"\n\n//go:embed ../bin\nvar s string\n\nfunc main() {}\n", true},
		{"C in Go", "go", "package main\n\n// #cgo LDFLAGS: -Wl,--dynamic-list=/etc/passwd\nimport \"C\"\n\nfunc main() {}\n", true},
		{"no program in Go", "go", "package other\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := languageByCode(c.code)
			w, _ := newWorkshop(t, cache)
			if _, err := w.tools.find(t.Context(), l); err != nil {
				t.Skip(err)
			}
			name := "a" + l.ext()
			// Not found in the cache, nor left to be found.
			files := map[string][]byte{name: fmt.Appendf([]byte(c.text), "\n// %d\n", time.Now().UnixNano())}
			p, refusal, err := w.build(t.Context(), source{what: name, files: files, language: l, memory: 1 << 30}, Guarantee{Time: 20 * time.Second, Memory: 1 << 30})
			if err != nil || (p == nil) != c.refused {
				t.Errorf("built: %v, %+v, %v; want it refused: %v", p != nil, refusal, err, c.refused)
			}
			if p != nil {
				removeAll(p.dir)
			}
			if strings.Contains(refusal.Message, "int secret") {
				t.Errorf("the compiler quotes the secret: %s", refusal.Message)
			}
		})
	}
}

// What one submission compiled is not in the cache that the next one reads.
func TestGoCacheHoldsTheLibraryOnly(t *testing.T) {
	needsBox(t)
	needs(t, "go")
	if testing.Short() || raced {
		t.Skip("compiles Go's library, which the race detector does not see into")
	}
	cache := t.TempDir()
	w, _ := newWorkshop(t, cache)
	entries := func() (names []string) {
		filepath.WalkDir(filepath.Join(cache, "go-build"), func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				names = append(names, name)
			}
			return nil
		})
		return names
	}
	build := func(text string) {
		t.Helper()
		p, c, err := w.build(t.Context(), source{what: "a.go", files: map[string][]byte{"a.go": []byte(text)}, language: languageByCode("go"), memory: 1 << 30}, enough)
		if err != nil || p == nil {
			t.Fatal(c, err)
		}
		if info, err := os.Stat(p.args[0]); err != nil || owner(info) != os.Geteuid() {
			t.Errorf("the program belongs to %d (%v), want it to be the judge's", owner(info), err)
		}
	}
	build("package main\n\nfunc main() { println(1) }\n")
	before := entries()
	if len(before) < 10 {
		t.Fatalf("Go's cache has %d files, want the library", len(before))
	}
	build("package main\n\nfunc main() { println(2) }\n")
	if after := entries(); !slices.Equal(before, after) {
		t.Errorf("Go's cache had %d files and has %d; want another program to leave nothing there", len(before), len(after))
	}
	build("package main\n\nimport \"container/list\"\n\nfunc main() { list.New() }\n")
	if after := entries(); len(after) <= len(before) {
		t.Errorf("Go's cache has %d files as before; want a package of the library that was not used yet", len(after))
	}
}

// A validator has its case and its feedback folder.
func TestValidatorInABox(t *testing.T) {
	needsBox(t)
	needs(t, "bash")
	files := pack(everyProgram)
	files["output_validator/checks.sh"] = &fstest.MapFile{Data: []byte(`
set -e
test -r "$1" -a -r "$2"
for other in "$(dirname "$1")"/../secret/*; do
	if test -e "$other"; then echo "it sees $other" > "$3judgemessage.txt"; exit 43; fi
done
for name in "$1" "$2" here; do
	if (echo x >> "$name") 2> /dev/null; then echo "it writes to $name" > "$3judgemessage.txt"; exit 43; fi
done
mkdir "$3kept"
exit 42
`)}
	p := packageOf(t, files)
	j := &Judge{Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), p.Submissions[0], p.Samples())
	if r.JudgeError() != nil || r.Verdict != Accepted {
		t.Errorf("%s %v %+v", r.Verdict, r.JudgeError(), r.Runs)
	}
}
